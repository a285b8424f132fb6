#include "core/lab/tile_grid.h"

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

std::int64_t rounded_up(std::int64_t cells, std::int64_t step) { return (cells + step - 1) / step * step; }

}  // namespace

CellRange GridAxis::cells_of(std::int64_t tile, std::int64_t length) const {
    const auto size = tile_pixels * cells;
    return {tile * size, std::min((tile + 1) * size, length)};
}

GridAxis grid_axis(CellRange asked, std::int64_t most, std::int64_t length, std::int64_t tile_pixels) {
    GridAxis axis;
    axis.tile_pixels = tile_pixels;
    // By the size alone: were the place to count, pixels would change their size while the view moves.
    while (rounded_up(asked.size(), axis.cells) / axis.cells > std::max<std::int64_t>(most, 1)) axis.cells *= 2;
    axis.range = {asked.begin / axis.cells * axis.cells, std::min(rounded_up(asked.end, axis.cells), length)};
    axis.pixels = rounded_up(axis.range.size(), axis.cells) / axis.cells;
    const auto size = tile_pixels * axis.cells;
    axis.tiles = {axis.range.begin / size, (axis.range.end + size - 1) / size};
    return axis;
}

std::vector<TilePlace> TileGrid::tiles(bool causal) const {
    std::vector<TilePlace> places;
    for (auto row = rows.tiles.begin; row < rows.tiles.end; ++row) {
        for (auto column = columns.tiles.begin; column < columns.tiles.end; ++column) {
            if (causal && columns.cells_of(column, length).begin >= rows.cells_of(row, length).end) continue;
            places.push_back({row, column});
        }
    }
    const auto from_middle = [this](const TilePlace& place) {
        const auto middle = [](const CellRange& range) { return 0.5 * static_cast<double>(range.begin + range.end - 1); };
        return std::hypot(static_cast<double>(place.row) - middle(rows.tiles), static_cast<double>(place.column) - middle(columns.tiles));
    };
    std::stable_sort(places.begin(), places.end(), [&](const TilePlace& a, const TilePlace& b) { return from_middle(a) < from_middle(b); });
    return places;
}

TileGrid tile_grid(const TileRequest& request, std::int64_t length, bool whole_rows) {
    TileGrid grid{.rows = grid_axis(request.queries, request.max_rows, length, kTilePixels),
                  .columns = grid_axis(request.keys, request.max_columns, length, kTilePixels), .length = length};
    if (!whole_rows) return grid;
    // The same pixels in tiles that reach from the first key to the last; fewer rows, since each of them costs more.
    grid.columns.tile_pixels = rounded_up(length, grid.columns.cells) / grid.columns.cells;
    grid.columns.tiles = {0, 1};
    grid.rows.tile_pixels = std::max<std::int64_t>(1, kTilePixels / 8);
    const auto size = grid.rows.tile_pixels * grid.rows.cells;
    grid.rows.tiles = {grid.rows.range.begin / size, (grid.rows.range.end + size - 1) / size};
    return grid;
}

}  // namespace lw
