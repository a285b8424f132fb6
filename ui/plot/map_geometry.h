#pragma once
/// Cells to pixels and back for a map whose query axis runs downwards. Cell i covers [i, i + 1) of its axis.

#include "core/api/maps.h"

#include <QRectF>

#include <optional>

namespace lw::ui {

struct MapCell {
    std::int64_t query = 0;
    std::int64_t key = 0;
    friend bool operator==(const MapCell&, const MapCell&) = default;
};

/// The part of the map that is seen, in cells.
struct MapWindow {
    double queryBegin = 0, queryEnd = 1;
    double keyBegin = 0, keyEnd = 1;
    friend bool operator==(const MapWindow&, const MapWindow&) = default;
};

struct MapGeometry {
    QRectF area;                ///< pixels
    std::int64_t queries = 1;   ///< cells in all
    std::int64_t keys = 1;
    MapWindow window;

    void fit();
    /// Zooms by `factor` (> 1 = closer) about a pixel; not closer than 4 cells, not farther than everything.
    void zoom(QPointF about, double factor);
    void pan(QPointF pixels);
    void show(CellRange queryRange, CellRange keyRange);

    [[nodiscard]] double x(double key) const;
    [[nodiscard]] double y(double query) const;
    [[nodiscard]] double keyAt(double x) const;
    [[nodiscard]] double queryAt(double y) const;
    /// Nothing outside the area or the map.
    [[nodiscard]] std::optional<MapCell> cellAt(QPointF pixel) const;
    [[nodiscard]] QRectF rect(CellRange queryRange, CellRange keyRange) const;
    /// Whole cells that are at least partly seen.
    [[nodiscard]] CellRange visibleQueries() const;
    [[nodiscard]] CellRange visibleKeys() const;
    [[nodiscard]] bool showsAll() const;
    [[nodiscard]] double cellWidth() const { return area.width() / (window.keyEnd - window.keyBegin); }
    [[nodiscard]] double cellHeight() const { return area.height() / (window.queryEnd - window.queryBegin); }

private:
    void clamp();
};

}  // namespace lw::ui
