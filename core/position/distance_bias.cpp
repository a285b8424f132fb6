#include "core/position/distance_bias.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

bool rises_by_one(const at::Tensor& positions) { return positions.numel() < 2 || positions.diff().eq(1).all().item<bool>(); }

}  // namespace

ParamSpec both_sides_spec() { return flag_spec({"bidirectional", "Bidirectional", "Keys after the query count by their distance too, not as 0; for encoders."}, false); }

bool has_unit_steps(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    return q.numel() > 0 && k.numel() > 0 && (geometry.unit_steps || (rises_by_one(q) && rises_by_one(k)));
}

at::Tensor sliding_differences(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    const auto& known = geometry.unit_steps;
    const double first = known ? known->first_query + static_cast<double>(q.numel() - 1) - known->first_key : q[-1].item<double>() - k[0].item<double>();
    return at::arange(q.numel() + k.numel() - 1, q.options()).neg_().add_(first);  // [Tq + Tk - 1]
}

at::Tensor sliding_tile(const at::Tensor& values, std::int64_t columns) {
    return values.unfold(-1, columns, 1).flip(-2);  // [.., Tq, Tk]
}

at::Tensor sliding_rows(const at::Tensor& values, std::int64_t columns) {
    const auto rows = values.size(-2);
    if (rows < 2) return values;  // one row's values are its cells
    // Row r begins at its value number rows - 1 - r, so in the flat order rows begin one value short of a row's length apart.
    const auto step = values.size(-1) - 1;                                      // Tq + Tk - 2, at least Tk
    const auto flat = values.flatten(-2).slice(-1, rows - 1, rows - 1 + rows * step);
    return flat.unflatten(-1, {rows, step}).slice(-1, 0, columns);              // [.., Tq, Tk]
}

at::Tensor DistanceBias::tile(const TileGeometry& geometry) {
    const auto& q = geometry.query_positions;
    const auto& k = geometry.key_positions;
    if (has_unit_steps(geometry)) {
        const auto differences = sliding_differences(geometry);                 // [Tq + Tk - 1]
        return sliding_tile(by_difference(differences, geometry), k.numel());   // [H, Tq, Tk]
    }
    const auto differences = q.unsqueeze(1) - k.unsqueeze(0);                   // [Tq, Tk]
    const auto values = by_difference(differences.reshape(-1), geometry);       // [H, Tq Tk]
    return values.view({values.size(0), q.numel(), k.numel()});                 // [H, Tq, Tk]
}

}  // namespace lw
