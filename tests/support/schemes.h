#pragma once
/// Schemes and small random attention inputs that several tests share.

#include "core/attention/score_tile.h"
#include "core/api/scheme.h"
#include "core/model/seed_scope.h"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace lw::test {

inline SchemeSpec scheme(const std::string& preset) { return check_scheme(find_scheme(preset).value()).value(); }

/// A preset with one parameter of a slot changed.
inline SchemeSpec scheme_with(const std::string& preset, const std::string& slot, const std::string& parameter, const ParamValue& value) {
    auto spec = find_scheme(preset).value();
    spec.slots.at(slot).params[parameter] = value;
    return check_scheme(spec).value();
}

inline std::shared_ptr<PositionScheme> build(const SchemeSpec& spec, const SlotShape& shape, std::int64_t layers = 1, std::uint64_t seed = 3) {
    const SeedScope scope(seed);
    return std::make_shared<PositionScheme>(spec, shape, layers);
}

struct InputSizes {
    std::int64_t batch = 2, heads = 4, key_heads = 4, queries = 17, keys = 17, width = 8;
};

/// Random q, k, v with consecutive positions; the last queries are the last keys.
inline AttentionInputs random_inputs(const InputSizes& sizes, at::ScalarType type = at::kDouble, std::uint64_t seed = 11) {
    const SeedScope scope(seed);
    const auto options = at::TensorOptions(type);
    AttentionInputs inputs;
    inputs.q = at::randn({sizes.batch, sizes.heads, sizes.queries, sizes.width}, options);
    inputs.k = at::randn({sizes.batch, sizes.key_heads, sizes.keys, sizes.width}, options);
    inputs.v = at::randn({sizes.batch, sizes.key_heads, sizes.keys, sizes.width}, options);
    inputs.key_positions = at::arange(sizes.keys, at::kDouble);
    inputs.query_positions = inputs.key_positions.slice(0, sizes.keys - sizes.queries);
    inputs.length = sizes.keys;
    inputs.train_length = 16;
    return inputs;
}

/// The same as a block hands them to this layer: plain where it rotates inside its tiles, with what its slots keep per token.
inline AttentionInputs inputs_for(const LayerScheme& layer, const InputSizes& sizes, at::ScalarType type = at::kDouble, std::uint64_t seed = 11) {
    auto inputs = random_inputs(sizes, type, seed);
    const SeedScope scope(seed + 1);
    inputs.rotated = !layer.rotates_in_tile();
    inputs.key_state = layer.token_state(at::randn({sizes.batch, sizes.keys, sizes.heads * sizes.width}, at::TensorOptions(type)));
    return inputs;
}

inline SlotShape shape_for(const InputSizes& sizes) {
    SlotShape shape;
    shape.heads = sizes.heads;
    shape.kv_heads = sizes.key_heads;
    shape.head_width = sizes.width;
    shape.width = sizes.heads * sizes.width;
    shape.train_length = 16;
    return shape;
}

inline double largest_difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

}  // namespace lw::test
