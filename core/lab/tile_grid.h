#pragma once
/// The grid that views share. Pixels are powers of two of cells and lie on multiples of their size; tiles are blocks of pixels that lie on
/// multiples of theirs. Two views at one zoom therefore ask for the same tiles wherever they overlap.

#include "core/api/maps.h"

namespace lw {

/// Pixels along one side of a square tile. Chosen by reasoning (docs/map_tiles.md); the benchmark tile_shape is to confirm it.
inline constexpr std::int64_t kTilePixels = 128;

/// One axis of a view: cells in whole pixels, and the tiles that cover them.
struct GridAxis {
    std::int64_t cells = 1;        ///< of one pixel
    CellRange range;               ///< cells, on multiples of a pixel, but for the end of the text
    std::int64_t pixels = 0;       ///< of the view
    std::int64_t tile_pixels = 0;  ///< of one tile
    CellRange tiles;               ///< the view's, by number

    /// Cells of one tile, cut at the end of the text.
    [[nodiscard]] CellRange cells_of(std::int64_t tile, std::int64_t length) const;
};

/// The smallest pixel with which so many cells take at most `most` pixels; one more where they do not begin on a pixel's border.
GridAxis grid_axis(CellRange asked, std::int64_t most, std::int64_t length, std::int64_t tile_pixels);

/// A tile by its place in the grid.
struct TilePlace {
    std::int64_t row = 0, column = 0;
};

struct TileGrid {
    GridAxis rows, columns;
    std::int64_t length = 0;

    /// The view's tiles, those in its middle first. Tiles above the diagonal, where nothing is visible, are left out when `causal`.
    [[nodiscard]] std::vector<TilePlace> tiles(bool causal) const;
};

/// whole_rows: tiles as wide as the map, for parts of which any column needs the whole row.
TileGrid tile_grid(const TileRequest& request, std::int64_t length, bool whole_rows);

}  // namespace lw
