#pragma once
/// Base of all slots' modules, and the sizes they are made with.

#include "core/position/geometry.h"

#include <torch/nn/module.h>

namespace lw {

/// Base of all slots. Tables are built in float32, or in float64 once the module was moved there; a move to a 16-bit type
/// changes the stored parameters only, never the type positions and tables are computed in.
class SlotModule : public torch::nn::Module {
public:
    void to(at::Device device, at::ScalarType dtype, bool non_blocking = false) override {
        adopt(dtype);
        torch::nn::Module::to(device, dtype, non_blocking);
    }
    void to(at::ScalarType dtype, bool non_blocking = false) override {
        adopt(dtype);
        torch::nn::Module::to(dtype, non_blocking);
    }
    void to(at::Device device, bool non_blocking = false) override { torch::nn::Module::to(device, non_blocking); }

    /// True when the result for earlier tokens changes as the text grows: a key/value cache must then be filled again.
    [[nodiscard]] virtual bool length_dependent() const { return false; }
    /// float32 or float64.
    [[nodiscard]] at::ScalarType precision() const { return precision_; }

private:
    void adopt(at::ScalarType dtype) { precision_ = dtype == at::kDouble ? at::kDouble : at::kFloat; }
    at::ScalarType precision_ = at::kFloat;
};

/// Sizes an entry may need at construction.
struct SlotShape {
    std::int64_t heads = 8;        ///< H
    std::int64_t head_width = 16;  ///< d
    std::int64_t width = 128;      ///< E
    std::int64_t train_length = 128;  ///< L
    std::int64_t layer = 0;
    std::int64_t vocabulary = 256;    ///< V
    bool has_bias = false;         ///< adaptive slot: whether a static bias is there
    std::int64_t kv_heads = 0;     ///< Hkv; 0 = H
    std::int64_t pairs = 0;        ///< frequency slot: how many frequencies the scheme's rotation has; 0 = d/2

    [[nodiscard]] std::int64_t key_heads() const { return kv_heads > 0 ? kv_heads : heads; }
    [[nodiscard]] std::int64_t rotary_pairs() const { return pairs > 0 ? pairs : head_width / 2; }
};

}  // namespace lw
