#pragma once
/// Score tiles: logit = content + bias + adaptive for any block of queries and keys, then mask. Training, evaluation, decoding
/// and drawing all come down to these functions; every faster path is tested equal to them.

#include "core/position/scheme.h"

namespace lw {

/// Queries and keys of one layer, after rotation, with their positions.
struct AttentionInputs {
    at::Tensor q;                ///< [B, H, Tq, d]
    at::Tensor k;                ///< [B, Hkv, Tk, d]; query head h uses key head h / (H / Hkv)
    at::Tensor v;                ///< [B, Hkv, Tk, d]; may be undefined where only scores are wanted
    at::Tensor query_positions;  ///< [Tq] float64, ascending
    at::Tensor key_positions;    ///< [Tk] float64, ascending; the last Tq keys are the queries' own
    std::int64_t length = 0;
    std::int64_t train_length = 0;
};

/// A half-open range of rows or columns of the score matrix.
struct Span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// The parts of one block of scores. Unmasked; `visible` says which cells the mask leaves.
struct ScoreParts {
    at::Tensor content;   ///< [B, H, r, c] = q·k / √d
    at::Tensor bias;      ///< [H, r, c], undefined without a bias slot
    at::Tensor adaptive;  ///< [B, H, r, c], undefined without an adaptive slot
    at::Tensor visible;   ///< [r, c] bool
    bool adds_bias = true;
    /// content + bias (where the scheme adds it) + adaptive, [B, H, r, c], unmasked.
    [[nodiscard]] at::Tensor logit() const;
    /// The same with -inf at invisible cells.
    [[nodiscard]] at::Tensor masked_logit() const;
};

/// The block `rows` x `columns` of the scores. Halo keys that the adaptive term needs are read and cropped here.
ScoreParts score_parts(const LayerScheme& layer, const AttentionInputs& inputs, Span rows, Span columns);

/// q·k / √d with grouped key heads: q [B, H, r, d], k [B, Hkv, c, d] -> [B, H, r, c].
at::Tensor content_scores(const at::Tensor& q, const at::Tensor& k);
/// Key heads repeated to the query heads, for kernels that know no groups: [B, Hkv, n, d] -> [B, heads, n, d].
at::Tensor repeated_to(const at::Tensor& x, std::int64_t heads);
/// weights [B, H, r, c] x v [B, Hkv, c, d] -> [B, H, r, d].
at::Tensor weighted_values(const at::Tensor& weights, const at::Tensor& v);

}  // namespace lw
