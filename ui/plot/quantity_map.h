#pragma once
/// A map of something else than a score part (distances, angles, a bias without a model): its numbers with what they are called.
/// Plain values, shown by a HeatMap and written by the same painter as every other map.

#include "ui/plot/colour_map.h"
#include "ui/plot/figures.h"
#include "ui/plot/map_geometry.h"

#include <QString>

namespace lw::ui {

class HeatMap;

struct QuantityMap {
    lw::MapTile tile;                         ///< values row major [rows x columns], NaN = nothing there; its ranges are the whole axes
    std::vector<std::int64_t> rows, columns;  ///< the places that the values belong to, [tile.rows] and [tile.columns]
    ColourScale scale;
    QString title;                            ///< what is shown, in a heading
    QString unit;                             ///< beside the colour bar
    QString rowTitle, columnTitle;            ///< of the axes
    std::string name;                         ///< of its array in files: letters, digits, "_"
    bool squareCells = true;                  ///< false: rows and columns count different things, the map takes the room there is
    [[nodiscard]] bool empty() const { return tile.values.empty(); }
};

/// Where in the values a cell of the map lies: row and column, both inside.
[[nodiscard]] MapCell sampleOf(const QuantityMap& map, MapCell cell);
/// A header line of what it is, then a row for each row with its place first; "nan" where nothing is.
[[nodiscard]] std::string quantityCsv(const QuantityMap& map);
/// Values, scale, unit and axes of the widget; its title stays.
void showQuantity(HeatMap& widget, const QuantityMap& map);
/// A figure of one map. CSV and NPZ hold the values and their places.
FigureResult render_quantity_figure(const QuantityMap& map, const FigureOptions& options);

}  // namespace lw::ui
