#pragma once
/// What the CPU attention kernels are asked to compute: plain pointers and numbers, so that kernels compile without LibTorch's headers.
///
///   S_h = scale · q_h · k_h;   logit_h = S_h + B_h (where added) + f_h(S, B);   f = W2 · leaky(W1 · [S; B] + b1) + b2
///
/// over the visible keys of every query row, softmax, times values (DAPE, 2405.14722, eq. 2 and 3; the softmax is the online one of
/// Milakov and Gimelshein, 1805.02867). Everything is float32; sums over keys run in float32 per tile. In DAPE v2 (2410.04798) both layers
/// are convolutions along keys.

#include <cstdint>

namespace lw::kernels {

/// A tensor [B, heads, T, d] whose last axis is contiguous; strides count floats.
template <typename Float>
struct Strided {
    Float* data = nullptr;
    std::int64_t batch = 0, head = 0, row = 0;
    [[nodiscard]] Float* at(std::int64_t b, std::int64_t h, std::int64_t t) const { return data + b * batch + h * head + t * row; }
};
using ConstTensor = Strided<const float>;
using MutableTensor = Strided<float>;

/// A bias that is piecewise linear in x = distance[δ] / row[i], δ = |before + i - j| (FIRE, 2310.04418):
/// B_h(i, j) = slopes[p * H + h] · x + intercepts[p * H + h], where p counts the breaks <= x.
struct BiasPieces {
    const float* distance = nullptr;  ///< [distances], rising; later distances count as the last one
    std::int64_t distances = 0;
    const float* row = nullptr;       ///< [Tq], > 0
    const float* breaks = nullptr;    ///< [count], rising
    std::int64_t count = 0;
    const float *slopes = nullptr, *intercepts = nullptr;  ///< [count + 1, H]
};

/// The static bias of H heads. One of three forms, or none:
/// by distance: B_h(i, j) = table[h * stride + (before + i) - j + offset], where the index never leaves [0, stride);
/// by cell: B_h(i, j) = cells[h * cell_head + (i - first_row) * cell_row + j], for the rows of this call only;
/// by pieces, which kernels make the cells of a row and a tile from.
struct StaticBias {
    const float* table = nullptr;
    std::int64_t stride = 0, offset = 0;
    const float* cells = nullptr;
    std::int64_t cell_head = 0, cell_row = 0;
    BiasPieces pieces{};
    [[nodiscard]] bool by_pieces() const { return pieces.distance != nullptr; }
    /// Kernels hold its values of a row and a tile.
    [[nodiscard]] bool by_cell() const { return cells != nullptr || by_pieces(); }
};

/// DAPE's network; absent when w2 is null. Row-major. Weights have a leading axis of k taps where it is a convolution (DAPE v2): a hidden value of
/// key j reads S and B of keys j - k / 2 .. j + k / 2, a logit the hidden values of as many. S and B are 0 at keys after the query's own and before
/// the first; hidden values are 0 before the first key, but not after the last.
struct NetworkWeights {
    const float* w1_content = nullptr;  ///< [k, D, H], null where the content is not read
    const float* w1_bias = nullptr;     ///< [k, D, H], null where the bias is not read
    const float* b1 = nullptr;          ///< [D] or null
    const float* w2 = nullptr;          ///< [k, H, D]
    const float* b2 = nullptr;          ///< [H] or null; a constant per head leaves the softmax as it is, but not the log-normaliser
    std::int64_t hidden = 0;            ///< D
    float slope = 0.01f;
    bool adds_bias = true;              ///< the static bias is added to the logit besides f
    std::int64_t kernel = 0;            ///< k, odd and at most kMostTaps; 0: no convolution, cell by cell (DAPE v1), also at keys after the query's own
    [[nodiscard]] bool convolves() const { return kernel > 0; }
    [[nodiscard]] std::int64_t radius() const { return kernel / 2; }
    [[nodiscard]] std::int64_t taps() const { return kernel > 0 ? kernel : 1; }
};
/// A logit then reads no key farther away than a line of sixteen floats.
inline constexpr std::int64_t kMostTaps = 17;

/// Which keys a row sees: [0, min(sinks, end[i])) and [begin[i], end[i]), i counted from the call's query 0. begin and end ascend. Null begin: from 0;
/// null end: causal, before + i + 1. Where end[i] <= 0 the row sees nothing.
struct VisibleKeys {
    const std::int64_t* begin = nullptr;
    const std::int64_t* end = nullptr;
    std::int64_t sinks = 0;
};

/// Attention of query rows [first_row, last_row).
struct AttentionCall {
    std::int64_t batch = 1, heads = 1, key_heads = 1, queries = 0, keys = 0;  ///< B, H, Hkv, Tq, Tk; query head h reads key head h / (H / Hkv)
    std::int64_t width = 0, value_width = 0;                                  ///< d of q and k, and of v
    std::int64_t first_row = 0, last_row = 0;
    std::int64_t before = 0;  ///< keys that precede query 0: query i stands at key before + i
    float scale = 1.0f;
    ConstTensor q, k, v;
    StaticBias bias;
    NetworkWeights network;
    VisibleKeys visible;
};

}  // namespace lw::kernels
