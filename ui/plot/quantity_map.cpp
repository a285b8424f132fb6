/// See quantity_map.h.
#include "ui/plot/quantity_map.h"

#include "ui/plot/figure_panels.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"
#include "ui/plot/qcp.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kBarWidth = 13;
constexpr int kBarGap = 12;
constexpr double kUsualShape = 0.62;  // height over width of a map whose cells are not square

struct Page {
    PlotTheme theme;
    PanelGrid grid;
    double width = 0;
    QSize size;
};

Page layOut(const QuantityMap& map, const FigureOptions& options) {
    Page page{PlotTheme::forExport(options.dark), makeGrid(1, 1), options.width_mm * kUnitsPerMillimetre, {}};
    const QFontMetricsF metrics(page.theme.caption);
    PanelGrid& grid = page.grid;
    grid.left = kFigureMargin + metrics.horizontalAdvance(integerText(map.tile.queries.end)) + 10 + metrics.height();
    grid.top = headingHeight(options, page.theme);
    grid.width = std::max(20.0, page.width - grid.left - kBarWidth - kBarGap - colourBarTextWidth(map.scale, page.theme) - kFigureMargin);
    const double shape = map.squareCells ? static_cast<double>(map.tile.queries.size()) / static_cast<double>(std::max<std::int64_t>(1, map.tile.keys.size())) : kUsualShape;
    grid.height = std::clamp(grid.width * shape, 20.0, 3 * grid.width);
    const double below = 3 * metrics.height() + 8 + kFigureMargin;  // key numbers, key title, caption
    fitHeight(grid, options, below);
    page.size = QSize(static_cast<int>(std::lround(page.width)), static_cast<int>(std::lround(grid.top + grid.totalHeight() + below)));
    return page;
}

ColourBarText barText(const QuantityMap& map) {
    const ValueSpread spread = valueSpread(map.tile.values);
    return {map.unit, spread.any && !map.scale.logarithmic && spread.low < map.scale.low - 1e-9, spread.any && spread.high > map.scale.high + 1e-9};
}

void drawMap(QPainter& painter, const QuantityMap& map, const Page& page) {
    MapGeometry geometry;
    geometry.area = page.grid.panel(0);
    geometry.queries = map.tile.queries.end;
    geometry.keys = map.tile.keys.end;
    geometry.fit();
    const QImage cells = colourImage(map.tile.values, map.tile.rows, map.tile.columns, map.scale, page.theme.masked.rgb());
    painter.fillRect(geometry.area, page.theme.masked);
    paintCells(painter, geometry, mapLayer(map.tile, sharpCells(cells)));
    paintMapAxes(painter, geometry, page.theme, {true, true, map.rowTitle, map.columnTitle, false});
    const QRectF bar(geometry.area.right() + kBarGap, geometry.area.top(), kBarWidth, geometry.area.height());
    paintColourBar(painter, bar, map.scale, page.theme, barText(map));
}

lw::NamedArray places(const std::string& name, const std::vector<std::int64_t>& values) {
    lw::NamedArray array{name, {static_cast<std::int64_t>(values.size())}, {}};
    for (const std::int64_t value : values) array.values.push_back(static_cast<float>(value));
    return array;
}

FigureResult withNumbers(const QuantityMap& map, const FigureOptions& options) {
    std::vector<std::filesystem::path> files{options.path};
    if (options.csv) {
        files.push_back(beside(options.path, "csv"));
        if (const auto saved = lw::write_text_file(files.back(), quantityCsv(map)); !saved.ok()) return saved.error();
    }
    const std::vector<lw::NamedArray> arrays{
        {map.name, {map.tile.rows, map.tile.columns}, map.tile.values}, places(map.name + "_rows", map.rows), places(map.name + "_columns", map.columns)};
    if (const auto saved = saveArrays(arrays, options, files); !saved.ok()) return saved.error();
    return files;
}

}  // namespace

MapCell sampleOf(const QuantityMap& map, MapCell cell) {
    const auto index = [](std::int64_t place, double cells, std::int64_t count) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(place) / cells), 0, count - 1);
    };
    return {index(cell.query, map.tile.cells_per_row, map.tile.rows), index(cell.key, map.tile.cells_per_column, map.tile.columns)};
}

std::string quantityCsv(const QuantityMap& map) {
    QString text = QStringLiteral("# %1, %2; rows: %3; columns: %4; nan = nothing there\n").arg(QString::fromStdString(map.name), map.unit, map.rowTitle, map.columnTitle);
    text += QStringLiteral("row");
    for (const std::int64_t column : map.columns) text += QStringLiteral(",%1").arg(column);
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
        text += QStringLiteral("\n%1").arg(map.rows[r]);
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
            const float value = map.tile.values[r * map.columns.size() + c];
            text += QLatin1Char(',') + (std::isnan(value) ? QStringLiteral("nan") : QString::number(value, 'g', 7));
        }
    }
    return text.toStdString() + "\n";
}

void showQuantity(HeatMap& widget, const QuantityMap& map) {
    widget.setSquareCells(map.squareCells);
    widget.setAxisTitles(map.rowTitle, map.columnTitle);
    widget.setUnit(map.unit);
    widget.setScale(map.scale);
    widget.setCells(map.tile.queries.size(), map.tile.keys.size());
    widget.setOverview(map.tile);
}

FigureResult render_quantity_figure(const QuantityMap& map, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    if (map.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There is no map to draw."};
    const Page page = layOut(map, options);
    const auto written = write_figure(options, page.size, [&](QCPPainter& painter) {
        const double line = QFontMetricsF(page.theme.caption).height();
        painter.fillRect(QRect(QPoint(0, 0), page.size), page.theme.background);
        drawHeading(painter, options, page.theme, page.width);
        drawMap(painter, map, page);
        const QRectF caption(kFigureMargin, page.size.height() - kFigureMargin - line, page.width - 2 * kFigureMargin, line + 2);
        drawText(painter, caption, Qt::AlignLeft | Qt::AlignTop, page.theme.caption, page.theme.secondary, tileCaption(map.tile));
    });
    if (!written.ok()) return written.error();
    return withNumbers(map, options);
}

}  // namespace lw::ui
