#pragma once
/// Branches that several distance maps are made of.

#include "core/position/cells.h"
#include "core/position/distance_map.h"

namespace lw {

/// f = i - j everywhere.
DistanceBranch plain_branch(const TileGeometry& geometry);
/// f = `distance` at the chosen cells [r, c]: queries stand at `distance`, keys at 0.
DistanceBranch constant_branch(const TileGeometry& geometry, double distance, const at::Tensor& chosen);

/// f = min(i - j, limit): ReRoPE, and LM-Infinite's clip.
class ClippedDistance final : public DistanceMap {
public:
    explicit ClippedDistance(std::int64_t limit) : limit_(static_cast<double>(limit)) {}
    at::Tensor distance(const TileGeometry& geometry) const override;
    std::vector<DistanceBranch> branches(const TileGeometry& geometry) const override;

private:
    double limit_;
};

}  // namespace lw
