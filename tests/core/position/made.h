#pragma once
/// Makes modules of entries for tests.

#include "core/position/make_entry.h"
#include "core/position/scheme.h"
#include "tests/support/catch_torch.h"

namespace lw {

inline Params complete(const std::string& slot, const std::string& id, const Params& params) {
    return complete_params(find_entry(slot, id), params);
}

/// A module in float64, with values drawn from `seed`.
template <class Slot>
std::shared_ptr<Slot> made(const std::string& slot, const std::string& id, const Params& params = {}, const SlotShape& shape = {},
                           std::uint64_t seed = 1) {
    return make_entry<Slot>(slot, id, params, shape, seed);
}

/// Overwrites a parameter ("first.weight") in place.
inline void set(torch::nn::Module& module, const std::string& name, const at::Tensor& value) { set_parameter(module, name, value); }

inline at::Tensor positions_from(std::int64_t first, std::int64_t count) { return at::arange(first, first + count, at::kDouble); }

/// Queries first..first + rows - 1 over keys 0..columns - 1.
inline TileGeometry geometry_of(std::int64_t first, std::int64_t rows, std::int64_t columns, std::int64_t train_length = 16) {
    TileGeometry geometry;
    geometry.query_positions = positions_from(first, rows);
    geometry.key_positions = positions_from(0, columns);
    geometry.length = first + rows;
    geometry.train_length = train_length;
    return geometry;
}

/// Hidden cells (j > i) of [.., Tq, Tk] set to a value.
inline at::Tensor masked(const at::Tensor& x, const TileGeometry& geometry, double value = 0) {
    const auto future = geometry.key_positions.unsqueeze(0).gt(geometry.query_positions.unsqueeze(1));
    return x.masked_fill(future, value);
}

inline double largest_difference(const at::Tensor& a, const at::Tensor& b) {
    REQUIRE(a.sizes() == b.sizes());
    return a.numel() == 0 ? 0.0 : (a - b).abs().max().item<double>();
}

}  // namespace lw
