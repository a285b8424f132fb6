/// See maps_page.h. Comparison is in maps_compare.cpp, read-outs and details in maps_read.cpp, files in maps_export.cpp.
#include "ui/pages/maps_page.h"

#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_view.h"
#include "ui/panels/empty_state.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_plot.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <utility>

namespace lw::ui {

MapsPage::MapsPage(Session* session, QWidget* parent)
    : Page(session, parent), m_parts(new Segmented(this)), m_scaleKind(new Segmented(this)), m_compareButton(new QPushButton(tr("Compare with…"), this)), m_viewButton(new QPushButton(tr("View ▾"), this)),
      m_exportButton(new QPushButton(tr("Export…"), this)), m_caption(new QLabel(this)), m_stack(new QStackedWidget(this)), m_splitter(new QSplitter(Qt::Horizontal)), m_heads(new HeadsPanel(session)),
      m_canvas(new MapsCanvas), m_empty(new EmptyState), m_firstView(new MapView(m_canvas->map(), &session->compute(), QStringLiteral("map"), this)),
      m_secondView(new MapView(m_canvas->map(MapsCanvas::kSecond), &session->compute(), QStringLiteral("second map"), this)), m_previewTimer(new QTimer(this)) {
    setObjectName(QStringLiteral("mapsPage"));
    setFocusPolicy(Qt::StrongFocus);
    auto* bar = new QHBoxLayout;
    buildToolbar(bar);
    m_splitter->addWidget(m_heads);
    m_splitter->addWidget(m_canvas);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(2 * theme::kGrid);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({430, 560});
    m_heads->setMinimumWidth(220);
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(theme::kGrid);
    layout->addLayout(bar);
    layout->addWidget(m_stack, 1);
    m_previewTimer->setSingleShot(true);
    m_previewTimer->setInterval(150);
    const QSettings& settings = session->settings();
    m_logProbability = settings.value(QStringLiteral("maps/logProbability"), true).toBool();
    m_scaleKind->setCurrent(m_logProbability ? 1 : 0);
    m_splitter->restoreState(settings.value(QStringLiteral("maps/splitter")).toByteArray());
    m_heads->setOwnLimits(settings.value(QStringLiteral("maps/ownLimits"), false).toBool());
    connectSession();
    connectCanvas();
    showState();
}

MapsPage::~MapsPage() {
    session()->compute().release(std::exchange(m_other.maps, nullptr));
}

void MapsPage::buildToolbar(QHBoxLayout* bar) {
    m_parts->setObjectName(QStringLiteral("mapParts"));
    const auto add = [&](lw::ScorePart part, const QString& text, const QString& help) { m_parts->add(static_cast<int>(part), text, help); };
    add(lw::ScorePart::content, tr("Content"), tr("q·k / √d, after rotation and temperature"));
    add(lw::ScorePart::bias, tr("Bias"), tr("What the positions alone add"));
    add(lw::ScorePart::bias_adaptive, tr("Bias + adaptive"), tr("All that the scheme adds to the content"));
    add(lw::ScorePart::adaptive, tr("Adaptive"), tr("What is computed from content and bias of all heads"));
    add(lw::ScorePart::logit, tr("Logit"), tr("The sum that goes into the softmax"));
    add(lw::ScorePart::probability, tr("Probability"), tr("After the softmax"));
    m_scaleKind->setObjectName(QStringLiteral("probabilityScale"));
    m_scaleKind->add(0, tr("Linear"));
    m_scaleKind->add(1, tr("Log"));
    m_caption->setObjectName(QStringLiteral("mapCaption"));
    m_caption->setFont(theme::caption());
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_compareButton->setObjectName(QStringLiteral("compareButton"));
    m_viewButton->setObjectName(QStringLiteral("viewButton"));
    m_exportButton->setObjectName(QStringLiteral("exportButton"));
    bar->setSpacing(theme::kGrid);
    bar->addWidget(m_parts);
    bar->addWidget(m_scaleKind);
    bar->addWidget(m_compareButton);
    bar->addWidget(m_viewButton);
    bar->addWidget(m_caption, 1);
    bar->addWidget(m_exportButton);
    connect(m_parts, &Segmented::chosen, this, [this](int id) { session()->setPart(static_cast<lw::ScorePart>(id)); });
    connect(m_scaleKind, &Segmented::chosen, this, [this](int id) {
        m_logProbability = id == 1;
        session()->settings().setValue(QStringLiteral("maps/logProbability"), m_logProbability);
        if (session()->mapsInfo()) m_heads->setMaps(session()->maps(), *session()->mapsInfo(), m_part, m_logProbability);
        applyScale();
    });
    connect(m_compareButton, &QPushButton::clicked, this, &MapsPage::openCompareMenu);
    connect(m_viewButton, &QPushButton::clicked, this, &MapsPage::openViewMenu);
    connect(m_exportButton, &QPushButton::clicked, this, &MapsPage::exportFigure);
}

void MapsPage::connectSession() {
    connect(session(), &Session::mapsStale, this, [this] {
        if (isVisible()) session()->ensureMaps();
    });
    connect(session(), &Session::mapsChanged, this, [this] {
        closeOther();
        refresh();
    });
    connect(session(), &Session::partChanged, this, &MapsPage::refresh);
    connect(session(), &Session::headChanged, this, &MapsPage::refresh);
    connect(session(), &Session::currentRunChanged, this, &MapsPage::showState);
    connect(session(), &Session::queryChanged, this, [this] {
        if (isVisible() && session()->mapsInfo()) requestRows();
    });
}

void MapsPage::connectCanvas() {
    connect(m_canvas, &MapsCanvas::hovered, this, &MapsPage::hover);
    connect(m_canvas, &MapsCanvas::hoverLeft, this, [this] { session()->compute().cancelChannel(QStringLiteral("cell")); });
    connect(m_canvas, &MapsCanvas::cellClicked, this, [this](qint64 query, qint64) { session()->setQuery(query); });
    connect(m_canvas->map(), &HeatMap::captionChanged, this, &MapsPage::updateCaption);
    for (const MapsCanvas::Place place : {MapsCanvas::kFirst, MapsCanvas::kSecond, MapsCanvas::kDifference}) {
        connect(m_canvas->map(place), &HeatMap::exportRequested, this, &MapsPage::exportFigure);
        connect(m_canvas->map(place), &HeatMap::menuAboutToShow, this, &MapsPage::fillViewMenu);
    }
    for (MapView* view : {m_firstView, m_secondView}) {
        connect(view, &MapView::spreadsChanged, this, &MapsPage::applyScale);
        connect(view, &MapView::detailChanged, this, [this] {
            if (m_limits == Limits::seen) applyScale();
            showDifference();
        });
        connect(view, &MapView::failed, this, [this](const lw::Error& error) { session()->report(error, tr("Drawing the map")); });
    }
    connect(m_heads, &HeadsPanel::headChosen, this, [this](qint64 layer, qint64 head, bool toCompare) {
        m_previewTimer->stop();
        m_previewed = {-1, -1};
        if (toCompare) compareWithHead(layer, head);
        else session()->setHead(layer, head);
    });
    connect(m_heads, &HeadsPanel::headHovered, this, [this](qint64 layer, qint64 head) {
        m_previewed = {layer, head};
        m_previewTimer->start();
    });
    connect(m_heads, &HeadsPanel::hoverLeft, this, [this] {
        m_previewTimer->stop();
        if (std::exchange(m_previewed, HeadKey{-1, -1}).first >= 0) preview(-1, -1);
    });
    connect(m_previewTimer, &QTimer::timeout, this, [this] { preview(m_previewed.first, m_previewed.second); });
    connect(m_heads, &HeadsPanel::measuresChanged, this, &MapsPage::describeHead);
    connect(m_heads, &HeadsPanel::tilesChanged, this, &MapsPage::describeHead);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { session()->settings().setValue(QStringLiteral("maps/splitter"), m_splitter->saveState()); });
}

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
        m_empty->setContent(tr("No run chosen"), tr("Choose a run in the list to see its heads."), tr("Go to Train"), [this] { session()->showPage(PageId::train); });
    } else if (failed) {
        const bool shorter = session()->length() > 512;
        m_empty->setContent(tr("These maps cannot be shown"), session()->mapsError(), shorter ? tr("Use 512 tokens") : QString(), [this] { session()->setLength(512); });
    } else if (!ready || session()->mapsOpening()) {
        m_firstView->clear();
        m_heads->clear();
        m_rows.clear();
        m_canvas->profile()->clear();
        m_canvas->map()->setMessage(tr("Reading the text with %1…").arg(session()->currentRun()->title()));
        m_caption->clear();
    }
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
    for (int part = 0; part <= static_cast<int>(lw::ScorePart::probability); ++part) {
        QAbstractButton* segment = m_parts->button(part);
        segment->setEnabled(std::find(info.parts.begin(), info.parts.end(), static_cast<lw::ScorePart>(part)) != info.parts.end());
    }
    m_parts->setCurrent(static_cast<int>(m_part));
    m_scaleKind->setVisible(m_part == lw::ScorePart::probability);
    m_heads->setSelected(session()->layer(), session()->head());
    m_heads->setQuery(session()->effectiveQuery());
    m_heads->setMaps(session()->maps(), info, m_part, m_logProbability);
    m_canvas->profile()->setTrainLength(info.train_length);
    setTargets();
    requestRows();
    describeHead();
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
    m_canvas->map()->setTitle(head, runName());
    m_canvas->map()->setUnit(partUnit(m_part));
    if (!comparing()) return;
    m_canvas->map(MapsCanvas::kSecond)->setTitle(m_other.key.isEmpty() ? tr("Layer %1, head %2").arg(m_other.head.first).arg(m_other.head.second) : head, secondName());
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

