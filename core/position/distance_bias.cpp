#include "core/position/distance_bias.h"

#include <ATen/ATen.h>

namespace lw {

bool unit_steps(const at::Tensor& positions) {
    if (positions.numel() < 2) return true;
    return positions.diff().eq(1).all().item<bool>();
}

namespace {

/// Positions without gaps make a Toeplitz tile: only Tq + Tk - 1 distances exist, the cells are a sliding window over them.
/// That turns Tq·Tk logarithms (and their gradients) into Tq + Tk.
at::Tensor toeplitz_tile(DistanceBias& bias, const TileGeometry& geometry) {
    const auto rows = geometry.query_positions.numel();
    const auto columns = geometry.key_positions.numel();
    const double first = geometry.query_positions[-1].item<double>() - geometry.key_positions[0].item<double>();
    const auto options = geometry.query_positions.options();
    auto distances = at::arange(rows + columns - 1, options).neg_().add_(first).clamp_min_(0);  // [Tq + Tk - 1], falling
    const auto table = bias.by_distance(distances, geometry);                                   // [H, Tq + Tk - 1]
    return table.unfold(-1, columns, 1).flip(1);                                                // [H, Tq, Tk]
}

}  // namespace

at::Tensor DistanceBias::tile(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    if (q.numel() > 0 && k.numel() > 0 && unit_steps(q) && unit_steps(k)) return toeplitz_tile(*this, geometry);
    const auto distances = (q.unsqueeze(1) - k.unsqueeze(0)).clamp_min(0);      // [Tq, Tk]
    const auto values = by_distance(distances.reshape(-1), geometry);           // [H, Tq Tk]
    return values.view({values.size(0), q.numel(), k.numel()});                 // [H, Tq, Tk]
}

}  // namespace lw
