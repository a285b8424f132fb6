#pragma once
/// Keys and values of the tokens seen so far, per layer, and the tokens themselves.
///
/// Where the scheme's angles depend on the length (dynamic NTK, dynamic YaRN) keeping keys un-rotated would make only the
/// first layer right: the hidden states below later keys were computed with the old angles too. So such a cache is refilled
/// from its tokens whenever the angles change, which is exact at every step (Transformer::forward does it).

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace lw {

class KeyValueCache {
public:
    explicit KeyValueCache(std::int64_t layers) : layers_(static_cast<std::size_t>(layers)) {}

    [[nodiscard]] std::int64_t length() const { return length_; }
    /// Tokens seen so far, [B, length]; undefined when empty.
    [[nodiscard]] const at::Tensor& tokens() const { return tokens_; }
    /// All keys and values of a layer so far.
    struct Entry {
        at::Tensor k, v;   ///< [B, Hkv, length, d]
        at::Tensor state;  ///< [B, S, length, n], what content-dependent slots keep per token; undefined without
    };
    /// Appends new keys and values [B, Hkv, T, d] of a layer, rotated unless the layer rotates inside its tiles, and their state.
    Entry append(std::size_t layer, const at::Tensor& k, const at::Tensor& v, const at::Tensor& state = {});
    /// Called once per forward pass, after every layer appended.
    void advance(const at::Tensor& tokens);
    void clear();

private:
    struct Buffers {
        at::Tensor k, v, state;  // [B, Hkv, capacity, d], [B, S, capacity, n]
    };
    std::vector<Buffers> layers_;
    at::Tensor tokens_;
    std::int64_t length_ = 0;
};

}  // namespace lw
