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
at::Tensor bias(const ScoreParts& parts, const at::Tensor&) { return parts.bias.defined() ? parts.bias_of(0) : zeros_like_scores(parts); }
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

/// Rows of a block so that its temporaries stay near 16 MB.
std::int64_t block_rows(const LayerScores& scores, std::int64_t columns) {
    AttentionInputs const& inputs = scores.inputs;
    const auto channels = 6 * inputs.q.size(1) + (scores.layer.adaptive ? 64 : 0);
    return std::max<std::int64_t>(1, 4LL * 1024 * 1024 / std::max<std::int64_t>(1, channels * columns));
}

/// Middle cells of pixels of `step` cells in [begin, end).
at::Tensor middle_cells(CellRange range, std::int64_t step, at::Device device) {
    const auto starts = at::arange(range.begin, range.end, step, at::TensorOptions(at::kLong).device(device));
    return (starts + step / 2).clamp_max(range.end - 1);
}

/// The scores restricted to some queries (and, without a halo, some keys).
LayerScores pick(const LayerScores& scores, const at::Tensor& queries, const at::Tensor& keys) {
    LayerScores picked{scores.layer, scores.inputs, {}};
    picked.inputs.steps = PositionSteps::not_known;
    picked.inputs.q = scores.inputs.q.index_select(2, queries);
    picked.inputs.query_positions = scores.inputs.query_positions.index_select(0, queries);
    picked.log_normaliser = scores.log_normaliser.index_select(1, queries);
    picked.inputs.k = scores.inputs.k.index_select(2, keys);
    picked.inputs.key_positions = scores.inputs.key_positions.index_select(0, keys);
    if (scores.inputs.query_indices.defined()) picked.inputs.query_indices = scores.inputs.query_indices.index_select(0, queries);
    if (scores.inputs.key_indices.defined()) picked.inputs.key_indices = scores.inputs.key_indices.index_select(0, keys);
    return picked;
}

/// One cell per pixel of a term that reads neighbouring keys: each sampled key stands among its own neighbours, so that the rest of the row
/// is not needed. Keys at either end of the text, whose neighbours are missing, are computed one by one.
at::Tensor sampled_with_halo(const LayerScores& scores, ScorePart part, const at::Tensor& queries, const at::Tensor& keys, std::int64_t halo) {
    const auto length = scores.inputs.k.size(2);
    const auto inner = keys.ge(halo).logical_and(keys.lt(length - halo));                              // [n]
    const auto around = at::arange(-halo, halo + 1, keys.options());                                   // [2 halo + 1]
    const auto groups = (keys.masked_select(inner).unsqueeze(1) + around).reshape(-1);                 // [m (2 halo + 1)]
    const Span rows{0, queries.size(0)};
    at::Tensor values = at::empty({scores.inputs.q.size(1), rows.end, keys.size(0)}, scores.inputs.q.options());
    if (groups.numel() > 0) {
        const auto all = part_values(pick(scores, queries, groups), part, rows, {0, groups.size(0)});  // [H, r, m (2 halo + 1)]
        values.index_copy_(2, inner.nonzero().squeeze(1), all.slice(2, halo, all.size(2), 2 * halo + 1).to(values.scalar_type()));
    }
    const auto outer = pick(scores, queries, at::arange(length, keys.options()));
    const auto ends = inner.logical_not().nonzero().squeeze(1).to(at::kCPU);
    for (std::int64_t n = 0; n < ends.size(0); ++n) {
        const auto place = ends[n].item<std::int64_t>(), key = keys[place].item<std::int64_t>();
        values.select(2, place).copy_(part_values(outer, part, rows, {key, key + 1}).select(2, 0));
    }
    return values;
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
    return sampled_with_halo(scores, request.part, queries, keys, halo);
}

}  // namespace

bool needs_whole_rows(const LayerScores& scores, ScorePart part) {
    const bool counts_to_the_end = scores.layer.bias && scores.layer.bias->needs_row_end() && part != ScorePart::content;
    return counts_to_the_end || (part == ScorePart::probability && !scores.log_normaliser.defined());
}

bool mixes_heads(const LayerScores& scores, ScorePart part) { return scores.layer.adaptive && part != ScorePart::content && part != ScorePart::bias; }

