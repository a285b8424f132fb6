#include "core/lab/tile_cache.h"

#include "core/api/doctor.h"

#include <algorithm>

namespace lw {

std::int64_t default_tile_bytes() {
    constexpr std::int64_t kMegabyte = 1024 * 1024;
    return std::clamp<std::int64_t>(memory_use().total / 16, 64 * kMegabyte, 1024 * kMegabyte);
}

std::int64_t TileCache::bytes_of(const TilePixels& tile) {
    constexpr std::int64_t kOverhead = 256;  // list and map nodes, the vector and its counter
    return static_cast<std::int64_t>(tile.values.size() * sizeof(float)) + kOverhead;
}

TilePointer TileCache::find(const TileKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    ++reused_;
    return found->second->tile;
}

void TileCache::keep(const TileKey& key, TilePointer tile) {
    const std::lock_guard lock(mutex_);
    ++computed_;
    if (bytes_of(*tile) > budget_ || places_.contains(key)) return;
    bytes_ += bytes_of(*tile);
    kept_.push_front({key, std::move(tile)});
    places_[key] = kept_.begin();
    drop_until_it_fits();
}

void TileCache::set_budget(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    budget_ = std::max<std::int64_t>(0, bytes);
    drop_until_it_fits();
}

void TileCache::drop_until_it_fits() {
    while (bytes_ > budget_ && !kept_.empty()) {
        bytes_ -= bytes_of(*kept_.back().tile);
        places_.erase(kept_.back().key);
        kept_.pop_back();
        ++dropped_;
    }
}

TileUse TileCache::use() const {
    const std::lock_guard lock(mutex_);
    return {.bytes = bytes_, .budget = budget_, .tiles = static_cast<std::int64_t>(kept_.size()), .computed = computed_, .reused = reused_, .dropped = dropped_};
}

}  // namespace lw
