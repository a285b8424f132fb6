/// Figures of the Maps page. Tiles are computed on the compute thread first, at the resolution of paper, then drawn.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/export_dialog.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPushButton>

namespace lw::ui {

namespace {

constexpr std::int64_t kPaperCells = 1024;

lw::Result<std::vector<lw::MapTile>> paperTiles(const MapTarget& target, const std::vector<lw::ScorePart>& parts, const std::pair<lw::CellRange, lw::CellRange>& cells, bool allHeads, const lw::RunContext& context) {
    std::vector<lw::MapTile> tiles;
    for (const lw::ScorePart part : parts) {
        lw::TileRequest request;
        request.layer = target.layer;
        request.head = allHeads ? -1 : target.head;
        request.part = part;
        request.queries = cells.first;
        request.keys = cells.second;
        request.max_rows = request.max_columns = allHeads || parts.size() > 1 ? kPaperCells / 2 : kPaperCells;
        request.reducer = target.reducer;
        auto some = target.session->tiles(request, context);
        if (!some.ok()) return some.error();
        for (lw::MapTile& tile : some.value()) tiles.push_back(std::move(tile));
    }
    return tiles;
}

}  // namespace

void MapsPage::exportFigure() {
    if (!canExport()) return;
    QMenu menu(this);
    const auto add = [&](const QString& text, Figure figure) { menu.addAction(text, this, [this, figure] { exportAs(figure); }); };
    add(tr("This map…"), Figure::thisMap);
    add(tr("All parts of this head…"), Figure::partsOfHead);
    add(tr("All heads of this layer…"), Figure::headsOfLayer);
    menu.addSeparator();
    add(tr("The row of this head…"), Figure::rowOfHead);
    add(tr("The rows of all heads of this layer…"), Figure::rowsOfLayer);
    menu.exec(m_exportButton->mapToGlobal(QPoint(0, m_exportButton->height())));
}

void MapsPage::exportAs(Figure figure) {
    if (!canExport()) return;
    const MapTarget target = firstTarget();
    const QString head = QStringLiteral("layer%1-head%2").arg(target.layer).arg(target.head);
    if (figure == Figure::rowOfHead || figure == Figure::rowsOfLayer) {
        const lw::RowProfile* row = rowOf(target.head);
        if (!row) return;
        const bool all = figure == Figure::rowsOfLayer;
        const QString name = (all ? QStringLiteral("rows-layer%1").arg(target.layer) : QStringLiteral("row-") + head);
        return runExport({}, all ? m_rows : std::vector<lw::RowProfile>{*row}, name, figureOptions(name));
    }
    std::vector<lw::ScorePart> parts{m_part};
    if (figure == Figure::partsOfHead) parts = session()->mapsInfo()->parts;
    const bool allHeads = figure == Figure::headsOfLayer;
    const MapGeometry& seen = m_canvas->map()->geometryOfCells();
    const QString name = allHeads ? QStringLiteral("heads-layer%1").arg(target.layer) : QStringLiteral("map-") + head;
    FigureOptions options = figureOptions(name);
    options.title = allHeads ? tr("Layer %1 · %2").arg(target.layer).arg(partText(m_part)).toStdString() : tr("Layer %1, head %2").arg(target.layer).arg(target.head).toStdString();
    if (figure == Figure::thisMap && m_part != lw::ScorePart::probability) {
        options.low = m_canvas->map()->scale().low;
        options.high = m_canvas->map()->scale().high;
    }
    for (const lw::ScorePart part : parts)
        if (!allHeads) options.panel_titles.push_back(partText(part).toStdString());
    for (std::int64_t h = 0; allHeads && h < session()->mapsInfo()->heads; ++h) options.panel_titles.push_back(tr("head %1").arg(h).toStdString());
    session()->compute().run<std::vector<lw::MapTile>>(
        QStringLiteral("export"),
        [target, parts, cells = std::pair{seen.visibleQueries(), seen.visibleKeys()}, allHeads](const lw::RunContext& context) { return paperTiles(target, parts, cells, allHeads, context); }, this,
        [this, name, options](lw::Result<std::vector<lw::MapTile>> tiles) {
            if (tiles.ok()) return runExport(tiles.value(), {}, name, options);
            if (tiles.error().kind != lw::ErrorKind::cancelled) session()->report(tiles.error(), tr("Exporting"));
        },
        tr("Computing the figure"));
}

FigureOptions MapsPage::figureOptions(const QString& name) const {
    FigureOptions options;
    const QString folder = session()->settings().value(QStringLiteral("export/folder"), QDir::homePath()).toString();
    options.path = QDir(folder).filePath(name + QStringLiteral(".pdf")).toStdString();
    options.height_mm = 0;
    options.log_colour = m_logProbability;
    options.train_length = session()->mapsInfo() ? session()->mapsInfo()->train_length : 0;
    options.state = stateJson();
    return options;
}

std::string MapsPage::stateJson() const {
    const lw::MapsInfo* info = session()->mapsInfo();
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!info || !run) return {};
    const MapTarget target = firstTarget();
    const QJsonObject state{{QStringLiteral("program"), QStringLiteral("Lengthwise " LW_VERSION)},
                            {QStringLiteral("figure"), QStringLiteral("map")},
                            {QStringLiteral("run"), QString::fromStdString(run->info.id)},
                            {QStringLiteral("step"), static_cast<qint64>(info->step)},
                            {QStringLiteral("text"), QString::fromStdString(info->text.title)},
                            {QStringLiteral("length"), static_cast<qint64>(info->length)},
                            {QStringLiteral("layer"), static_cast<qint64>(target.layer)},
                            {QStringLiteral("head"), static_cast<qint64>(target.head)},
                            {QStringLiteral("part"), QLatin1String(lw::score_part_name(target.part))},
                            {QStringLiteral("query"), static_cast<qint64>(session()->effectiveQuery())},
                            {QStringLiteral("reducer"), QLatin1String(lw::reducer_name(target.reducer))},
                            {QStringLiteral("recipe"), QJsonDocument::fromJson(QByteArray::fromStdString(lw::recipe_json(run->info.recipe))).object()}};
    return QJsonDocument(state).toJson().toStdString();
}

void MapsPage::runExport(const std::vector<lw::MapTile>& tiles, const std::vector<lw::RowProfile>& rows, const QString& name, const FigureOptions& start) {
    ExportDialog dialog(start, [&](const FigureOptions& options) { return tiles.empty() ? render_rows_figure(rows, options) : render_map_figure(tiles, options); }, this);
    dialog.setWindowTitle(tr("Export %1").arg(name));
    if (dialog.exec() != QDialog::Accepted) return;
    const QFileInfo info(QString::fromStdString(dialog.options().path.string()));
    session()->settings().setValue(QStringLiteral("export/folder"), info.absolutePath());
    session()->notice(tr("Saved %1 with its numbers.").arg(info.fileName()));
}

}  // namespace lw::ui
