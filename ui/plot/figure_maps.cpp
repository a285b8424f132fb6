/// Figures of maps and rows. See figures.h.
#include "core/api/export.h"
#include "ui/plot/axis_ticks.h"
#include "ui/plot/figure_file.h"
#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_painter.h"
#include "ui/plot/qcp.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kMargin = 12;
constexpr int kGap = 14;

QString tr(const char* text) { return QCoreApplication::translate("Figure", text); }

/// Panels in rows and columns, each of one size, with room for numbers at the left and below.
struct PanelGrid {
    int columns = 1, rows = 1;
    double width = 0, height = 0;      ///< of one panel's axes
    double left = 0, top = 0, titleHeight = 0, gap = 0;
    [[nodiscard]] QRectF panel(std::size_t index) const {
        const int row = static_cast<int>(index) / columns, column = static_cast<int>(index) % columns;
        return {left + column * (width + kGap), top + row * (height + titleHeight + gap) + titleHeight, width, height};
    }
};

int chosenColumns(std::size_t panels, std::int64_t asked) {
    if (asked > 0) return static_cast<int>(std::min<std::int64_t>(asked, static_cast<std::int64_t>(panels)));
    if (panels <= 3) return static_cast<int>(panels);
    return panels == 4 ? 2 : panels <= 6 ? 3 : panels <= 8 ? 4 : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(panels))));
}

bool isProbability(const lw::MapTile& tile) { return tile.part == lw::ScorePart::probability; }

struct MapScales {
    ColourScale scoreScale, probabilityScale;
    ColourBarText scoreText, probabilityText;
    bool scores = false, probabilities = false;
    [[nodiscard]] const ColourScale& of(const lw::MapTile& tile) const { return isProbability(tile) ? probabilityScale : scoreScale; }
};

MapScales makeScales(const std::vector<lw::MapTile>& tiles, const FigureOptions& options) {
    MapScales scales;
    std::vector<ValueSpread> scores, probabilities;
    for (const lw::MapTile& tile : tiles) (isProbability(tile) ? probabilities : scores).push_back(valueSpread(tile.values));
    scales.scores = !scores.empty();
    scales.probabilities = !probabilities.empty();
    const auto make = [&](lw::ScorePart part, const std::vector<ValueSpread>& spreads, ColourBarText& text) {
        ColourScale scale = scaleFor(part, spreads, options.log_colour);
        if (options.low) scale.low = *options.low;
        if (options.high) scale.high = *options.high;
        text.unit = partUnit(part);
        for (const ValueSpread& spread : spreads) {
            text.cutLow = text.cutLow || (!scale.logarithmic && spread.any && spread.low < scale.low);
            text.cutHigh = text.cutHigh || (spread.any && spread.high > scale.high);
        }
        return scale;
    };
    scales.scoreScale = make(lw::ScorePart::bias, scores, scales.scoreText);
    scales.probabilityScale = make(lw::ScorePart::probability, probabilities, scales.probabilityText);
    return scales;
}

QString tileTitle(const lw::MapTile& tile, std::size_t index, const FigureOptions& options) {
    if (index < options.panel_titles.size()) return QString::fromStdString(options.panel_titles[index]);
    return tr("Layer %1, head %2 · %3").arg(tile.layer).arg(tile.head).arg(partText(tile.part));
}

void drawText(QPainter& painter, const QRectF& at, Qt::Alignment align, const QFont& font, const QColor& colour, const QString& text) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(at, static_cast<int>(align), text);
}

/// Viewers that smooth images smooth between the copies of one cell, where nothing changes.
QImage sharp(const QImage& image) {
    const int factor = 1024 / std::max({image.width(), image.height(), 1});
    return factor > 1 ? image.scaled(image.width() * factor, image.height() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation) : image;
}

/// Once for all columns: panels may be narrower than the words.
void drawKeyTitle(QPainter& painter, const PanelGrid& grid, const PlotTheme& theme, double y, const QString& title) {
    drawText(painter, QRectF(grid.left, y, grid.columns * (grid.width + kGap) - kGap, 20), Qt::AlignHCenter | Qt::AlignTop, theme.caption, theme.secondary, title);
}

double headingHeight(const FigureOptions& options, const PlotTheme& theme) {
    return options.title.empty() ? kMargin : kMargin + QFontMetricsF(theme.title).height() + 8;
}

