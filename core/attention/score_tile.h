#pragma once
/// Score tiles: logit = content + bias + adaptive for any block of queries and keys, then mask. Training, evaluation, decoding
/// and drawing all come down to these functions; every faster path is tested equal to them.

#include "core/position/scheme.h"

#include <cstdint>

namespace lw {

/// What is known of positions since they were made, once for all layers.
enum class PositionSteps : std::uint8_t {
    not_known,
    by_one,  ///< keys rise by 1 from first_position on, and the last queries are the last keys
    other
};

/// Queries and keys of one layer, after rotation unless the layer rotates inside the tile, with their positions.
struct AttentionInputs {
    at::Tensor q;                ///< [B, H, Tq, d]
    at::Tensor k;                ///< [B, Hkv, Tk, d]; query head h uses key head h / (H / Hkv)
    at::Tensor v;                ///< [B, Hkv, Tk, d]; may be undefined where only scores are wanted
    at::Tensor query_positions;  ///< [Tq] float64, ascending
    at::Tensor key_positions;    ///< [Tk] float64, ascending; the last Tq keys are the queries' own
    std::int64_t length = 0;
    std::int64_t train_length = 0;
    at::Tensor query_indices{};  ///< [Tq] float64, places in the text where a position map made other positions; else undefined
    at::Tensor key_indices{};    ///< [Tk] float64
    at::Tensor key_state{};      ///< [B, S, Tk, n], what content-dependent slots keep per token; undefined without
    PositionSteps steps = PositionSteps::not_known;
    double first_position = 0;   ///< of key 0, where steps are by one
    bool rotated = true;         ///< false: q and k are plain, the layer's rotation and row temperature are applied inside the tile

    /// 1 / √d.
    [[nodiscard]] double score_scale() const;
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
    at::Tensor bias;      ///< [H, r, c], or [B, H, r, c] where it reads the text; undefined without a bias slot
    at::Tensor adaptive;  ///< [B, H, r, c], undefined without an adaptive slot
    at::Tensor visible;   ///< [r, c] bool
    bool adds_bias = true;
    std::shared_ptr<Temperature> temperature{};  ///< set where it changes whole logits
    TileGeometry geometry{};
    /// The bias as one sequence sees it, [H, r, c].
    [[nodiscard]] at::Tensor bias_of(std::int64_t sequence) const { return bias.dim() == 4 ? bias[sequence] : bias; }
    /// content + bias (where the scheme adds it) + adaptive, times a temperature on whole logits, [B, H, r, c], unmasked.
    [[nodiscard]] at::Tensor logit() const;
    /// The same with -inf at invisible cells.
    [[nodiscard]] at::Tensor masked_logit() const;
};

/// The block `rows` x `columns` of the scores. Halo keys that the adaptive term needs are read and cropped here.
ScoreParts score_parts(const LayerScheme& layer, const AttentionInputs& inputs, Span rows, Span columns);

/// Positions of a block.
TileGeometry geometry_of(const AttentionInputs& inputs, Span rows, Span columns);
/// The layer's row temperature on content, [r] or [H, r] float64; undefined without. Whoever hands over rotated queries has multiplied
/// them by it already; plain ones are multiplied inside the tile.
at::Tensor row_factor(const LayerScheme& layer, const TileGeometry& geometry);
/// Masked logits [B, H, r, c] -> weights by the layer's normaliser, softmax without one.
at::Tensor weights_of(const LayerScheme& layer, const at::Tensor& logit, const TileGeometry& geometry);
[[nodiscard]] inline bool has_log_normaliser(const LayerScheme& layer) { return !layer.normaliser || layer.normaliser->has_log_normaliser(); }
/// The output [B, H, r, d] of a block of masked logits [B, H, r, c] and its values [B, Hkv, c, d].
at::Tensor mixed_output(const LayerScheme& layer, const at::Tensor& logit, const TileGeometry& geometry, const at::Tensor& v);
/// True where a query may read keys after its own.
[[nodiscard]] inline bool sees_future(const LayerScheme& layer) { return layer.visibility && layer.visibility->sees_future(); }
/// log of a row's normaliser, [B, H, r]; undefined where the layer's normaliser has none.
at::Tensor log_normaliser_of(const LayerScheme& layer, const at::Tensor& logit);

/// q·k times `scale` (0 = 1 / √d) with grouped key heads: q [B, H, r, d], k [B, Hkv, c, d] -> [B, H, r, c].
at::Tensor content_scores(const at::Tensor& q, const at::Tensor& k, double scale = 0);
/// Key heads repeated to the query heads, for kernels that know no groups: [B, Hkv, n, d] -> [B, heads, n, d].
at::Tensor repeated_to(const at::Tensor& x, std::int64_t heads);
/// weights [B, H, r, c] x v [B, Hkv, c, d] -> [B, H, r, d].
at::Tensor weighted_values(const at::Tensor& weights, const at::Tensor& v);

}  // namespace lw
