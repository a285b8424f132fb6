#pragma once
/// A layer made ready for maps: exact pixels straight from q and k where its scores are content + static bias + DAPE's network under a
/// causal softmax, on the CPU in float32. A cell is computed once, in registers, and reduced on the spot: neither scores nor hidden values of
/// a tile are ever in memory. Layers with other terms take the general path of part_tile().

#include "core/attention/pooling.h"
#include "core/attention/score_tile.h"

#include <stop_token>

namespace lw {

/// What is to be reduced: cells of the map into whole pixels, the last of which may hold fewer.
struct PixelRequest {
    ScorePart part = ScorePart::logit;
    std::int64_t head = -1;  ///< -1 = all
    Span rows, columns;
    std::int64_t row_cells = 1, column_cells = 1;  ///< of one pixel
    Reducer reducer = Reducer::mean;
};

/// Immutable once made: any thread may read it.
class TileReader {
public:
    /// Null where the layer needs the general path. inputs: one sequence, all of its queries and keys; log_normaliser [H, T].
    static std::shared_ptr<const TileReader> of(const LayerScheme& layer, const AttentionInputs& inputs, const at::Tensor& log_normaliser);

    /// [H or 1, rows, columns] of pixels, NaN where none of a pixel's cells is visible. Runs on all threads; throws
    /// Failure(cancelled) within about a millisecond of work once `stop` asks for it.
    [[nodiscard]] at::Tensor pixels(const PixelRequest& request, const std::stop_token& stop) const;

    /// True where one head's values need the scores of all heads: they are then computed for all at once.
    [[nodiscard]] bool mixes_heads(ScorePart part) const;
    /// Tables that are kept beside q and k, bytes.
    [[nodiscard]] std::int64_t bytes() const;

private:
    friend class TileWork;
    TileReader() = default;
    void make_tables();

    LayerScheme layer_{};
    AttentionInputs inputs_{};
    std::int64_t heads_ = 0, length_ = 0;
    at::Tensor q_, k_;        // [H, T, d], [Hkv, T, d]; the product is scaled by 1 / √d
    at::Tensor normaliser_;   // [T, H]
    at::Tensor bias_table_;   // [H, T + room]: column c is distance T − 1 − c; undefined where the bias is no table
    at::Tensor hidden_table_; // [D, T + room]: W1 · B + b1 likewise
    at::Tensor w1_content_, w2_;        // [D, H] and [H, D], interleaved as kernels read them
    at::Tensor w1_bias_, b1_, b2_;      // [D, H], [D], [H]
    std::int64_t hidden_ = 0;           // D
    double slope_ = 0;
    bool adds_bias_ = true;
};

}  // namespace lw
