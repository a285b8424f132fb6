#pragma once
/// Gradients of attention with a static bias and DAPE's network: pointwise (2405.14722, eq. 2 and 3) or two convolutions along keys (2410.04798).
/// Scores, hidden values and weights are recomputed from q, k and the rows' log-normalisers, tile by tile, so that memory stays O(T).
///
///   dP = dO · vᵀ;  dlogit = P (dP − Δ), Δ = Σ dO O;  dz = leaky'(z) W2ᵀ dlogit;  dS = dlogit + W1ᵀ dz

#include "core/attention/kernels/cpu/call.h"

namespace lw::kernels {

/// Values per channel, query row and key: data[channel * c + row * i + j], i counted from the call's query 0. A row step of -1 makes every
/// diagonal one cell, which is a table over distances with the farthest first. Rows are read in whole vectors: up to kSheetPadding
/// values after a row's last visible key exist, whatever they hold; where the network convolves, kSheetFront before its first key too.
template <typename Float>
struct Sheet {
    Float* data = nullptr;
    std::int64_t channel = 0, row = 0;
    [[nodiscard]] Float* at(std::int64_t c, std::int64_t i, std::int64_t j) const { return data + c * channel + i * row + j; }
    explicit operator bool() const { return data != nullptr; }
};
constexpr std::int64_t kSheetPadding = 64, kSheetFront = 16;
/// A score's gradient then reads no score farther away than kSheetFront.
constexpr std::int64_t kMostBackwardTaps = 9;

/// DAPE's network as backward reads it. What the first layer adds for the bias, W1_bias · B + b1, is a sheet that the caller makes: where it
/// depends on the distance only, its products and their gradients cost T D H instead of T T D H.
struct BackwardNetwork {
    const float* w1 = nullptr;      ///< W1_content [D, H], or null
    const float* w2 = nullptr;      ///< [H, D]; null: no network
    const float* b2 = nullptr;      ///< [H] or null. Its gradient is zero: a constant per head changes no weight.
    Sheet<const float> offset;      ///< D channels, or absent
    std::int64_t hidden = 0;        ///< D
    float slope = 0.01f;            ///< 0 to 1

    /// k, odd and at most kMostBackwardTaps, where both layers are convolutions, with the edges that call.h tells of. There is no offset then: w1 is
    /// [k, D, C] over the channels that are read, content first, the bias's sheet after it; w2 is [k, H, D].
    std::int64_t kernel = 0;
    const float* b1 = nullptr;      ///< [D] or null
    bool reads_content = true, reads_bias = false;
    bool adds_bias = true;          ///< the sheet is added to the logits besides
    [[nodiscard]] bool convolves() const { return kernel > 0; }
    [[nodiscard]] std::int64_t taps() const { return kernel > 0 ? kernel : 1; }
    /// C.
    [[nodiscard]] std::int64_t channels(std::int64_t heads) const { return heads * ((reads_content ? 1 : 0) + (reads_bias ? 1 : 0)); }
};

struct BackwardCall {
    std::int64_t heads = 1, key_heads = 1, queries = 0, keys = 0;  ///< H, Hkv, Tq, Tk
    std::int64_t width = 0, value_width = 0;                       ///< d of q and k, and of v
    std::int64_t before = 0;                                       ///< query i stands at key before + i
    float scale = 1.0f;
    ConstTensor q, k, v, output, d_output;     ///< [B, H or Hkv, Tq or Tk, d]
    ConstTensor log_normaliser;                ///< [B, H, Tq], of the logits with b2; `row` is the step from row to row
    Sheet<const float> bias;                   ///< H channels, added to the logits, or absent
    BackwardNetwork network;
    VisibleKeys visible;
    MutableTensor d_q;                         ///< written, rows of the tasks only
};

/// A part of the work: query rows of some heads of one sequence. With a network all heads, else all that share a key head.
struct BackwardTask {
    std::int64_t sequence = 0;
    std::int64_t first_head = 0, last_head = 0;
    std::int64_t first_row = 0, last_row = 0;
    MutableTensor d_k, d_v;                    ///< [B, Hkv, Tk, d] of the heads; tasks that run at the same time need their own
    bool adds = false;                         ///< to what d_k and d_v hold, instead of writing over it
};

/// Sums over tasks, added to; null or absent where not wanted. Whoever runs at the same time needs its own.
struct BackwardSums {
    Sheet<float> bias;      ///< H channels
    Sheet<float> offset;    ///< D channels
    float* w1 = nullptr;    ///< as the network's
    float* w2 = nullptr;    ///< as the network's
    float* b1 = nullptr;    ///< [D], where the network convolves
};

/// Runs the tasks one after the other on the calling thread.
void attention_backward(const BackwardCall& call, const BackwardTask* tasks, std::int64_t count, const BackwardSums& sums);

}  // namespace lw::kernels
