/// Two heads of one run, or one head of two runs, side by side with their difference; and the view menu.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_view.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_plot.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QMenu>
#include <QPushButton>

#include <utility>

namespace lw::ui {

namespace {

struct OpenedOther {
    std::shared_ptr<lw::MapSession> maps;
    lw::MapsInfo info;
};

}  // namespace

void MapsPage::compareWithHead(std::int64_t layer, std::int64_t head) {
    if (!session()->mapsInfo()) return;
    closeOther();
    m_other.head = {layer, head};
    m_canvas->setComparing(true);
    m_compareButton->setText(tr("Stop comparing"));
    setTargets();
    requestRows();
}

void MapsPage::compareWithRun(const QString& key) {
    if (!session()->mapsInfo() || !session()->findRun(key)) return;
    closeOther();
    openOther(key);
}

void MapsPage::openOther(const QString& key) {
    const RunEntry* run = session()->findRun(key);
    lw::MapsRequest request;
    request.run = run->info.folder;
    request.text = session()->textRequest();
    session()->compute().run<OpenedOther>(
        QStringLiteral("maps other"),
        [request](const lw::RunContext& context) -> lw::Result<OpenedOther> {
            auto maps = lw::open_maps(request, context);
            if (!maps.ok()) return maps.error();
            return OpenedOther{maps.value(), maps.value()->info()};
        },
        this,
        [this, key](lw::Result<OpenedOther> opened) {
            if (!opened.ok()) return session()->report(opened.error(), tr("Opening the maps to compare with"));
            const lw::MapsInfo* info = session()->mapsInfo();
            if (!info) return session()->compute().release(opened.value().maps);
            m_other.key = key;
            m_other.maps = opened.value().maps;
            m_other.info = opened.value().info;
            if (m_other.info.length != info->length || m_other.info.text.ids != info->text.ids)
                session()->notice(tr("The two runs cut the text into different tokens; cells at one place need not be the same words."));
            m_canvas->setComparing(true);
            m_compareButton->setText(tr("Stop comparing"));
            setTargets();
            requestRows();
        },
        tr("Opening maps of %1").arg(run->title()));
}

void MapsPage::closeOther() {
    session()->compute().cancelChannel(QStringLiteral("maps other"));
    session()->compute().cancelChannel(QStringLiteral("rows other"));
    m_secondView->clear();
    session()->compute().release(std::exchange(m_other.maps, nullptr));
    m_other = {};
    m_canvas->setComparing(false);
    m_compareButton->setText(tr("Compare with…"));
}

void MapsPage::stopComparing() {
    closeOther();
    updateTitles();
    applyScale();
    showRows();
}

MapTarget MapsPage::secondTarget() const {
    MapTarget target = firstTarget();
    if (m_other.key.isEmpty()) {
        target.layer = m_other.head.first;
        target.head = m_other.head.second;
        return target;
    }
    target.session = m_other.maps;
    target.length = m_other.info.length;
    target.part = availablePart(m_part, m_other.info.parts);
    target.signedParts = signedParts(m_other.info.parts);
    target.layer = std::min(target.layer, m_other.info.layers - 1);
    target.head = std::min(target.head, m_other.info.heads - 1);
    return target;
}

QString MapsPage::secondName() const {
    if (m_other.key.isEmpty()) return runName();
    const RunEntry* run = session()->findRun(m_other.key);
    if (!run) return {};
    const QString name = tr("%1, seed %2, step %3").arg(run->title()).arg(run->info.recipe.seed).arg(integerText(m_other.info.step));
    const lw::ScorePart part = availablePart(m_part, m_other.info.parts);
    return part == m_part ? name : tr("%1 · %2, it has no %3").arg(name, partText(part), partText(m_part));
}

void MapsPage::showDifference() {
    if (!comparing()) return;
    HeatMap* map = m_canvas->map(MapsCanvas::kDifference);
    const auto d = difference(m_canvas->map()->shownTile(), m_canvas->map(MapsCanvas::kSecond)->shownTile());
    const lw::MapsInfo* info = session()->mapsInfo();
    if (info) map->setCells(info->length, info->length);
    if (!d) {
        if (map->shownTile().values.empty()) map->setMessage(tr("Both maps are needed first, on the same cells."));
        return;
    }
    ColourScale scale = scaleFor(lw::ScorePart::bias, {valueSpread(d->values)}, false);
    scale.map = m_signedMap;
    map->setScale(scale);
    map->setDetail(*d);
    map->setWindow(m_canvas->map()->geometryOfCells().window);
}

void MapsPage::requestOtherRows() {
    const MapTarget target = secondTarget();
    const std::int64_t query = std::min(session()->effectiveQuery(), target.length - 1);
    if (!target.session || query < 0) return;
    session()->compute().run<std::vector<lw::RowProfile>>(
        QStringLiteral("rows other"), [maps = target.session, layer = target.layer, query](const lw::RunContext&) { return maps->rows(layer, query); }, this,
        [this](lw::Result<std::vector<lw::RowProfile>> rows) {
            if (!rows.ok()) return;
            m_other.rows = std::move(rows).value();
            showRows();
        });
}

/// One head: all its terms. Two: the part that is looked at, of both.
void MapsPage::showRows() {
    m_heads->setRows(m_rows, m_part);
    const lw::RowProfile* row = rowOf(session()->head());
    if (!row) return;
    ProfilePlot* profile = m_canvas->profile();
    if (!comparing()) {
        profile->setRow(*row, m_part);
        return m_canvas->arrange();
    }
    const PlotTheme colours = PlotTheme::fromPalette(palette());
    const MapTarget second = secondTarget();
    std::vector<ProfileLine> lines{{partOf(*row, m_part), colours.part(lw::ScorePart::bias), 1.3, tr("first")}};
    for (const lw::RowProfile& other : m_other.rows)
        if (other.head == second.head && other.layer == second.layer) lines.push_back({partOf(other, second.part), colours.part(lw::ScorePart::adaptive), 1.3, tr("second")});
    profile->setLines(row->query, std::move(lines), m_part);
    m_canvas->arrange();
}

void MapsPage::openCompareMenu() {
    if (comparing()) return stopComparing();
    QMenu menu(this);
    menu.addSection(tr("Another head: Ctrl + click its picture, or"));
    const lw::MapsInfo* info = session()->mapsInfo();
    const HeadKey own{session()->layer(), session()->head()};
    for (const SimilarHead& similar : similarHeads(m_heads->tiles(), own, 2))
        menu.addAction(tr("Layer %1, head %2 (most alike, %3)").arg(similar.head.first).arg(similar.head.second).arg(numberText(similar.correlation, 2)), this, [this, head = similar.head] { compareWithHead(head.first, head.second); });
    // The opposite of the present head says most: an anti-local one for a local one, and the other way round.
    const lw::HeadMeasures* mine = m_heads->measuresOf(own);
    const lw::HeadMeasures* opposite = nullptr;
    for (const lw::HeadMeasures& m : m_heads->measures())
        if (mine && (!opposite || std::abs(m.contrast - mine->contrast) > std::abs(opposite->contrast - mine->contrast))) opposite = &m;
    if (opposite && opposite != mine)
        menu.addAction(tr("Layer %1, head %2 (most unlike: %3, C %4)").arg(opposite->layer).arg(opposite->head).arg(QString::fromStdString(opposite->head_class), signedText(opposite->contrast, 1)), this,
                       [this, layer = opposite->layer, head = opposite->head] { compareWithHead(layer, head); });
    menu.addSection(tr("The same head of another run"));
    for (const RunEntry& run : session()->runs()) {
        if (run.key == session()->mapsRun() || !info || run.info.checkpoints.empty()) continue;
        menu.addAction(tr("%1, seed %2").arg(run.title()).arg(run.info.recipe.seed), this, [this, key = run.key] { compareWithRun(key); });
    }
    menu.exec(m_compareButton->mapToGlobal(QPoint(0, m_compareButton->height())));
}

void MapsPage::setLimits(Limits limits) {
    m_keptLimit = m_canvas->map()->scale().high;
    m_limits = limits;
    applyScale();
}

void MapsPage::setReducer(lw::Reducer reducer) {
    m_reducer = reducer;
    if (session()->mapsInfo()) setTargets();
}

void MapsPage::openViewMenu() {
    QMenu menu(this);
    fillViewMenu(&menu);
    menu.exec(m_viewButton->mapToGlobal(QPoint(0, m_viewButton->height())));
}

void MapsPage::fillViewMenu(QMenu* menu) {
    const auto choice = [this](QMenu* into, const QString& text, bool checked, std::function<void()> call) {
        QAction* action = into->addAction(text, this, std::move(call));
        action->setCheckable(true);
        action->setChecked(checked);
    };
    menu->addSection(tr("Colour limits"));
    choice(menu, tr("One for all parts of the head"), m_limits == Limits::head, [this] { setLimits(Limits::head); });
    choice(menu, tr("Fitted to what is seen"), m_limits == Limits::seen, [this] { setLimits(Limits::seen); });
    choice(menu, tr("Kept while heads change"), m_limits == Limits::kept, [this] { setLimits(Limits::kept); });
    menu->addSection(tr("Several cells in one pixel"));
    choice(menu, tr("Largest magnitude with its sign"), m_reducer == lw::Reducer::signed_max_abs, [this] { setReducer(lw::Reducer::signed_max_abs); });
    choice(menu, tr("Largest value"), m_reducer == lw::Reducer::max, [this] { setReducer(lw::Reducer::max); });
    choice(menu, tr("Mean"), m_reducer == lw::Reducer::mean, [this] { setReducer(lw::Reducer::mean); });
    menu->addSection(tr("Colours"));
    const bool probability = m_part == lw::ScorePart::probability;
    for (const ColourMapId id : probability ? std::vector{ColourMapId::night, ColourMapId::ink} : std::vector{ColourMapId::blueRed, ColourMapId::purpleGreen}) {
        choice(menu, colourMapName(id), (probability ? m_probabilityMap : m_signedMap) == id, [this, id, probability] {
            (probability ? m_probabilityMap : m_signedMap) = id;
            applyScale();
            showDifference();
        });
    }
    menu->addSection(tr("Pictures of the heads"));
    choice(menu, tr("Limits of their own"), m_heads->ownLimits(), [this] {
        m_heads->setOwnLimits(!m_heads->ownLimits());
        session()->settings().setValue(QStringLiteral("maps/ownLimits"), m_heads->ownLimits());
    });
    choice(menu, tr("Most local head first"), m_heads->sortedByLocality(), [this] { m_heads->setSortedByLocality(!m_heads->sortedByLocality()); });
}

}  // namespace lw::ui
