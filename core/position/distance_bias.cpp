#include "core/position/distance_bias.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

bool rises_by_one(const at::Tensor& positions) { return positions.numel() < 2 || positions.diff().eq(1).all().item<bool>(); }

}  // namespace

bool has_unit_steps(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    return q.numel() > 0 && k.numel() > 0 && rises_by_one(q) && rises_by_one(k);
}

at::Tensor sliding_differences(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    const double first = q[-1].item<double>() - k[0].item<double>();
    return at::arange(q.numel() + k.numel() - 1, q.options()).neg_().add_(first);  // [Tq + Tk - 1]
}

at::Tensor sliding_tile(const at::Tensor& values, std::int64_t columns) {
    return values.unfold(-1, columns, 1).flip(-2);  // [.., Tq, Tk]
}

at::Tensor DistanceBias::tile(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    if (has_unit_steps(geometry)) {
        const auto distances = sliding_differences(geometry).clamp_min_(0);     // [Tq + Tk - 1]
        return sliding_tile(by_distance(distances, geometry), k.numel());       // [H, Tq, Tk]
    }
    const auto distances = (q.unsqueeze(1) - k.unsqueeze(0)).clamp_min(0);      // [Tq, Tk]
    const auto values = by_distance(distances.reshape(-1), geometry);           // [H, Tq Tk]
    return values.view({values.size(0), q.numel(), k.numel()});                 // [H, Tq, Tk]
}

}  // namespace lw
