/// Two heads of one run, or one head of two runs, checkpoints or texts, side by side with their difference.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_view.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_plot.h"
#include "ui/session.h"
#include "ui/tile_memory.h"
#include "ui/theme.h"

#include <QPushButton>

#include <utility>

namespace lw::ui {

namespace {

struct OpenedOther {
    std::shared_ptr<lw::MapSession> maps;
    lw::MapsInfo info;
};

}  // namespace

void MapsPage::compare(const Beside& beside) {
    const bool known = beside.run.isEmpty() || session()->findRun(beside.run) != nullptr;
    if (!session()->mapsInfo() || !known) return;
    closeOther();
    m_wish = beside;
    m_wishRun = session()->mapsRun();
    m_other.beside = beside;
    showTexts();
    if (beside.head.first < 0) return openOther(beside);
    beginComparing();
}

void MapsPage::beginComparing() {
    m_canvas->setComparing(true);
    m_compareButton->setText(tr("Stop comparing"));
    setTargets();
    requestRows();
    showTexts();
}

void MapsPage::openOther(const Beside& beside) {
    const RunEntry* run = session()->findRun(beside.run.isEmpty() ? session()->mapsRun() : beside.run);
    lw::MapsRequest request;
    request.tile_bytes = tileBytes(session()->settings());
    request.run = run->info.folder;
    request.text = beside.text.value_or(session()->textRequest());
    request.text.length = beside.text ? secondLength() : session()->textRequest().length;
    request.step = beside.step >= 0 || !beside.run.isEmpty() ? beside.step : session()->mapsInfo()->step;
    session()->compute().run<OpenedOther>(
        QStringLiteral("maps other"),
        [request](const lw::RunContext& context) -> lw::Result<OpenedOther> {
            auto maps = lw::open_maps(request, context);
            if (!maps.ok()) return maps.error();
            return OpenedOther{maps.value(), maps.value()->info()};
        },
        this,
        [this, beside](lw::Result<OpenedOther> opened) {
            const lw::MapsInfo* info = session()->mapsInfo();
            if (!opened.ok()) {
                m_wish.reset();
                m_other = {};
                showTexts();
                return session()->report(opened.error(), tr("Opening the maps to compare with"));
            }
            if (!info) return session()->compute().release(opened.value().maps);
            m_other.beside = beside;
            m_other.maps = opened.value().maps;
            m_other.info = opened.value().info;
            if (!beside.text && (m_other.info.length != info->length || m_other.info.text.ids != info->text.ids))
                session()->notice(tr("The two runs cut the text into different tokens; cells at one place need not be the same words."));
            beginComparing();
            if (beside.text && !beside.text->text.empty()) offerLength(m_other.info.length);
        },
        tr("Opening maps of %1").arg(run->title()));
}

/// The wish stays: when text or length changed, the comparison is opened again.
void MapsPage::closeOther() {
    session()->compute().cancelChannel(QStringLiteral("maps other"));
    session()->compute().cancelChannel(QStringLiteral("rows other"));
    endHover();
    m_secondView->clear();
    m_canvas->map(MapsCanvas::kDifference)->clearTiles();
    session()->compute().release(std::exchange(m_other.maps, nullptr));
    m_other = {};
    m_allHeads.reset();
    m_canvas->setComparing(false);
    m_compareButton->setText(tr("Compare with…"));
    forgetTexts();
}

void MapsPage::stopComparing() {
    m_wish.reset();
    closeOther();
    updateTitles();
    applyScale();
    showRows();
    showTexts();
}

MapTarget MapsPage::secondTarget() const {
    MapTarget target = firstTarget();
    if (!m_other.maps) {
        target.layer = m_other.beside.head.first;
        target.head = m_other.beside.head.second;
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

/// What is different about the second map comes first.
QString MapsPage::secondName() const {
    if (!m_other.maps) return runName();
    if (m_other.beside.text) return QString::fromStdString(m_other.info.text.title);
    const RunEntry* run = session()->findRun(m_other.beside.run.isEmpty() ? session()->mapsRun() : m_other.beside.run);
    if (!run) return {};
    const QString name = m_other.beside.run.isEmpty() ? tr("step %1 of %2, seed %3").arg(integerText(m_other.info.step), run->title()).arg(run->info.recipe.seed)
                                                      : tr("%1, seed %2, step %3").arg(run->title()).arg(run->info.recipe.seed).arg(integerText(m_other.info.step));
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

}  // namespace lw::ui
