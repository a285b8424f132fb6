/// See maps_page.h. Building and connecting it is in maps_page_setup.cpp, comparison in maps_compare.cpp, menus in maps_menus.cpp,
/// read-outs and details in maps_read.cpp and maps_similar.cpp, dependence on the text in maps_dependence.cpp, files in maps_export.cpp and
/// maps_heads_export.cpp.
#include "ui/pages/maps_page.h"

#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_view.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_plot.h"
#include "ui/plot/segmented.h"
#include "ui/session.h"
#include "ui/tile_memory.h"
#include "ui/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kNarrow = 900;

QString partHelp(lw::ScorePart part) {
    switch (part) {
        case lw::ScorePart::content: return MapsPage::tr("q·k / √d, after rotation and temperature");
        case lw::ScorePart::bias: return MapsPage::tr("What the positions alone add");
        case lw::ScorePart::bias_adaptive: return MapsPage::tr("Bias + adaptive: all that the scheme adds to the content");
        case lw::ScorePart::adaptive: return MapsPage::tr("What is computed from content and bias of all heads");
        case lw::ScorePart::logit: return MapsPage::tr("The sum that goes into the softmax");
        case lw::ScorePart::probability: return MapsPage::tr("After the softmax");
    }
    return {};
}

}  // namespace

void MapsPage::refresh() {
    if (!isVisible()) return;
    showState();
    if (session()->mapsInfo() && !session()->mapsOpening()) showMaps();
}

void MapsPage::showState() {
    const bool ready = session()->mapsInfo() != nullptr && session()->mapsError().isEmpty();
    m_exportButton->setEnabled(ready);
    m_compareButton->setEnabled(ready);
    const bool failed = !session()->mapsError().isEmpty() && !session()->mapsOpening();
    m_stack->setCurrentIndex(session()->currentRun() == nullptr || failed ? 1 : 0);
    if (session()->currentRun() == nullptr) {
        const bool any = !session()->runs().empty();
        m_empty->setContent(any ? tr("No run chosen") : tr("No runs yet"), any ? tr("Choose a run in the list to see its heads.") : tr("Train a model, or open a workspace that has some."), tr("Go to Train"), [this] { session()->showPage(PageId::train); });
    } else if (failed) {
        const bool shorter = session()->length() > 512;
        m_empty->setContent(tr("These maps cannot be shown"), session()->mapsError(), shorter ? tr("Use 512 tokens") : QString(), [this] { session()->setLength(512); });
    } else if (!ready || session()->mapsOpening()) {
        clearMaps();
        m_canvas->map()->setMessage(tr("Reading the text with %1…").arg(session()->currentRun()->title()));
    }
}

/// Nothing of the old run or text stays beside the message that the new one is being read.
void MapsPage::clearMaps() {
    session()->compute().cancelChannel(QStringLiteral("rows"));
    endHover();
    m_firstView->clear();
    m_heads->clear();
    m_rows.clear();
    m_canvas->profile()->clear();
    m_canvas->map()->setTitle({}, {});
    m_canvas->map()->setMarkedQuery(-1);
    m_caption->clear();
    for (const char* key : {"head", "similar"}) session()->setDetails(QLatin1String(key), {});
}

/// A new text or length under a comparison keeps it; another run ends it.
void MapsPage::mapsChanged() {
    const RunEntry* run = session()->currentRun();
    if (m_wish && (!run || run->key != m_wishRun)) m_wish.reset();
    forgetDistances();
    closeOther();
    refresh();
    if (m_wish && isVisible() && session()->mapsInfo() && !session()->mapsOpening()) compare(Beside(*m_wish));
}

MapTarget MapsPage::firstTarget() const {
    MapTarget target;
    const lw::MapsInfo* info = session()->mapsInfo();
    if (!info) return target;
    target.session = session()->maps();
    target.length = info->length;
    target.layer = session()->layer();
    target.head = session()->head();
    target.part = m_part;
    target.reducer = m_reducer;
    target.signedParts = signedParts(info->parts);
    return target;
}

void MapsPage::showMaps() {
    const lw::MapsInfo& info = *session()->mapsInfo();
    m_part = availablePart(session()->part(), info.parts);
    showParts();
    readDocuments();
    m_heads->setSelected(session()->layer(), session()->head());
    m_heads->setQuery(session()->effectiveQuery());
    m_heads->setMaps(session()->maps(), info, m_part, m_logProbability);
    const RunEntry* shown = session()->findRun(session()->mapsRun());
    m_heads->atlas()->setHasSteps(shown && shown->info.checkpoints.size() > 1);
    m_canvas->profile()->setTrainLength(info.train_length);
    setTargets();
    requestRows();
    describeHead();
    showTexts();
}