void drawHeading(QPainter& painter, const FigureOptions& options, const PlotTheme& theme, double width) {
    if (!options.title.empty()) drawText(painter, QRectF(kMargin, kMargin - 2, width, 30), Qt::AlignLeft | Qt::AlignTop, theme.title, theme.text, QString::fromStdString(options.title));
}

lw::Status save(const std::vector<lw::NamedArray>& arrays, const FigureOptions& options, std::vector<std::filesystem::path>& files) {
    if (!options.npz) return lw::Nothing{};
    files.push_back(beside(options.path, "npz"));
    return lw::write_npz(files.back(), arrays);
}

std::string arrayName(std::int64_t layer, std::int64_t head, const std::string& what) {
    std::string name = "layer" + std::to_string(layer) + "_head" + std::to_string(head) + "_" + what;
    std::replace(name.begin(), name.end(), '+', '_');
    return name;
}

void drawTile(QPainter& painter, const lw::MapTile& tile, const MapGeometry& geometry, const MapScales& scales, const PlotTheme& theme) {
    painter.fillRect(geometry.area, theme.masked);
    paintCells(painter, geometry, {sharp(colourImage(tile.values, tile.rows, tile.columns, scales.of(tile), theme.masked.rgb())), tile.queries, tile.keys});
}

MapGeometry tileGeometry(const lw::MapTile& tile, const QRectF& area) {
    MapGeometry geometry;
    geometry.area = area;
    geometry.queries = tile.queries.end;
    geometry.keys = tile.keys.end;
    geometry.window = {static_cast<double>(tile.queries.begin), static_cast<double>(tile.queries.end), static_cast<double>(tile.keys.begin), static_cast<double>(tile.keys.end)};
    return geometry;
}

void drawBars(QPainter& painter, const MapScales& scales, const PlotTheme& theme, const QRectF& room) {
    const bool both = scales.scores && scales.probabilities;
    const double height = both ? (room.height() - 28) / 2 : room.height();
    if (scales.scores) paintColourBar(painter, QRectF(room.left(), room.top(), 13, height), scales.scoreScale, theme, scales.scoreText);
    if (scales.probabilities) paintColourBar(painter, QRectF(room.left(), room.bottom() - height, 13, height), scales.probabilityScale, theme, scales.probabilityText);
}

struct RowRange {
    double low = 0, high = 0;
};

RowRange valueRange(const std::vector<std::vector<ProfileLine>>& panels) {
    RowRange range{HUGE_VAL, -HUGE_VAL};
    for (const auto& lines : panels)
        for (const ProfileLine& line : lines)
            for (const float value : line.values)
                if (std::isfinite(value)) range = {std::min<double>(range.low, value), std::max<double>(range.high, value)};
    if (!(range.low < range.high)) return {range.low - 1, range.low + 1};
    const double pad = 0.05 * (range.high - range.low);
    return {range.low - pad, range.high + pad};
}

void drawRowLegend(QPainter& painter, const std::vector<ProfileLine>& lines, const PlotTheme& theme, double y, std::int64_t trainLength) {
    double x = kMargin;
    for (const ProfileLine& line : lines) {
        drawText(painter, QRectF(x, y, 300, 20), Qt::AlignLeft | Qt::AlignTop, theme.caption, line.colour, line.label);
        x += QFontMetricsF(theme.caption).horizontalAdvance(line.label) + 16;
    }
    if (trainLength > 0) drawText(painter, QRectF(x, y, 300, 20), Qt::AlignLeft | Qt::AlignTop, theme.caption, theme.secondary, tr("dashed: distance = L"));
}

std::vector<lw::NamedArray> rowArrays(const std::vector<lw::RowProfile>& rows) {
    std::vector<lw::NamedArray> arrays;
    for (const lw::RowProfile& row : rows) {
        const auto add = [&](const char* what, const std::vector<float>& values) {
            if (!values.empty()) arrays.push_back({arrayName(row.layer, row.head, what), {static_cast<std::int64_t>(values.size())}, values});
        };
        add("content", row.content);
        add("bias", row.bias);
        add("adaptive", row.adaptive);
        add("logit", row.logit);
        add("probability", row.probability);
    }
    return arrays;
}

}  // namespace

