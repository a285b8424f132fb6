/// See figure_panels.h.
#include "ui/plot/figure_panels.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::ui {

QRectF PanelGrid::panel(std::size_t index) const {
    const int row = static_cast<int>(index) / columns, column = static_cast<int>(index) % columns;
    return {left + column * (width + kPanelGap), top + row * (height + titleHeight + gap) + titleHeight, width, height};
}

namespace {

int chosenColumns(std::size_t panels, std::int64_t asked) {
    if (asked > 0) return static_cast<int>(std::min<std::int64_t>(asked, static_cast<std::int64_t>(panels)));
    if (panels <= 3) return static_cast<int>(panels);
    return panels == 4 ? 2 : panels <= 6 ? 3 : panels <= 8 ? 4 : static_cast<int>(std::ceil(std::sqrt(static_cast<double>(panels))));
}

}  // namespace

PanelGrid makeGrid(std::size_t panels, std::int64_t asked) {
    PanelGrid grid;
    grid.columns = chosenColumns(panels, asked);
    grid.rows = static_cast<int>((panels + static_cast<std::size_t>(grid.columns) - 1) / static_cast<std::size_t>(grid.columns));
    return grid;
}

void fitHeight(PanelGrid& grid, const FigureOptions& options, double below) {
    if (options.height_mm <= 0) return;
    grid.height = std::max(20.0, (options.height_mm * kUnitsPerMillimetre - grid.top - below - grid.rows * grid.titleHeight - (grid.rows - 1) * grid.gap) / grid.rows);
}

void drawText(QPainter& painter, const QRectF& at, Qt::Alignment align, const QFont& font, const QColor& colour, const QString& text) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(at, static_cast<int>(align), text);
}

QImage sharpCells(const QImage& image) {
    const int factor = 1024 / std::max({image.width(), image.height(), 1});
    return factor > 1 ? image.scaled(image.width() * factor, image.height() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation) : image;
}

void drawKeyTitle(QPainter& painter, const PanelGrid& grid, const PlotTheme& theme, double y, const QString& title) {
    drawText(painter, QRectF(grid.left, y, grid.totalWidth(), 20), Qt::AlignHCenter | Qt::AlignTop, theme.caption, theme.secondary, title);
}

double headingHeight(const FigureOptions& options, const PlotTheme& theme) {
    const double title = options.title.empty() ? 0 : QFontMetricsF(theme.title).height();
    const double subtitle = options.subtitle.empty() ? 0 : QFontMetricsF(theme.caption).height() + 2;
    return kFigureMargin + title + subtitle + (title + subtitle > 0 ? 8 : 0);
}

void drawHeading(QPainter& painter, const FigureOptions& options, const PlotTheme& theme, double width) {
    const double top = kFigureMargin - 2;
    const double below = options.title.empty() ? top : top + QFontMetricsF(theme.title).height() + 2;
    const double room = width - 2.0 * kFigureMargin;
    const auto draw = [&](const std::string& line, double y, double height, const QFont& font, const QColor& colour) {
        // A page may be rounded to what its title needs.
        const QString text = QFontMetricsF(font).elidedText(QString::fromStdString(line), Qt::ElideRight, room + 1);
        drawText(painter, QRectF(kFigureMargin, y, room + 1, height), Qt::AlignLeft | Qt::AlignTop, font, colour, text);
    };
    if (!options.title.empty()) draw(options.title, top, 30, theme.title, theme.text);
    if (!options.subtitle.empty()) draw(options.subtitle, below, 20, theme.caption, theme.secondary);
}

lw::Status saveArrays(const std::vector<lw::NamedArray>& arrays, const FigureOptions& options, std::vector<std::filesystem::path>& files) {
    if (!options.npz) return lw::Nothing{};
    files.push_back(beside(options.path, "npz"));
    return lw::write_npz(files.back(), arrays);
}

std::string headArrayName(std::int64_t layer, std::int64_t head, const std::string& what) {
    std::string name = "layer" + std::to_string(layer) + "_head" + std::to_string(head) + "_" + what;
    std::replace(name.begin(), name.end(), '+', '_');
    return name;
}

}  // namespace lw::ui