void MapsPage::showParts() {
    const auto& parts = session()->mapsInfo()->parts;
    for (int p = 0; p <= static_cast<int>(lw::ScorePart::probability); ++p) {
        const auto part = static_cast<lw::ScorePart>(p);
        const bool there = std::find(parts.begin(), parts.end(), part) != parts.end();
        QAbstractButton* segment = m_parts->button(p);
        segment->setEnabled(there);
        segment->setToolTip(there ? partHelp(part) : tr("%1 has no such part: its scheme adds nothing here.").arg(QString::fromStdString(session()->mapsInfo()->run_title)));
    }
    m_parts->setCurrent(static_cast<int>(m_part));
    m_scaleKind->setVisible(m_part == lw::ScorePart::probability);
}

void MapsPage::setTargets() {
    m_firstView->setTarget(firstTarget());
    if (comparing()) m_secondView->setTarget(secondTarget());
    updateTitles();
    applyScale();
    showDifference();
}

void MapsPage::updateTitles() {
    const QString head = tr("Layer %1, head %2").arg(session()->layer()).arg(session()->head());
    m_canvas->map()->setTitle(head, comparing() ? tr("first · %1").arg(runName()) : runName());
    m_canvas->map()->setUnit(partUnit(m_part));
    if (!comparing()) return;
    const MapTarget second = secondTarget();
    m_canvas->map(MapsCanvas::kSecond)->setTitle(tr("Layer %1, head %2").arg(second.layer).arg(second.head), tr("second · %1").arg(secondName()));
    m_canvas->map(MapsCanvas::kSecond)->setUnit(partUnit(m_part));
    m_canvas->map(MapsCanvas::kDifference)->setTitle(tr("Difference"), tr("first − second"));
    m_canvas->map(MapsCanvas::kDifference)->setUnit(partUnit(m_part));
}

QString MapsPage::runName() const {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    const lw::MapsInfo* info = session()->mapsInfo();
    if (!run || !info) return {};
    return tr("%1, seed %2, step %3").arg(run->title()).arg(run->info.recipe.seed).arg(integerText(info->step));
}

void MapsPage::requestRows() {
    const std::int64_t query = session()->effectiveQuery();
    if (query < 0) return;
    m_heads->setQuery(query);
    for (const MapsCanvas::Place place : {MapsCanvas::kFirst, MapsCanvas::kSecond, MapsCanvas::kDifference}) m_canvas->map(place)->setMarkedQuery(query);
    session()->compute().run<std::vector<lw::RowProfile>>(
        QStringLiteral("rows"), [maps = session()->maps(), layer = session()->layer(), query](const lw::RunContext&) { return maps->rows(layer, query); }, this,
        [this](lw::Result<std::vector<lw::RowProfile>> rows) {
            if (!rows.ok()) {
                if (rows.error().kind != lw::ErrorKind::cancelled) session()->report(rows.error(), tr("Reading the row"));
                return;
            }
            m_rows = std::move(rows).value();
            showRows();
            shadeTokens();
        });
    if (comparing()) requestOtherRows();
}

const lw::RowProfile* MapsPage::rowOf(std::int64_t head) const {
    for (const lw::RowProfile& row : m_rows)
        if (row.head == head) return &row;
    return nullptr;
}

void MapsPage::shadeTokens() {
    const lw::RowProfile* row = rowOf(session()->head());
    if (!row) return session()->setTokenShade({});
    session()->setTokenShade({shadeOf(row->probability), tr("shade: probability, layer %1 head %2, query %3").arg(row->layer).arg(row->head).arg(integerText(row->query))});
}

