#pragma once
/// The interfaces that entries of each slot implement. An entry is a torch Module (its parameters, if any, are registered),
/// made by a factory from checked parameters. All biases are computed in float32 (float64 when the module was moved there).

#include "core/position/distance_map.h"
#include "core/position/normaliser.h"
#include "core/position/position_map.h"
#include "core/position/rotation.h"
#include "core/position/slot_module.h"
#include "core/position/temperature.h"
#include "core/position/visibility.h"

#include <memory>
#include <optional>

namespace lw {

/// slot "input": added to the embedding.
class InputEncoding : public SlotModule {
public:
    /// embedded [B, T, E], positions [T] or [B, T] float64, tokens [B, T] int64 -> [B, T, E]. Throws Failure(invalid_argument)
    /// past a bounded table. Most entries add table(positions) and do not look at the tokens.
    virtual at::Tensor apply(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& tokens) = 0;
    /// The encoding itself: positions [...] -> [..., E]; for previews and golden numbers.
    virtual at::Tensor table(const at::Tensor& positions) = 0;
};

/// What a bias that depends on the text may read of one block.
struct ContentView {
    at::Tensor q;        ///< [B, H, r, d], not rotated
    at::Tensor k;        ///< [B, Hkv, c, d], not rotated
    at::Tensor content;  ///< [B, H, r, c], scaled scores, not masked
    at::Tensor state;    ///< [B, S, Tk, n]: token_state() of every key so far; undefined where the entry keeps none
    std::int64_t first_row = 0;     ///< the block's first query, counted among all keys
    std::int64_t first_column = 0;  ///< the block's first key
};

/// slot "bias": added to the scores. Most entries depend on positions only and implement tile(); those that read the text
/// say reads_content() and implement content_tile().
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

    virtual bool reads_content() const { return false; }
    /// [B, H, r, c], nats; only where reads_content().
    virtual at::Tensor content_tile(const ContentView& /*view*/, const TileGeometry& /*geometry*/) { return {}; }
    /// What is kept per token beside its key, from the layer's normed input [B, T, E] -> [B, S, T, n]; undefined for nothing.
    virtual at::Tensor token_state(const at::Tensor& /*normed*/) { return {}; }
    /// What the bias adds to the outputs, from weights [B, H, r, c] -> [B, H, r, d] (Shaw's vectors on the value side); undefined for
    /// nothing. Only where reads_content().
    virtual at::Tensor value_term(const at::Tensor& /*weights*/, const TileGeometry& /*geometry*/) { return {}; }
    /// content_tile() needs every key from the block's first one to the query's own (CoPE counts them).
    virtual bool needs_row_end() const { return false; }
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
