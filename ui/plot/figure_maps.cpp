/// Figures of maps. See figures.h.
#include "ui/plot/figure_panels.h"
#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"
#include "ui/plot/qcp.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kBarWidth = 13;
constexpr int kBarGap = 28;  // between two bars below each other

QString tr(const char* text) { return QCoreApplication::translate("Figure", text); }

/// What may share a colour scale.
enum Kind { kScores, kProbabilities, kDifferences };

struct MapScale {
    ColourScale scale;
    ColourBarText text;
    bool used = false;
};
using MapScales = std::array<MapScale, 3>;

Kind kindOf(const lw::MapTile& tile, std::size_t index, const FigureOptions& options) {
    if (std::find(options.differences.begin(), options.differences.end(), index) != options.differences.end()) return kDifferences;
    return tile.part == lw::ScorePart::probability ? kProbabilities : kScores;
}

/// Limits given for all maps are meant for probability only where it stands alone.
void setLimits(ColourScale& scale, Kind kind, bool alone, const FigureOptions& options) {
    const bool probability = kind == kProbabilities;
    const auto chosen = colourMapOf(probability ? options.probability_colours : options.signed_colours);
    if (chosen && isDiverging(*chosen) != probability) scale.map = *chosen;
    if (kind == kDifferences) return;
    const auto low = probability && (options.probability_low || !alone) ? options.probability_low : options.low;
    const auto high = probability && (options.probability_high || !alone) ? options.probability_high : options.high;
    if (low) scale.low = *low;
    if (high) scale.high = *high;
}

MapScales makeScales(const std::vector<lw::MapTile>& tiles, const FigureOptions& options) {
    std::array<std::vector<ValueSpread>, 3> spreads;
    for (std::size_t i = 0; i < tiles.size(); ++i) spreads[kindOf(tiles[i], i, options)].push_back(valueSpread(tiles[i].values));
    MapScales scales;
    for (const Kind kind : {kScores, kProbabilities, kDifferences}) {
        MapScale& made = scales[kind];
        const lw::ScorePart part = kind == kProbabilities ? lw::ScorePart::probability : lw::ScorePart::bias;
        made.used = !spreads[kind].empty();
        made.scale = scaleFor(part, spreads[kind], options.log_colour);
        setLimits(made.scale, kind, spreads[kScores].empty(), options);
        made.text.unit = kind == kDifferences ? tr("difference") : partUnit(part);
        for (const ValueSpread& spread : spreads[kind]) {
            made.text.cutLow = made.text.cutLow || (!made.scale.logarithmic && spread.any && spread.low < made.scale.low);
            made.text.cutHigh = made.text.cutHigh || (spread.any && spread.high > made.scale.high);
        }
    }
    return scales;
}

QString tileTitle(const lw::MapTile& tile, std::size_t index, const FigureOptions& options) {
    if (index < options.panel_titles.size()) return QString::fromStdString(options.panel_titles[index]);
    return tr("Layer %1, head %2 · %3").arg(tile.layer).arg(tile.head).arg(partText(tile.part));
}

MapGeometry tileGeometry(const lw::MapTile& tile, const QRectF& area) {
    MapGeometry geometry;
    geometry.area = area;
    geometry.queries = tile.queries.end;
    geometry.keys = tile.keys.end;
    geometry.window = {static_cast<double>(tile.queries.begin), static_cast<double>(tile.queries.end), static_cast<double>(tile.keys.begin), static_cast<double>(tile.keys.end)};
    return geometry;
}

struct MapFigure {
    const std::vector<lw::MapTile>& tiles;
    const FigureOptions& options;
    PlotTheme theme;
    MapScales scales;
    PanelGrid grid;
    double width = 0;
    QSize size;
};

