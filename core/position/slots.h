#pragma once
/// The interfaces that entries of each slot implement. An entry is a torch Module (its parameters, if any, are registered),
/// made by a factory from checked parameters. All biases are computed in float32 (float64 when the module was moved there).

#include "core/position/geometry.h"

#include <torch/nn/module.h>

#include <memory>
#include <optional>
#include <vector>

namespace lw {

/// Base of all slots. Tables are built in float32, or in float64 once the module was moved there; a move to a 16-bit type
/// changes the stored parameters only, never the type positions and tables are computed in.
class SlotModule : public torch::nn::Module {
public:
    void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false) override {
        adopt(dtype);
        torch::nn::Module::to(device, dtype, non_blocking);
    }
    void to(torch::Dtype dtype, bool non_blocking = false) override {
        adopt(dtype);
        torch::nn::Module::to(dtype, non_blocking);
    }
    void to(torch::Device device, bool non_blocking = false) override { torch::nn::Module::to(device, non_blocking); }

    /// float32 or float64.
    [[nodiscard]] at::ScalarType precision() const { return precision_; }

private:
    void adopt(torch::Dtype dtype) { precision_ = dtype == at::kDouble ? at::kDouble : at::kFloat; }
    at::ScalarType precision_ = at::kFloat;
};

/// Sizes an entry may need at construction.
struct SlotShape {
    std::int64_t heads = 8;        ///< H
    std::int64_t head_width = 16;  ///< d
    std::int64_t width = 128;      ///< E
    std::int64_t train_length = 128;  ///< L
    std::int64_t layer = 0;
    bool has_bias = false;         ///< adaptive slot: whether a static bias is there
};

/// slot "input": added to the embedding.
class InputEncoding : public SlotModule {
public:
    /// embedded [B, T, E], positions [T] float64 -> [B, T, E]. Throws Failure(invalid_argument) past a bounded table.
    virtual at::Tensor apply(const at::Tensor& embedded, const at::Tensor& positions) = 0;
    /// The encoding itself, [T, E]; for previews and golden numbers.
    virtual at::Tensor table(const at::Tensor& positions) = 0;
};

/// Inverse frequencies in double and the factor on cos and sin.
struct Frequencies {
    std::vector<double> inverse;   ///< θ, [d/2], radians per token
    double attention_factor = 1;
};

/// slot "frequency": changes a rotation's frequencies. Pure function of (θ, base, d, length, L).
class FrequencyScaling : public SlotModule {
public:
    virtual Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t length, std::int64_t train_length) const = 0;
    /// True when the result depends on `length`: then keys must be cached un-rotated.
    virtual bool length_dependent() const { return false; }
};

/// slot "rotation".
class Rotation : public SlotModule {
public:
    /// Plain θ, before any frequency scaling.
    virtual std::vector<double> inverse_frequencies() const = 0;
    virtual double base() const = 0;
    /// x [B, H, T, d] rotated by its positions [T] with the given frequencies; angles built in float64.
    virtual at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies) const = 0;
};

/// slot "bias": additive, from positions only.
class Bias : public SlotModule {
public:
    /// [H, Tq, Tk], nats. Entries with j > i (future keys) use δ = max(i - j, 0) unless the method says otherwise.
    virtual at::Tensor tile(const TileGeometry& geometry) = 0;
    /// True when the bias depends on δ = i - j only, so that a table over δ describes it (ALiBi, T5, KERPLE, Sandwich).
    virtual bool distance_only() const { return true; }
    /// That table: distances δ >= 0 [n] float64 -> [H, n]. Undefined where the bias is not distance_only().
    virtual at::Tensor by_distance(const at::Tensor& /*distances*/, const TileGeometry& /*geometry*/) { return {}; }
    /// One module serves all layers (T5 as in NeoX).
    virtual bool shared_by_layers() const { return false; }
};

/// The weights of an adaptive term that is a two-layer network at every (i, j): f = W2 · leaky(W1 · u + b1) + b2.
/// Attention kernels that keep the hidden values out of memory need them.
struct PointwiseNetwork {
    at::Tensor w1;       ///< [D, C], C = H or 2H; columns: content channels first, then bias channels
    at::Tensor b1;       ///< [D], undefined when off
    at::Tensor w2;       ///< [H, D]
    at::Tensor b2;       ///< [H], undefined when off
    double slope = 0.01;
    bool reads_content = true;  ///< u has the content channels
    bool reads_bias = true;     ///< u has the bias channels
    bool sums_inputs = false;   ///< u = content + bias (add_residual), C = H
};

/// slot "adaptive": a term computed across heads from (content, bias).
class Adaptive : public SlotModule {
public:
    /// content [B, H, Tq, Tk], scaled and unmasked; bias [H, Tq, Tk] or undefined; -> f [B, H, Tq, Tk].
    /// Keys of the tile must include halo() extra ones on both sides where they exist; the caller crops.
    virtual at::Tensor tile(const at::Tensor& content, const at::Tensor& bias, const TileGeometry& geometry) = 0;
    /// Whether the static bias is added to the logit besides f (false for the variant "concat").
    virtual bool adds_bias() const { return true; }
    /// Set when the term is a pointwise two-layer network (DAPE v1).
    virtual std::optional<PointwiseNetwork> network() const { return std::nullopt; }
    /// Keys on each side that tile() reads besides the cell's own.
    virtual std::int64_t halo() const { return 0; }
};

}  // namespace lw
