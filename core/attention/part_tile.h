#pragma once
/// One part of a layer's scores for any queries and keys, pooled to pixels: what maps are made of.

#include "core/attention/pooling.h"
#include "core/attention/score_tile.h"

#include <functional>

namespace lw {

/// A layer as a text left it: q and k, log-normaliser of each row, positions.
struct LayerScores {
    const LayerScheme& layer;
    AttentionInputs inputs;     ///< batch of 1, v undefined
    at::Tensor log_normaliser;  ///< [H, T]; undefined where the layer's normaliser has none
};

/// The first sequence of what a pass left behind; log_normaliser [B, H, T] or undefined.
LayerScores scores_of(const LayerScheme& layer, const AttentionInputs& inputs, const at::Tensor& log_normaliser);

/// `part` of the block rows x columns, [H, r, c], NaN where masked. Only the terms that the part needs are computed.
at::Tensor part_values(const LayerScores& scores, ScorePart part, Span rows, Span columns);

/// The pixels of a request, [H, rows, columns], exact pooling or one cell per pixel. `poll` is called between blocks and may throw.
at::Tensor part_tile(const LayerScores& scores, const TileRequest& request, const std::function<void()>& poll);

/// Cells per pixel along one axis.
std::int64_t cells_per_pixel(std::int64_t cells, std::int64_t max_pixels);

}  // namespace lw