MapFigure layOut(const std::vector<lw::MapTile>& tiles, const FigureOptions& options) {
    MapFigure page{tiles, options, PlotTheme::forExport(options.dark), makeScales(tiles, options), makeGrid(tiles.size(), options.columns), options.width_mm * kUnitsPerMillimetre, {}};
    const QFontMetricsF metrics(page.theme.caption);
    PanelGrid& grid = page.grid;
    grid.left = kFigureMargin + metrics.horizontalAdvance(integerText(tiles.front().queries.end)) + 10 + metrics.height();
    grid.top = headingHeight(options, page.theme);
    grid.titleHeight = metrics.height() + 5;
    grid.gap = 8;
    int numbers = 0;
    for (const MapScale& scale : page.scales)
        if (scale.used) numbers = std::max(numbers, colourBarTextWidth(scale.scale, page.theme));
    const double bar = kBarWidth + 12 + numbers;
    const double below = 2 * metrics.height() + 8 + metrics.height() + kFigureMargin;  // key numbers, key title, caption
    grid.width = std::max(20.0, (page.width - grid.left - bar - kFigureMargin - (grid.columns - 1) * kPanelGap) / grid.columns);
    grid.height = grid.width * static_cast<double>(tiles.front().queries.size()) / static_cast<double>(std::max<std::int64_t>(1, tiles.front().keys.size()));
    grid.height = std::clamp(grid.height, 20.0, 3 * grid.width);
    const double shape = grid.height / grid.width;
    fitHeight(grid, options, below);
    // Where the height asked for is less than the width would take, the page is narrower too: cells keep their shape.
    if (grid.height < shape * grid.width) {
        grid.width = std::max(20.0, grid.height / shape);
        const double words = std::max(QFontMetricsF(page.theme.title).horizontalAdvance(QString::fromStdString(options.title)), metrics.horizontalAdvance(tileCaption(tiles.front())));
        page.width = std::min(page.width, std::max(2 * kFigureMargin + words, grid.left + grid.totalWidth() + bar + kFigureMargin));
    }
    page.size = QSize(static_cast<int>(std::lround(page.width)), static_cast<int>(std::lround(grid.top + grid.totalHeight() + below)));
    return page;
}

void drawTile(QPainter& painter, const MapFigure& page, std::size_t i) {
    const lw::MapTile& tile = page.tiles[i];
    const PanelGrid& grid = page.grid;
    const MapGeometry geometry = tileGeometry(tile, grid.panel(i));
    const ColourScale& scale = page.scales[kindOf(tile, i, page.options)].scale;
    const QRectF title(geometry.area.left(), geometry.area.top() - grid.titleHeight, grid.width + kPanelGap, grid.titleHeight);
    drawText(painter, title, Qt::AlignLeft | Qt::AlignTop, page.theme.caption, page.theme.text, tileTitle(tile, i, page.options));
    painter.fillRect(geometry.area, page.theme.masked);
    paintCells(painter, geometry, mapLayer(tile, sharpCells(colourImage(tile.values, tile.rows, tile.columns, scale, page.theme.masked.rgb()))));
    MapAxes axes;
    axes.queryNumbers = static_cast<int>(i) % grid.columns == 0;
    axes.keyNumbers = i + static_cast<std::size_t>(grid.columns) >= page.tiles.size();
    if (axes.queryNumbers) axes.queryTitle = tr("query position i");
    axes.keepInside = grid.columns > 1;
    paintMapAxes(painter, geometry, page.theme, axes);
}

void drawBars(QPainter& painter, const MapFigure& page, const QRectF& room) {
    const auto used = std::count_if(page.scales.begin(), page.scales.end(), [](const MapScale& scale) { return scale.used; });
    const double height = (room.height() - static_cast<double>(used - 1) * kBarGap) / static_cast<double>(std::max<std::ptrdiff_t>(1, used));
    double top = room.top();
    for (const MapScale& scale : page.scales) {
        if (!scale.used) continue;
        paintColourBar(painter, QRectF(room.left(), top, kBarWidth, height), scale.scale, page.theme, scale.text);
        top += height + kBarGap;
    }
}

std::string nameOf(const lw::MapTile& tile, std::size_t index, const FigureOptions& options) {
    const std::string name = headArrayName(tile.layer, tile.head, lw::score_part_name(tile.part));
    return kindOf(tile, index, options) == kDifferences ? name + "_difference" : name;
}