FigureResult render_map_figure(const std::vector<lw::MapTile>& tiles, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    if (tiles.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There is no map to draw."};
    const PlotTheme theme = PlotTheme::forExport(options.dark);
    const MapScales scales = makeScales(tiles, options);
    const QFontMetricsF metrics(theme.caption);
    PanelGrid grid;
    grid.columns = chosenColumns(tiles.size(), options.columns);
    grid.rows = static_cast<int>((tiles.size() + static_cast<std::size_t>(grid.columns) - 1) / static_cast<std::size_t>(grid.columns));
    grid.left = kMargin + metrics.horizontalAdvance(integerText(tiles.front().queries.end)) + 10 + metrics.height();
    grid.top = headingHeight(options, theme);
    grid.titleHeight = metrics.height() + 5;
    grid.gap = 8;
    const double bar = 13 + 12 + std::max(scales.scores ? colourBarTextWidth(scales.scoreScale, theme) : 0, scales.probabilities ? colourBarTextWidth(scales.probabilityScale, theme) : 0);
    const double pageWidth = options.width_mm * kUnitsPerMillimetre;
    const double below = 2 * metrics.height() + 8 + metrics.height() + kMargin;  // key numbers, key title, caption
    grid.width = std::max(20.0, (pageWidth - grid.left - bar - kMargin - (grid.columns - 1) * kGap) / grid.columns);
    grid.height = grid.width * static_cast<double>(tiles.front().queries.size()) / static_cast<double>(std::max<std::int64_t>(1, tiles.front().keys.size()));
    grid.height = std::clamp(grid.height, 20.0, 3 * grid.width);
    if (options.height_mm > 0) grid.height = std::max(20.0, (options.height_mm * kUnitsPerMillimetre - grid.top - below - grid.rows * grid.titleHeight - (grid.rows - 1) * grid.gap) / grid.rows);
    const double mapHeight = grid.rows * (grid.height + grid.titleHeight) + (grid.rows - 1) * grid.gap;
    const QSize page(static_cast<int>(std::lround(pageWidth)), static_cast<int>(std::lround(grid.top + mapHeight + below)));
    const auto draw = [&](QCPPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), page), theme.background);
        drawHeading(painter, options, theme, pageWidth);
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const MapGeometry geometry = tileGeometry(tiles[i], grid.panel(i));
            drawText(painter, QRectF(geometry.area.left(), geometry.area.top() - grid.titleHeight, grid.width + kGap, grid.titleHeight), Qt::AlignLeft | Qt::AlignTop, theme.caption, theme.text, tileTitle(tiles[i], i, options));
            drawTile(painter, tiles[i], geometry, scales, theme);
            MapAxes axes;
            axes.queryNumbers = static_cast<int>(i) % grid.columns == 0;
            axes.keyNumbers = i + static_cast<std::size_t>(grid.columns) >= tiles.size();
            if (axes.queryNumbers) axes.queryTitle = tr("query position i");
            axes.keepInside = grid.columns > 1;
            paintMapAxes(painter, geometry, theme, axes);
        }
        drawKeyTitle(painter, grid, theme, grid.top + mapHeight + 3 + metrics.height(), tr("key position j"));
        const double barLeft = grid.left + grid.columns * (grid.width + kGap) - kGap + 12;
        drawBars(painter, scales, theme, QRectF(barLeft, grid.top + grid.titleHeight, 13, mapHeight - grid.titleHeight));
        drawText(painter, QRectF(kMargin, page.height() - kMargin - metrics.height(), pageWidth - 2 * kMargin, metrics.height() + 2), Qt::AlignLeft | Qt::AlignTop, theme.caption, theme.secondary, tileCaption(tiles.front()));
    };
    const auto written = write_figure(options, page, draw);
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    std::vector<lw::NamedArray> arrays;
    for (const lw::MapTile& tile : tiles) {
        const std::string name = arrayName(tile.layer, tile.head, lw::score_part_name(tile.part));
        arrays.push_back({name, {tile.rows, tile.columns}, tile.values});
        if (!options.csv) continue;
        const std::string stem = options.path.stem().string() + (tiles.size() > 1 ? "-" + name : "");
        files.push_back(options.path.parent_path() / (stem + ".csv"));
        if (const auto saved = lw::write_text_file(files.back(), lw::tile_csv(tile)); !saved.ok()) return saved.error();
    }
    if (const auto saved = save(arrays, options, files); !saved.ok()) return saved.error();
    return files;
}