void MapsPage::applyScale() {
    const bool probability = m_part == lw::ScorePart::probability;
    HeatMap* map = m_canvas->map();
    std::vector<ValueSpread> spreads;
    if (probability || m_limits == Limits::seen) {
        spreads.push_back(valueSpread(map->shownTile().values));
        if (comparing()) spreads.push_back(valueSpread(m_canvas->map(MapsCanvas::kSecond)->shownTile().values));
    } else {
        spreads = m_firstView->spreads();
        if (comparing()) spreads.insert(spreads.end(), m_secondView->spreads().begin(), m_secondView->spreads().end());
        if (spreads.empty()) return;  // the overview brings them
    }
    ColourScale scale = scaleFor(m_part, spreads, m_logProbability);
    scale.map = probability ? m_probabilityMap : m_signedMap;
    if (!probability && m_limits == Limits::kept) {
        scale.low = -m_keptLimit;
        scale.high = m_keptLimit;
    }
    map->setScale(scale);
    if (comparing()) m_canvas->map(MapsCanvas::kSecond)->setScale(scale);
    m_canvas->profile()->setLimit(probability ? 0 : scale.high);
    m_canvas->arrange();
}

void MapsPage::updateCaption() {
    const QString shown = m_canvas->map()->caption();
    m_caption->setText(shown);
    m_caption->setToolTip(shown.isEmpty() ? QString() : tr("%1.\nScroll to zoom: single cells are shown when they fit.").arg(shown));
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
}

void MapsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
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

bool MapsPage::canExport() const { return session()->mapsInfo() != nullptr && !m_canvas->map()->shownTile().values.empty(); }

void MapsPage::copyFigure() {
    if (!canExport()) return;
    m_canvas->map()->copyToClipboard();
    session()->notice(tr("Copied the map and its numbers."));
}

}  // namespace lw::ui
