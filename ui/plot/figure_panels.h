#pragma once
/// What figures of maps and of rows have in common: panels in a grid, heading, axis titles, arrays beside the figure.

#include "core/api/export.h"
#include "ui/plot/figure_file.h"
#include "ui/plot/plot_theme.h"

#include <QImage>
#include <QRectF>

class QPainter;

namespace lw::ui {

constexpr int kFigureMargin = 12;
constexpr int kPanelGap = 14;

/// Panels in rows and columns, each of one size, with room for numbers at the left and below.
struct PanelGrid {
    int columns = 1, rows = 1;
    double width = 0, height = 0;      ///< of one panel's axes
    double left = 0, top = 0, titleHeight = 0, gap = 0;
    [[nodiscard]] QRectF panel(std::size_t index) const;
    [[nodiscard]] double totalHeight() const { return rows * (height + titleHeight) + (rows - 1) * gap; }
    /// Width of all panels with the gaps between them.
    [[nodiscard]] double totalWidth() const { return columns * (width + kPanelGap) - kPanelGap; }
};

/// Columns as asked for, or as many as look even; rows as many as that makes.
[[nodiscard]] PanelGrid makeGrid(std::size_t panels, std::int64_t asked);
/// Heights of panels so that the page is as high as asked for.
void fitHeight(PanelGrid& grid, const FigureOptions& options, double below);
void drawText(QPainter& painter, const QRectF& at, Qt::Alignment align, const QFont& font, const QColor& colour, const QString& text);
/// A picture of cells for a file: every cell several pixels wide. Viewers that smooth images then smooth between the copies of one cell,
/// where nothing changes.
[[nodiscard]] QImage sharpCells(const QImage& image);
/// Once for all columns: panels may be narrower than the words.
void drawKeyTitle(QPainter& painter, const PanelGrid& grid, const PlotTheme& theme, double y, const QString& title);
/// Title and subtitle, where they are asked for.
[[nodiscard]] double headingHeight(const FigureOptions& options, const PlotTheme& theme);
void drawHeading(QPainter& painter, const FigureOptions& options, const PlotTheme& theme, double width);
/// Writes them when an NPZ was asked for, and adds its name.
[[nodiscard]] lw::Status saveArrays(const std::vector<lw::NamedArray>& arrays, const FigureOptions& options, std::vector<std::filesystem::path>& files);
[[nodiscard]] std::string headArrayName(std::int64_t layer, std::int64_t head, const std::string& what);

}  // namespace lw::ui
