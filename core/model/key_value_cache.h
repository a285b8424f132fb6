#pragma once
/// Keys and values of the tokens seen so far, per layer. Keys are kept un-rotated when the scheme's angles depend on the length.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace lw {

class KeyValueCache {
public:
    explicit KeyValueCache(std::int64_t layers) : layers_(static_cast<std::size_t>(layers)) {}
    [[nodiscard]] std::int64_t length() const { return length_; }
    /// Appends new keys and values [B, Hkv, T, d] of a layer and returns all of that layer's so far.
    struct Entry {
        at::Tensor k, v;  // [B, Hkv, length, d]
    };
    Entry append(std::int64_t layer, const at::Tensor& k, const at::Tensor& v);
    /// Called once per forward after all layers appended.
    void advance(std::int64_t tokens) { length_ += tokens; }

private:
    struct Buffers {
        at::Tensor k, v;  // [B, Hkv, capacity, d]
    };
    std::vector<Buffers> layers_;
    std::int64_t length_ = 0;
};

}  // namespace lw
