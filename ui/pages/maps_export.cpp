/// Figures of the Maps page. Tiles are computed on the compute thread first, at the resolution of paper, then drawn.
#include "ui/forms/save_figure.h"
#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/atlas_plot.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <QCursor>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPushButton>

namespace lw::ui {

namespace {

constexpr std::int64_t kPaperCells = 1024;

lw::Result<std::vector<lw::MapTile>> partTiles(const MapTarget& target, lw::ScorePart part, const MapsPage::TileOrder& order, std::int64_t most, const lw::RunContext& context) {
    lw::TileRequest request;
    request.layer = target.layer;
    request.head = order.allHeads ? -1 : target.head;
    request.part = part;
    request.queries = order.queries;
    request.keys = order.keys;
    request.max_rows = request.max_columns = most;
    request.reducer = target.reducer;
    return target.session->tiles(request, context);
}

/// Several panels share the page: each needs fewer cells.
lw::Result<std::vector<lw::MapTile>> paperTiles(const MapsPage::TileOrder& order, const lw::RunContext& context) {
    std::vector<lw::MapTile> tiles;
    const bool many = order.allHeads || order.parts.size() > 1 || order.targets.size() > 1;
    for (const MapTarget& target : order.targets) {
        for (const lw::ScorePart part : order.parts.empty() ? std::vector{target.part} : order.parts) {
            auto some = partTiles(target, part, order, many ? kPaperCells / 2 : kPaperCells, context);
            if (!some.ok()) return some.error();
            for (lw::MapTile& tile : some.value()) tiles.push_back(std::move(tile));
        }
    }
    if (!order.difference) return tiles;
    const auto gap = difference(tiles.front(), tiles.back());
    if (!gap) return lw::Error{lw::ErrorKind::invalid_argument, "The two maps do not lie on the same cells, so they have no difference. Use texts of the same length."};
    if (!order.targetsToo) tiles.clear();
    tiles.push_back(*gap);
    return tiles;
}

}  // namespace

void MapsPage::exportFigure() { exportFrom(focusedPlace()); }

void MapsPage::exportFrom(MapsCanvas::Place place) {
    if (!canExport()) return;
    QMenu menu(this);
    addHeadsChoices(&menu, place);
    const auto add = [&](const QString& text, Figure figure) { menu.addAction(text, this, [this, figure, place] { exportAs(figure, place); }); };
    add(place == MapsCanvas::kDifference ? tr("This difference…") : tr("This map…"), Figure::thisMap);
    if (comparing()) add(tr("Both maps and their difference…"), Figure::comparison);
    if (place != MapsCanvas::kDifference) {
        add(tr("All parts of this head…"), Figure::partsOfHead);
        add(tr("All heads of this layer…"), Figure::headsOfLayer);
        menu.addSeparator();
        add(tr("The row of this head…"), Figure::rowOfHead);
        add(tr("The rows of all heads of this layer…"), Figure::rowsOfLayer);
    }
    menu.exec(m_exportButton->underMouse() ? m_exportButton->mapToGlobal(QPoint(0, m_exportButton->height())) : QCursor::pos());
}

MapTarget MapsPage::targetOf(MapsCanvas::Place place) const { return place == MapsCanvas::kSecond && comparing() ? secondTarget() : firstTarget(); }
QString MapsPage::nameOf(MapsCanvas::Place place) const { return place == MapsCanvas::kSecond && comparing() ? secondName() : runName(); }

MapsPage::TileOrder MapsPage::tileOrder(Figure figure, MapsCanvas::Place place) const {
    TileOrder order;
    const MapGeometry& seen = m_canvas->map()->geometryOfCells();
    order.queries = seen.visibleQueries();
    order.keys = seen.visibleKeys();
    order.difference = figure == Figure::comparison || (figure == Figure::thisMap && place == MapsCanvas::kDifference);
    order.targetsToo = figure == Figure::comparison;
    order.allHeads = figure == Figure::headsOfLayer;
    if (order.difference) order.targets = {firstTarget(), secondTarget()};
    else order.targets = {targetOf(place)};
    if (figure == Figure::partsOfHead) order.parts = infoOf(place)->parts;
    return order;
}

void MapsPage::setColours(FigureOptions& options, Figure figure) const {
    options.signed_colours = colourMapKey(m_signedMap);
    options.probability_colours = colourMapKey(m_probabilityMap);
    options.log_colour = m_logProbability;
    if (figure != Figure::thisMap && figure != Figure::comparison && figure != Figure::partsOfHead) return;  // other heads have other values
    const ColourScale& scale = m_canvas->map()->scale();
    const bool probability = m_part == lw::ScorePart::probability;
    (probability ? options.probability_low : options.low) = scale.low;
    (probability ? options.probability_high : options.high) = scale.high;
}

FigureOptions MapsPage::mapOptions(Figure figure, MapsCanvas::Place place) const {
    const MapTarget target = targetOf(place);
    const bool heads = figure == Figure::headsOfLayer, gap = figure == Figure::thisMap && place == MapsCanvas::kDifference;
    const QString head = QStringLiteral("layer%1-head%2").arg(target.layer).arg(target.head);
    const QString name = heads ? QStringLiteral("heads-layer%1").arg(target.layer) : figure == Figure::comparison ? QStringLiteral("comparison-") + head : gap ? QStringLiteral("difference-") + head : QStringLiteral("map-") + head;
    FigureOptions options = exportOptions(session()->settings(), name);
    options.height_mm = 0;
    options.state = stateJson(place);
    setColours(options, figure);
    const auto title = [&](MapsCanvas::Place which) { return tr("Layer %1, head %2 · %3").arg(targetOf(which).layer).arg(targetOf(which).head).arg(nameOf(which)); };
    options.title = (heads ? tr("Layer %1 · %2 · %3").arg(target.layer).arg(partText(target.part), nameOf(place)) : figure == Figure::comparison || gap ? partText(m_part) : title(place)).toStdString();
    if (figure == Figure::comparison) options.panel_titles = {title(MapsCanvas::kFirst).toStdString(), title(MapsCanvas::kSecond).toStdString()};
    if (figure == Figure::comparison || gap) options.panel_titles.push_back(tr("first − second").toStdString());
    if (figure == Figure::comparison) options.differences = {2};
    if (gap) options.differences = {0};
    if (figure == Figure::partsOfHead)
        for (const lw::ScorePart part : infoOf(place)->parts) options.panel_titles.push_back(partText(part).toStdString());
    if (figure == Figure::thisMap && !gap) options.panel_titles = {partText(target.part).toStdString()};
    for (std::int64_t h = 0; heads && h < infoOf(place)->heads; ++h) options.panel_titles.push_back(tr("head %1").arg(h).toStdString());
    return options;
}

void MapsPage::exportAs(Figure figure, MapsCanvas::Place place) {
    if (!canExport()) return;
    if (figure == Figure::atlas) return exportAtlas();
    if (figure == Figure::texts) return saveTexts();
    if (figure == Figure::rowOfHead || figure == Figure::rowsOfLayer) return exportRows(figure, place);
    session()->compute().run<std::vector<lw::MapTile>>(
        QStringLiteral("export"), [order = tileOrder(figure, place)](const lw::RunContext& context) { return paperTiles(order, context); }, this,
        [this, options = mapOptions(figure, place)](lw::Result<std::vector<lw::MapTile>> tiles) {
            if (!tiles.ok()) return session()->report(tiles.error(), tr("Exporting"));
            exportWith(options, [&](const FigureOptions& wanted) { return render_map_figure(tiles.value(), wanted); }, session(), this);
        },
        tr("Computing the figure"));
}

void MapsPage::exportRows(Figure figure, MapsCanvas::Place place) {
    const MapTarget target = targetOf(place);
    std::vector<lw::RowProfile> rows = place == MapsCanvas::kSecond && comparing() ? m_other.rows : m_rows;
    const bool all = figure == Figure::rowsOfLayer;
    if (!all) std::erase_if(rows, [&](const lw::RowProfile& row) { return row.head != target.head; });
    if (rows.empty()) return;
    const QString name = all ? QStringLiteral("rows-layer%1").arg(target.layer) : QStringLiteral("row-layer%1-head%2").arg(target.layer).arg(target.head);
    FigureOptions options = exportOptions(session()->settings(), name);
    options.height_mm = 0;
    options.train_length = infoOf(place)->train_length;
    options.probability_rows = target.part == lw::ScorePart::probability;
    options.title = tr("%1, query %2").arg(nameOf(place), integerText(rows.front().query)).toStdString();
    options.state = stateJson(place);
    exportWith(options, [&](const FigureOptions& wanted) { return render_rows_figure(rows, wanted); }, session(), this);
}

std::string MapsPage::stateJson(MapsCanvas::Place place) const {
    const auto describe = [this](MapsCanvas::Place which) {
        const lw::MapsInfo* info = infoOf(which);
        const bool otherRun = which == MapsCanvas::kSecond && !m_other.beside.run.isEmpty();
        const RunEntry* run = session()->findRun(otherRun ? m_other.beside.run : session()->mapsRun());
        if (!info || !run) return QJsonObject();
        const MapTarget target = targetOf(which);
        return QJsonObject{{QStringLiteral("run"), QString::fromStdString(run->info.id)},
                           {QStringLiteral("step"), static_cast<qint64>(info->step)},
                           {QStringLiteral("text"), QString::fromStdString(info->text.title)},
                           {QStringLiteral("length"), static_cast<qint64>(info->length)},
                           {QStringLiteral("layer"), static_cast<qint64>(target.layer)},
                           {QStringLiteral("head"), static_cast<qint64>(target.head)},
                           {QStringLiteral("part"), QLatin1String(lw::score_part_name(target.part))},
                           {QStringLiteral("recipe"), QJsonDocument::fromJson(QByteArray::fromStdString(lw::recipe_json(run->info.recipe))).object()}};
    };
    QJsonObject state = describe(place == MapsCanvas::kSecond ? place : MapsCanvas::kFirst);
    state[QStringLiteral("program")] = QStringLiteral("Lengthwise " LW_VERSION);
    state[QStringLiteral("figure")] = QStringLiteral("map");
    state[QStringLiteral("query")] = static_cast<qint64>(session()->effectiveQuery());
    state[QStringLiteral("reducer")] = QLatin1String(lw::reducer_name(m_reducer));
    if (comparing() && place != MapsCanvas::kSecond) state[QStringLiteral("compared_with")] = describe(MapsCanvas::kSecond);
    return QJsonDocument(state).toJson().toStdString();
}

bool MapsPage::canExport() const { return session()->mapsInfo() != nullptr && !m_canvas->map()->shownTile().values.empty(); }

MapsCanvas::Place MapsPage::focusedPlace() const {
    for (const MapsCanvas::Place place : {MapsCanvas::kSecond, MapsCanvas::kDifference})
        if (comparing() && m_canvas->map(place)->hasFocus()) return place;
    return MapsCanvas::kFirst;
}

void MapsPage::copyFigure() {
    if (!canExport()) return;
    if (m_heads->atlas()->plot()->hasFocus()) return copyAtlas();
    m_canvas->map(focusedPlace())->copyToClipboard();
    session()->notice(tr("Copied the map and its numbers."));
}

}  // namespace lw::ui
