#pragma once
/// One part of a layer's scores for any queries and keys, pooled to pixels: what maps are made of.

#include "core/attention/pooling.h"
#include "core/attention/score_tile.h"
#include "core/attention/tile_reader.h"

#include <functional>

namespace lw {

/// A layer as a text left it: q and k, log-normaliser of each row, positions.
struct LayerScores {
    const LayerScheme& layer;
    AttentionInputs inputs;     ///< batch of 1, v undefined
    at::Tensor log_normaliser;  ///< [H, T]; undefined where the layer's normaliser has none
    std::shared_ptr<const TileReader> reader{};  ///< makes pixels where the layer has one; null = the general path
};

/// The first sequence of what a pass left behind; log_normaliser [B, H, T] or undefined.
LayerScores scores_of(const LayerScheme& layer, const AttentionInputs& inputs, const at::Tensor& log_normaliser);

/// `part` of the block rows x columns, [H, r, c], NaN where masked. Only the terms that the part needs are computed.
at::Tensor part_values(const LayerScores& scores, ScorePart part, Span rows, Span columns);

/// The pixels of a request, [H, rows, columns], exact pooling or one cell per pixel; [1, rows, columns] where a head is asked for and a
/// reader serves it. `poll` is called between blocks and may throw; `stop` is looked at within a reader's work.
at::Tensor part_tile(const LayerScores& scores, const TileRequest& request, const std::function<void()>& poll, const std::stop_token& stop = {});
/// The same with pixels of so many cells, whatever request.max_rows and max_columns say.
struct PixelSize {
    std::int64_t row_cells = 1, column_cells = 1;
};
at::Tensor part_pixels(const LayerScores& scores, const TileRequest& request, PixelSize size, const std::function<void()>& poll, const std::stop_token& stop = {});

/// One cell per pixel needs scores of scattered queries and keys, which terms that count through the text cannot give: without it a sampled
/// tile is an exact one.
bool can_sample(const LayerScores& scores);
/// True where values of a part need whole rows, whatever columns are asked for: tiles of it are best as wide as the map.
bool needs_whole_rows(const LayerScores& scores, ScorePart part);
/// True where one head's values need the scores of all heads of the layer.
bool mixes_heads(const LayerScores& scores, ScorePart part);

/// Cells per pixel along one axis.
std::int64_t cells_per_pixel(std::int64_t cells, std::int64_t max_pixels);

}  // namespace lw
