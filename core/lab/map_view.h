#pragma once
/// Pictures of one view put together from samples and finished tiles.

#include "core/lab/tile_cache.h"
#include "core/lab/tile_grid.h"

#include <span>

namespace lw {

class ViewPictures {
public:
    /// Nothing visible so far. heads: those that the request asks for.
    ViewPictures(const TileRequest& request, const TileGrid& grid, const std::vector<std::int64_t>& heads);

    /// One cell per pixel everywhere: values [rows of pixels x columns of pixels] of the n-th head. Before any tile.
    void put_samples(std::size_t n, std::span<const float> values);
    /// A tile of the n-th head, cut to the view.
    void put_tile(std::size_t n, TilePlace place, const TilePixels& tile);
    /// As they are now: whole pictures, marked as sampled as long as tiles are missing.
    [[nodiscard]] std::vector<MapTile> pictures(std::int64_t missing_pixels) const;
    /// Pixels of the view that a tile covers.
    [[nodiscard]] std::int64_t pixels_of(TilePlace place) const;

private:
    struct Overlap {
        std::int64_t begin = 0, end = 0;  ///< pixels of the view
        std::int64_t from = 0;            ///< the tile's pixel at `begin`
    };
    static Overlap overlap(const GridAxis& axis, std::int64_t tile);

    TileGrid grid_;
    std::vector<MapTile> pictures_;
};

}  // namespace lw