/// First cell of each row or column, so that the numbers can be placed without the program.
lw::NamedArray firstCells(const std::string& name, const lw::CellRange& range, std::int64_t count, double cells) {
    lw::NamedArray array{name, {count}, {}};
    for (std::int64_t k = 0; k < count; ++k) array.values.push_back(static_cast<float>(range.begin) + std::floor(static_cast<float>(static_cast<double>(k) * cells)));
    return array;
}

std::vector<lw::NamedArray> tileArrays(const std::vector<lw::MapTile>& tiles, const std::vector<std::string>& names) {
    std::vector<lw::NamedArray> arrays;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const lw::MapTile& tile = tiles[i];
        arrays.push_back({names[i], {tile.rows, tile.columns}, tile.values});
        arrays.push_back(firstCells(names[i] + "_queries", tile.queries, tile.rows, tile.cells_per_row));
        arrays.push_back(firstCells(names[i] + "_keys", tile.keys, tile.columns, tile.cells_per_column));
        arrays.push_back({names[i] + "_cells_per_row_and_column", {2}, {static_cast<float>(tile.cells_per_row), static_cast<float>(tile.cells_per_column)}});
    }
    return arrays;
}

/// Two maps in comparison may be of one head and part: a number tells them apart.
std::vector<std::string> tileNames(const std::vector<lw::MapTile>& tiles, const FigureOptions& options) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const std::string first = nameOf(tiles[i], i, options);
        std::string name = first;
        for (int again = 2; std::find(names.begin(), names.end(), name) != names.end(); ++again) name = first + "_" + std::to_string(again);
        names.push_back(name);
    }
    return names;
}

/// A table for each map: "maps.csv" of one, "maps-layer2_head4_bias.csv" of several. Errors: as check_replaced().
lw::Result<std::vector<std::filesystem::path>> tableFiles(const std::vector<std::string>& names, const FigureOptions& options) {
    std::vector<std::filesystem::path> files;
    for (std::size_t i = 0; i < names.size() && options.csv; ++i) {
        const std::string stem = options.path.stem().string() + (names.size() > 1 ? "-" + names[i] : "");
        files.push_back(options.path.parent_path() / (stem + ".csv"));
        if (const auto checked = check_replaced(files.back(), options.path); !checked.ok()) return checked.error();
    }
    return files;
}

}  // namespace

FigureResult render_map_figure(const std::vector<lw::MapTile>& tiles, const FigureOptions& options) {
    FigureOptions unnamed = options;
    unnamed.csv = false;  // the tables of several maps have names of their own, which tableFiles() checks
    if (const auto checked = check_figure(unnamed); !checked.ok()) return checked.error();
    if (tiles.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There is no map to draw."};
    const std::vector<std::string> names = tileNames(tiles, options);
    const auto tables = tableFiles(names, options);
    if (!tables.ok()) return tables.error();
    const MapFigure page = layOut(tiles, options);
    const PanelGrid& grid = page.grid;
    const auto written = write_figure(options, page.size, [&](QCPPainter& painter) {
        const double line = QFontMetricsF(page.theme.caption).height();
        painter.fillRect(QRect(QPoint(0, 0), page.size), page.theme.background);
        drawHeading(painter, options, page.theme, page.width);
        for (std::size_t i = 0; i < tiles.size(); ++i) drawTile(painter, page, i);
        drawKeyTitle(painter, grid, page.theme, grid.top + grid.totalHeight() + 3 + line, tr("key position j"));
        drawBars(painter, page, QRectF(grid.left + grid.totalWidth() + 12, grid.top + grid.titleHeight, kBarWidth, grid.totalHeight() - grid.titleHeight));
        const QRectF caption(kFigureMargin, page.size.height() - kFigureMargin - line, page.width - 2 * kFigureMargin, line + 2);
        drawText(painter, caption, Qt::AlignLeft | Qt::AlignTop, page.theme.caption, page.theme.secondary, tileCaption(tiles.front()));
    });
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    for (std::size_t i = 0; i < tables.value().size(); ++i) {
        files.push_back(tables.value()[i]);
        if (const auto saved = lw::write_text_file(files.back(), lw::tile_csv(tiles[i])); !saved.ok()) return saved.error();
    }
    if (const auto saved = saveArrays(tileArrays(tiles, names), options, files); !saved.ok()) return saved.error();
    return files;
}

}  // namespace lw::ui