namespace {

bool needs_all_weights(const LayerScores& scores, ScorePart part) { return part == ScorePart::probability && !scores.log_normaliser.defined(); }

/// Weights of a normaliser that depends on more of a row than one number: whole rows are computed and cropped.
at::Tensor whole_row_weights(const LayerScores& scores, Span rows, Span columns) {
    const auto parts = score_parts(scores.layer, scores.inputs, rows, {0, scores.inputs.k.size(2)});
    const auto weights = weights_of(scores.layer, parts.masked_logit(), parts.geometry)[0].slice(-1, columns.begin, columns.end);  // [H, r, c]
    return weights.masked_fill(parts.visible.slice(-1, columns.begin, columns.end).logical_not(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

bool can_sample(const LayerScores& scores) {
    const auto& layer = scores.layer;
    return scores.log_normaliser.defined() && !(layer.bias && layer.bias->reads_content()) && !(layer.rotation && layer.rotation->reads_state());
}

std::int64_t cells_per_pixel(std::int64_t cells, std::int64_t max_pixels) { return std::max<std::int64_t>(1, (cells + max_pixels - 1) / max_pixels); }

LayerScores scores_of(const LayerScheme& layer, const AttentionInputs& inputs, const at::Tensor& log_normaliser) {
    AttentionInputs first = inputs;
    for (auto* x : {&first.q, &first.k, &first.key_state}) {
        if (x->defined()) *x = x->narrow(0, 0, 1);
    }
    if (first.key_positions.dim() == 2) {
        first.query_positions = first.query_positions[0];
        first.key_positions = first.key_positions[0];
    }
    return {layer, first, log_normaliser.defined() ? log_normaliser[0] : at::Tensor()};
}

at::Tensor part_values(const LayerScores& scores, ScorePart part, Span rows, Span columns) {
    const auto& reader = kReaders[static_cast<std::size_t>(part)];
    if (needs_all_weights(scores, part)) return whole_row_weights(scores, rows, columns);
    LayerScheme layer = scores.layer;
    if (!reader.needs_bias) layer.bias = nullptr;
    if (!reader.needs_adaptive) layer.adaptive = nullptr;
    const auto parts = score_parts(layer, scores.inputs, rows, columns);
    const auto normaliser = scores.log_normaliser.defined() ? scores.log_normaliser.slice(1, rows.begin, rows.end) : at::Tensor();
    const auto values = reader.value(parts, normaliser);  // [H, r, c]
    return values.masked_fill(parts.visible.logical_not(), std::numeric_limits<double>::quiet_NaN());
}

namespace {

/// The general path: blocks of rows, in whole pixels where a pixel's rows fit a block, else a pixel's rows in several.
at::Tensor pixels_by_blocks(const LayerScores& scores, const TileRequest& request, PixelSize size, const std::function<void()>& poll) {
    const auto columns = needs_whole_rows(scores, request.part) ? scores.inputs.k.size(2) : request.keys.size();
    const auto rows = block_rows(scores, columns);
    const Span keys{request.keys.begin, request.keys.end};
    const auto values = [&](std::int64_t begin, std::int64_t end) {
        poll();
        return part_values(scores, request.part, {begin, end}, keys);
    };
    const auto step = std::max<std::int64_t>(1, rows / size.row_cells) * size.row_cells;
    std::vector<at::Tensor> pixels;
    for (auto begin = request.queries.begin; begin < request.queries.end; begin += step) {
        const auto end = std::min(begin + step, request.queries.end);
        if (rows >= size.row_cells) {
            pixels.push_back(pool_cells(values(begin, end), size.row_cells, size.column_cells, request.reducer));
            continue;
        }
        PixelRow row(size.column_cells, request.reducer);
        for (auto at = begin; at < end; at += rows) row.add(values(at, std::min(at + rows, end)));
        pixels.push_back(row.pixels());
    }
    return at::cat(pixels, 1);  // [H, rows, columns]
}

}  // namespace

at::Tensor part_tile(const LayerScores& scores, const TileRequest& request, const std::function<void()>& poll, const std::stop_token& stop) {
    const PixelSize size{cells_per_pixel(request.queries.size(), request.max_rows), cells_per_pixel(request.keys.size(), request.max_columns)};
    return part_pixels(scores, request, size, poll, stop);
}

at::Tensor part_pixels(const LayerScores& scores, const TileRequest& request, PixelSize size, const std::function<void()>& poll, const std::stop_token& stop) {
    if (request.sampled && can_sample(scores)) return sampled_tile(scores, request, size.row_cells, size.column_cells);
    if (scores.reader && !needs_all_weights(scores, request.part)) {
        return scores.reader->pixels({request.part, request.head, {request.queries.begin, request.queries.end}, {request.keys.begin, request.keys.end},
                                      size.row_cells, size.column_cells, request.reducer}, stop);
    }
    return pixels_by_blocks(scores, request, size, poll);
}

}  // namespace lw
