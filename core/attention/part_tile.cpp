#include "core/attention/part_tile.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lw {

namespace {

/// How one part is read from a block: which terms it needs, and the value.
struct PartReader {
    bool needs_bias, needs_adaptive;
    at::Tensor (*value)(const ScoreParts&, const at::Tensor& log_normaliser);  // -> [H, r, c]
};

at::Tensor zeros_like_scores(const ScoreParts& parts) { return at::zeros_like(parts.content[0]); }
at::Tensor content(const ScoreParts& parts, const at::Tensor&) { return parts.content[0]; }
at::Tensor bias(const ScoreParts& parts, const at::Tensor&) { return parts.bias.defined() ? parts.bias : zeros_like_scores(parts); }
at::Tensor adaptive(const ScoreParts& parts, const at::Tensor&) {
    return parts.adaptive.defined() ? parts.adaptive[0] : zeros_like_scores(parts);
}
at::Tensor bias_adaptive(const ScoreParts& parts, const at::Tensor& normaliser) {
    return parts.adds_bias ? bias(parts, normaliser) + adaptive(parts, normaliser) : adaptive(parts, normaliser);
}
at::Tensor logit(const ScoreParts& parts, const at::Tensor&) { return parts.logit()[0]; }
at::Tensor probability(const ScoreParts& parts, const at::Tensor& normaliser) {
    return (parts.logit()[0] - normaliser.unsqueeze(-1)).exp();  // exact: the normaliser is that of the whole row
}

constexpr std::array<PartReader, 6> kReaders{{{false, false, content},
                                              {true, false, bias},
                                              {true, true, adaptive},
                                              {true, true, bias_adaptive},
                                              {true, true, logit},
                                              {true, true, probability}}};  // in the order of ScorePart

/// Rows of a block so that its temporaries stay near 16 MB, in whole pixels.
std::int64_t block_rows(const LayerScores& scores, std::int64_t columns, std::int64_t row_cells) {
    AttentionInputs const& inputs = scores.inputs;
    const auto channels = 6 * inputs.q.size(1) + (scores.layer.adaptive ? 64 : 0);
    const auto rows = 4LL * 1024 * 1024 / std::max<std::int64_t>(1, channels * columns);
    return std::max<std::int64_t>(1, rows / row_cells) * row_cells;
}

/// Middle cells of pixels of `step` cells in [begin, end).
at::Tensor middle_cells(CellRange range, std::int64_t step, at::Device device) {
    const auto starts = at::arange(range.begin, range.end, step, at::TensorOptions(at::kLong).device(device));
    return (starts + step / 2).clamp_max(range.end - 1);
}

/// The scores restricted to some queries (and, without a halo, some keys).
LayerScores pick(const LayerScores& scores, const at::Tensor& queries, const at::Tensor& keys) {
    LayerScores picked{scores.layer, scores.inputs, {}};
    picked.inputs.q = scores.inputs.q.index_select(2, queries);
    picked.inputs.query_positions = scores.inputs.query_positions.index_select(0, queries);
    picked.log_normaliser = scores.log_normaliser.index_select(1, queries);
    picked.inputs.k = scores.inputs.k.index_select(2, keys);
    picked.inputs.key_positions = scores.inputs.key_positions.index_select(0, keys);
    return picked;
}

at::Tensor sampled_tile(const LayerScores& scores, const TileRequest& request, std::int64_t row_cells, std::int64_t column_cells) {
    const auto device = scores.inputs.q.device();
    const auto queries = middle_cells(request.queries, row_cells, device);
    const auto keys = middle_cells(request.keys, column_cells, device);
    const auto halo = scores.layer.adaptive ? scores.layer.adaptive->halo() : 0;
    if (halo == 0) {
        const auto picked = pick(scores, queries, keys);
        return part_values(picked, request.part, {0, queries.size(0)}, {0, keys.size(0)});
    }
    // The adaptive term reads neighbouring keys, so all keys of the sampled rows are computed.
    const auto picked = pick(scores, queries, at::arange(scores.inputs.k.size(2), keys.options()));
    return part_values(picked, request.part, {0, queries.size(0)}, {0, scores.inputs.k.size(2)}).index_select(2, keys);
}

}  // namespace

std::int64_t cells_per_pixel(std::int64_t cells, std::int64_t max_pixels) { return std::max<std::int64_t>(1, (cells + max_pixels - 1) / max_pixels); }

at::Tensor part_values(const LayerScores& scores, ScorePart part, Span rows, Span columns) {
    const auto& reader = kReaders[static_cast<std::size_t>(part)];
    LayerScheme layer;
    if (reader.needs_bias) layer.bias = scores.layer.bias;
    if (reader.needs_adaptive) layer.adaptive = scores.layer.adaptive;
    const auto parts = score_parts(layer, scores.inputs, rows, columns);
    const auto values = reader.value(parts, scores.log_normaliser.slice(1, rows.begin, rows.end));  // [H, r, c]
    return values.masked_fill(parts.visible.logical_not(), std::numeric_limits<double>::quiet_NaN());
}

at::Tensor part_tile(const LayerScores& scores, const TileRequest& request, const std::function<void()>& poll) {
    const auto row_cells = cells_per_pixel(request.queries.size(), request.max_rows);
    const auto column_cells = cells_per_pixel(request.keys.size(), request.max_columns);
    if (request.sampled) return sampled_tile(scores, request, row_cells, column_cells);
    const auto block = block_rows(scores, request.keys.size(), row_cells);
    std::vector<at::Tensor> pixels;
    for (auto begin = request.queries.begin; begin < request.queries.end; begin += block) {
        poll();
        const auto end = std::min(begin + block, request.queries.end);
        pixels.push_back(pool_cells(part_values(scores, request.part, {begin, end}, {request.keys.begin, request.keys.end}), row_cells,
                                    column_cells, request.reducer));
    }
    return at::cat(pixels, 1);  // [H, rows, columns]
}

}  // namespace lw
