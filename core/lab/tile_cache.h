#pragma once
/// Finished tiles of one map session within a budget of bytes; those used longest ago go first. Every method may be called from any thread.

#include "core/api/maps.h"

#include <list>
#include <map>
#include <mutex>

namespace lw {

/// Names one head's tile: what it shows, how large its pixels are and where it lies in the grid of such tiles.
struct TileKey {
    std::int64_t layer = 0, head = 0;
    ScorePart part = ScorePart::probability;
    Reducer reducer = Reducer::mean;
    std::int64_t row_cells = 1, column_cells = 1;  ///< of one pixel
    std::int64_t row = 0, column = 0;              ///< of the tile
    friend auto operator<=>(const TileKey&, const TileKey&) = default;
};

/// Pixels of one tile, row major. Shared and never changed, so that a reader keeps what it holds when the tile is dropped.
struct TilePixels {
    std::int64_t rows = 0, columns = 0;
    std::vector<float> values;
};
using TilePointer = std::shared_ptr<const TilePixels>;

class TileCache {
public:
    explicit TileCache(std::int64_t budget) : budget_(budget) {}
    /// Null where it is not kept. Makes the tile the most recently used one.
    [[nodiscard]] TilePointer find(const TileKey& key);
    /// Keeps it; a tile larger than the budget is not kept.
    void keep(const TileKey& key, TilePointer tile);
    void set_budget(std::int64_t bytes);
    [[nodiscard]] TileUse use() const;
    /// What a tile counts, with what is needed to keep it.
    [[nodiscard]] static std::int64_t bytes_of(const TilePixels& tile);

private:
    struct Kept {
        TileKey key;
        TilePointer tile;
    };
    using Place = std::list<Kept>::iterator;
    void drop_until_it_fits();

    mutable std::mutex mutex_;
    std::list<Kept> kept_;            // most recently used first
    std::map<TileKey, Place> places_;
    std::int64_t bytes_ = 0, budget_ = 0;
    std::int64_t computed_ = 0, reused_ = 0, dropped_ = 0;
};

}  // namespace lw
