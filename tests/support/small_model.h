#pragma once
/// A small transformer and texts for it that several tests of the model share.

#include "core/model/transformer.h"
#include "tests/support/schemes.h"

namespace lw::test {

/// Two layers, four heads on two key heads, width 32, 50 tokens unless others are asked for.
inline ModelSpec small_model(std::int64_t vocabulary = 50) {
    ModelSpec spec;
    spec.layers = 2;
    spec.heads = 4;
    spec.kv_heads = 2;
    spec.width = 32;
    spec.head_width = 8;
    spec.ffn_width = 64;
    spec.vocabulary = vocabulary;
    return spec;
}

/// [batch, length] int64, the same every time.
inline at::Tensor random_tokens(std::int64_t batch, std::int64_t length) {
    const SeedScope scope(9);
    return at::randint(50, {batch, length}, at::kLong);
}

/// random_tokens() of one sequence as documents hold them, [length].
inline std::vector<std::int32_t> random_document(std::int64_t length) {
    const at::Tensor drawn = random_tokens(1, length).to(at::kInt);  // [1, length]
    const auto* values = drawn.const_data_ptr<std::int32_t>();
    return {values, values + length};
}

}  // namespace lw::test