FigureResult render_rows_figure(const std::vector<lw::RowProfile>& rows, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    if (rows.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There is no row to draw."};
    const PlotTheme theme = PlotTheme::forExport(options.dark);
    const QFontMetricsF metrics(theme.caption);
    std::vector<std::vector<ProfileLine>> lines;
    for (const lw::RowProfile& row : rows) lines.push_back(profileLines(row, lw::ScorePart::bias_adaptive, theme));
    RowRange range = valueRange(lines);
    range = {options.low.value_or(range.low), options.high.value_or(range.high)};
    const bool single = rows.size() == 1;
    PanelGrid grid;
    grid.columns = chosenColumns(rows.size(), options.columns);
    grid.rows = static_cast<int>((rows.size() + static_cast<std::size_t>(grid.columns) - 1) / static_cast<std::size_t>(grid.columns));
    grid.left = kMargin + metrics.horizontalAdvance(QStringLiteral("−00.0")) + 8;
    grid.top = headingHeight(options, theme) + (single ? 0 : metrics.height() + 6);
    grid.titleHeight = metrics.height() + 4;
    grid.gap = 10;
    const double right = single ? profileLabelWidth(theme, lines.front()) + kMargin : kMargin;
    const double below = 2 * metrics.height() + 6 + kMargin;
    const double pageWidth = options.width_mm * kUnitsPerMillimetre;
    grid.width = std::max(20.0, (pageWidth - grid.left - right - (grid.columns - 1) * kGap) / grid.columns);
    grid.height = grid.width * (single ? 0.5 : 0.7);
    if (options.height_mm > 0) grid.height = std::max(20.0, (options.height_mm * kUnitsPerMillimetre - grid.top - below - grid.rows * grid.titleHeight - (grid.rows - 1) * grid.gap) / grid.rows);
    const QSize page(static_cast<int>(std::lround(pageWidth)), static_cast<int>(std::lround(grid.top + grid.rows * (grid.height + grid.titleHeight) + (grid.rows - 1) * grid.gap + below)));
    const auto draw = [&](QCPPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), page), theme.background);
        drawHeading(painter, options, theme, pageWidth);
        if (!single) drawRowLegend(painter, lines.front(), theme, headingHeight(options, theme) - 4, options.train_length);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ProfileView view{grid.panel(i), 0, static_cast<double>(rows[i].query + 1), range.low, range.high, false};
            ProfileAxes axes;
            axes.valueNumbers = static_cast<int>(i) % grid.columns == 0;
            axes.keyNumbers = i + static_cast<std::size_t>(grid.columns) >= rows.size();
            axes.keys = rows[i].query + 1;
            axes.keepInside = !single;
            if (options.train_length > 0) axes.markedKey = rows[i].query - options.train_length;
            axes.mark = single ? tr("distance = L") : QString();
            paintProfileAxes(painter, view, theme, axes);
            for (const ProfileLine& line : lines[i]) paintProfileLine(painter, view, line);
            if (single) paintProfileLabels(painter, view, theme, lines[i]);
            const QString title = i < options.panel_titles.size() ? QString::fromStdString(options.panel_titles[i]) : tr("Layer %1, head %2").arg(rows[i].layer).arg(rows[i].head);
            drawText(painter, QRectF(view.area.left(), view.area.top() - grid.titleHeight, grid.width + kGap, grid.titleHeight), Qt::AlignLeft | Qt::AlignTop, theme.caption, theme.text, title);
        }
        drawKeyTitle(painter, grid, theme, page.height() - below + 6 + metrics.height(), tr("key position j (query i = %1)").arg(integerText(rows.front().query)));
    };
    const auto written = write_figure(options, page, draw);
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    if (options.csv) {
        files.push_back(beside(options.path, "csv"));
        if (const auto saved = lw::write_text_file(files.back(), lw::rows_csv(rows)); !saved.ok()) return saved.error();
    }
    if (const auto saved = save(rowArrays(rows), options, files); !saved.ok()) return saved.error();
    return files;
}

}  // namespace lw::ui
