#pragma once
/// Drawing of heat maps for any painter: the widget on the screen and the figures in a file look alike because they are this code.

#include "ui/plot/colour_map.h"
#include "ui/plot/map_geometry.h"
#include "ui/plot/plot_theme.h"

class QPainter;

namespace lw::ui {

/// An image lying on cells of the map. Where cells do not divide evenly, its last pixels reach past the cells they show; that part is
/// cut off, so that every pixel lies on its own cells.
struct MapLayer {
    QImage image;
    CellRange queries, keys;    ///< shown
    double queryEnd = 0, keyEnd = 0;  ///< where the image ends, in cells
};
/// The picture of a tile at its place.
[[nodiscard]] MapLayer mapLayer(const lw::MapTile& tile, QImage image);

struct MapAxes {
    bool queryNumbers = true;
    bool keyNumbers = true;
    QString queryTitle, keyTitle;  ///< "" = none
    bool keepInside = false;       ///< outermost key numbers do not reach past the map, where another map follows
};

struct ColourBarText {
    QString unit;
    bool cutLow = false;   ///< there are values below the scale
    bool cutHigh = false;
};

/// One colour per cell, never smoothed.
void paintCells(QPainter& painter, const MapGeometry& geometry, const MapLayer& layer);
void paintMapAxes(QPainter& painter, const MapGeometry& geometry, const PlotTheme& theme, const MapAxes& axes);
/// A vertical bar with its numbers and unit to the right of it.
void paintColourBar(QPainter& painter, const QRectF& bar, const ColourScale& scale, const PlotTheme& theme, const ColourBarText& text);
/// Room that paintColourBar takes to the right of the bar.
[[nodiscard]] int colourBarTextWidth(const ColourScale& scale, const PlotTheme& theme);
/// Ticks of a position axis with its last position when there is room for it.
[[nodiscard]] std::vector<double> mapTicks(double begin, double end, std::int64_t cells, double pixels, double room);
/// "8,192 × 8,192 · signed max-abs of 45 × 45 cells" of what a tile shows.
[[nodiscard]] QString tileCaption(const lw::MapTile& tile);
[[nodiscard]] QString reducerText(lw::Reducer reducer);
[[nodiscard]] QString partText(lw::ScorePart part);

}  // namespace lw::ui
