#pragma once
/// Makes modules of entries for tests.

#include "core/position/catalogue.h"
#include "core/position/generator_scope.h"
#include "core/position/scheme.h"
#include "tests/support/catch_torch.h"

namespace lw {

inline Params complete(const std::string& slot, const std::string& id, const Params& params) {
    const Entry& entry = find_entry(slot, id);
    auto checked = checked_params(entry.info, params);
    if (entry.check != nullptr) entry.check(checked);
    return checked;
}

/// A module in float64, with values drawn from `seed`.
template <class Slot>
std::shared_ptr<Slot> made(const std::string& slot, const std::string& id, const Params& params = {}, const SlotShape& shape = {},
                           std::uint64_t seed = 1) {
    const GeneratorScope generator(seed);
    auto module = std::get<Make<Slot>>(find_entry(slot, id).make)(complete(slot, id, params), shape);
    module->to(at::kDouble);
    return module;
}

/// Overwrites a parameter ("first.weight") in place.
inline void set(torch::nn::Module& module, const std::string& name, const at::Tensor& value) {
    auto parameters = module.named_parameters();
    auto* parameter = parameters.find(name);
    REQUIRE(parameter != nullptr);
    const torch::NoGradGuard no_grad;
    parameter->copy_(value.to(parameter->scalar_type()).reshape(parameter->sizes()));
}

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
