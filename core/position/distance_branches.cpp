#include "core/position/distance_branches.h"

#include <ATen/ATen.h>

namespace lw {

DistanceBranch plain_branch(const TileGeometry& geometry) { return {geometry.query_positions, geometry.key_positions}; }

DistanceBranch constant_branch(const TileGeometry& geometry, double distance, const at::Tensor& chosen) {
    return {at::full_like(geometry.query_positions, distance), at::zeros_like(geometry.key_positions), chosen};
}

at::Tensor ClippedDistance::distance(const TileGeometry& geometry) const { return position_differences(geometry).clamp_max(limit_); }

std::vector<DistanceBranch> ClippedDistance::branches(const TileGeometry& geometry) const {
    return {plain_branch(geometry), constant_branch(geometry, limit_, position_differences(geometry).ge(limit_))};
}

}  // namespace lw