/// Signed parts of a head share limits, which its overview brings. Probability takes those of its own part: of the whole map and of
/// what is seen.
void MapsPage::applyScale() {
    const bool probability = m_part == lw::ScorePart::probability;
    std::vector<ValueSpread> spreads;
    for (const MapsCanvas::Place place : {MapsCanvas::kFirst, MapsCanvas::kSecond}) {
        if (place == MapsCanvas::kSecond && !comparing()) continue;
        const HeatMap* map = m_canvas->map(place);
        const MapView* view = place == MapsCanvas::kFirst ? m_firstView : m_secondView;
        if (probability || m_limits == Limits::seen) spreads.push_back(valueSpread(map->shownTile().values));
        if (probability && m_limits != Limits::seen) spreads.push_back(valueSpread(map->overviewTile().values));
        if (!probability && m_limits != Limits::seen) spreads.insert(spreads.end(), view->spreads().begin(), view->spreads().end());
    }
    if (spreads.empty()) return;  // the overview brings them
    ColourScale scale = scaleFor(m_part, spreads, m_logProbability);
    scale.map = probability ? m_probabilityMap : m_signedMap;
    if (const auto kept = probability ? m_keptProbability : m_keptSigned; kept && m_limits == Limits::kept) {
        scale.high = *kept;
        if (!probability) scale.low = -*kept;
    }
    m_canvas->map()->setScale(scale);
    if (comparing()) m_canvas->map(MapsCanvas::kSecond)->setScale(scale);
    m_canvas->profile()->setLimit(probability ? 0 : scale.high);
    m_canvas->arrange();
}

void MapsPage::updateCaption() {
    const QString shown = m_canvas->map()->caption();
    // Half a number would say something else: where the whole has no room its first part stands alone, or nothing.
    m_caption->setText(theme::fittingText({shown, shown.section(QStringLiteral(" · "), 0, 0), QString()}, m_caption->fontMetrics(), m_caption->width()));
    const QString kept = session()->maps() ? tileUseText(session()->maps()->tile_use()) : QString();
    const QString more = kept.isEmpty() ? QString() : QStringLiteral("\n%1.").arg(kept);
    m_caption->setToolTip(shown.isEmpty() ? QString() : tr("%1.\nScroll to zoom: single cells are shown when they fit.").arg(shown) + more);
}

/// In a narrow window the longest name of a part gives way; its tooltip has the whole.
void MapsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    QAbstractButton* both = m_parts->button(static_cast<int>(lw::ScorePart::bias_adaptive));
    both->setText(width() < kNarrow ? tr("Bias + ad.") : tr("Bias + adaptive"));
    both->updateGeometry();
    QMetaObject::invokeMethod(this, [this] { updateCaption(); }, Qt::QueuedConnection);  // after the layout has given it its width
}

/// Hovering a thumbnail shows its coarse picture large, until the mouse leaves or a click keeps it.
void MapsPage::preview(std::int64_t layer, std::int64_t head) {
    if (!session()->mapsInfo() || comparing()) return;
    const auto tile = m_heads->tiles().find({layer, head});
    if (tile == m_heads->tiles().end()) {
        m_firstView->showAgain();
        return updateTitles();
    }
    m_firstView->suspend();
    m_canvas->map()->setDetail(tile->second);
    m_canvas->map()->setTitle(tr("Layer %1, head %2").arg(layer).arg(head), tr("preview; click to keep"));
}

void MapsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    session()->ensureMaps();
    refresh();
    if (m_wish && !comparing() && session()->mapsInfo() && !session()->mapsOpening()) compare(Beside(*m_wish));
}

void MapsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    forgetTexts();
    if (!m_distances) forgetDistances();
    for (const char* key : {"head", "similar"}) session()->setDetails(QLatin1String(key), {});
}

void MapsPage::keyPressEvent(QKeyEvent* event) {
    const lw::MapsInfo* info = session()->mapsInfo();
    if (!info) return Page::keyPressEvent(event);
    std::int64_t layer = session()->layer(), head = session()->head();
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
        case Qt::Key_Left: head = (head + info->heads - 1) % info->heads; break;
        case Qt::Key_Right: head = (head + 1) % info->heads; break;
        case Qt::Key_Up:
            if (shift) return session()->setQuery(std::max<std::int64_t>(0, session()->effectiveQuery() - 1));
            layer = std::max<std::int64_t>(0, layer - 1);
            break;
        case Qt::Key_Down:
            if (shift) return session()->setQuery(std::min(info->length - 1, session()->effectiveQuery() + 1));
            layer = std::min(info->layers - 1, layer + 1);
            break;
        case Qt::Key_PageUp: layer = std::max<std::int64_t>(0, layer - 1); break;
        case Qt::Key_PageDown: layer = std::min(info->layers - 1, layer + 1); break;
        case Qt::Key_Escape:
            if (comparing()) return stopComparing();
            return Page::keyPressEvent(event);
        default: return Page::keyPressEvent(event);
    }
    session()->setHead(layer, head);
}

bool MapsPage::settled() const { return m_firstView->settled() && (!comparing() || m_secondView->settled()); }

}  // namespace lw::ui
