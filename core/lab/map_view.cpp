#include "core/lab/map_view.h"

#include <algorithm>
#include <limits>

namespace lw {

ViewPictures::ViewPictures(const TileRequest& request, const TileGrid& grid, const std::vector<std::int64_t>& heads) : grid_(grid) {
    for (const auto head : heads) {
        MapTile picture{.layer = request.layer, .head = head, .part = request.part, .queries = grid.rows.range, .keys = grid.columns.range,
                        .rows = grid.rows.pixels, .columns = grid.columns.pixels, .values = {}, .reducer = request.reducer};
        picture.values.assign(static_cast<std::size_t>(picture.rows * picture.columns), std::numeric_limits<float>::quiet_NaN());
        picture.cells_per_row = static_cast<double>(grid.rows.cells);
        picture.cells_per_column = static_cast<double>(grid.columns.cells);
        pictures_.push_back(std::move(picture));
    }
}

void ViewPictures::put_samples(std::size_t n, std::span<const float> values) { std::copy(values.begin(), values.end(), pictures_[n].values.begin()); }

ViewPictures::Overlap ViewPictures::overlap(const GridAxis& axis, std::int64_t tile) {
    const auto first = axis.range.begin / axis.cells;        // the view's first pixel in the grid
    const auto begin = std::max(tile * axis.tile_pixels, first), end = std::min((tile + 1) * axis.tile_pixels, first + axis.pixels);
    return {begin - first, end - first, begin - tile * axis.tile_pixels};
}

std::int64_t ViewPictures::pixels_of(TilePlace place) const {
    const auto rows = overlap(grid_.rows, place.row), columns = overlap(grid_.columns, place.column);
    return (rows.end - rows.begin) * (columns.end - columns.begin);
}

void ViewPictures::put_tile(std::size_t n, TilePlace place, const TilePixels& tile) {
    const auto rows = overlap(grid_.rows, place.row), columns = overlap(grid_.columns, place.column);
    MapTile& picture = pictures_[n];
    for (auto row = rows.begin; row < rows.end; ++row) {
        const auto from = tile.values.begin() + (rows.from + row - rows.begin) * tile.columns + columns.from;
        std::copy_n(from, columns.end - columns.begin, picture.values.begin() + row * picture.columns + columns.begin);
    }
}

std::vector<MapTile> ViewPictures::pictures(std::int64_t missing_pixels) const {
    auto copies = pictures_;
    for (MapTile& picture : copies) {
        picture.sampled = missing_pixels > 0;
        picture.exact_share = 1 - static_cast<double>(missing_pixels) / static_cast<double>(picture.rows * picture.columns);
    }
    return copies;
}

}  // namespace lw
