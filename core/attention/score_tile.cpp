#include "core/attention/score_tile.h"

#include "core/position/cells.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lw {

namespace {

/// Folds the query heads that share a key head into the row axis, so that one batched product serves the group.
at::Tensor group_rows(const at::Tensor& x, std::int64_t key_heads) {
    const auto b = x.size(0), h = x.size(1), r = x.size(2), n = x.size(3);
    return x.reshape({b, key_heads, h / key_heads * r, n});  // [B, Hkv, G r, n]
}

at::Tensor cropped(const at::Tensor& x, std::int64_t begin, std::int64_t size) {
    return x.size(-1) == size ? x : x.narrow(-1, begin, size);
}

}  // namespace

double AttentionInputs::score_scale() const { return 1.0 / std::sqrt(static_cast<double>(q.size(-1))); }

TileGeometry geometry_of(const AttentionInputs& inputs, Span rows, Span columns) {
    TileGeometry geometry;
    geometry.query_positions = inputs.query_positions.slice(0, rows.begin, rows.end);
    geometry.key_positions = inputs.key_positions.slice(0, columns.begin, columns.end);
    geometry.length = inputs.length;
    geometry.train_length = inputs.train_length;
    if (inputs.steps == PositionSteps::by_one) {
        const auto before = inputs.key_positions.numel() - inputs.query_positions.numel();
        geometry.unit_steps = UnitSteps{inputs.first_position + static_cast<double>(before + rows.begin), inputs.first_position + static_cast<double>(columns.begin)};
    }
    if (inputs.query_indices.defined()) geometry.query_indices = inputs.query_indices.slice(0, rows.begin, rows.end);
    if (inputs.key_indices.defined()) geometry.key_indices = inputs.key_indices.slice(0, columns.begin, columns.end);
    return geometry;
}

at::Tensor row_factor(const LayerScheme& layer, const TileGeometry& geometry) {
    return layer.temperature ? layer.temperature->content_factor(geometry) : at::Tensor();
}

at::Tensor weights_of(const LayerScheme& layer, const at::Tensor& logit, const TileGeometry& geometry) {
    return layer.normaliser ? layer.normaliser->weights(logit, geometry) : at::softmax(logit, -1);
}

at::Tensor log_normaliser_of(const LayerScheme& layer, const at::Tensor& logit) {
    return layer.normaliser ? layer.normaliser->log_normaliser(logit) : at::logsumexp(logit, -1);
}

at::Tensor content_scores(const at::Tensor& q, const at::Tensor& k, double scale) {
    TORCH_CHECK(q.size(1) % k.size(1) == 0, "query heads ", q.sizes(), " are no multiple of key heads ", k.sizes());
    const auto scaled = q * (scale != 0 ? scale : 1.0 / std::sqrt(static_cast<double>(q.size(-1))));  // [B, H, r, d]
    const auto scores = at::matmul(group_rows(scaled, k.size(1)), k.transpose(-2, -1));  // [B, Hkv, G r, c]
    return scores.reshape({q.size(0), q.size(1), q.size(2), k.size(2)});
}

at::Tensor repeated_to(const at::Tensor& x, std::int64_t heads) {
    if (x.size(1) == heads) return x;
    return x.repeat_interleave(heads / x.size(1), 1);
}

at::Tensor weighted_values(const at::Tensor& weights, const at::Tensor& v) {
    TORCH_CHECK(v.size(1) > 0 && weights.size(1) % v.size(1) == 0, "rows of ", weights.size(1), " heads are no multiple of ", v.size(1), " value heads");
    const auto mixed = at::matmul(group_rows(weights, v.size(1)), v);  // [B, Hkv, G r, d]
    return mixed.reshape({weights.size(0), weights.size(1), weights.size(2), v.size(3)});
}

at::Tensor mixed_output(const LayerScheme& layer, const at::Tensor& logit, const TileGeometry& geometry, const at::Tensor& v) {
    const auto weights = weights_of(layer, logit, geometry);           // [B, H, r, c]
    const auto output = weighted_values(weights, v);                   // [B, H, r, d]
    if (!layer.bias || !layer.bias->reads_content()) return output;
    const auto term = layer.bias->value_term(weights, geometry);
    return term.defined() ? output + term : output;
}

at::Tensor ScoreParts::logit() const {
    auto sum = content;
    if (bias.defined() && adds_bias) sum = sum + bias;
    if (adaptive.defined()) sum = sum + adaptive;
    return temperature ? temperature->apply(sum, geometry) : sum;
}

at::Tensor ScoreParts::masked_logit() const {
    return logit().masked_fill(visible.logical_not(), -std::numeric_limits<double>::infinity());
}

namespace {

/// One block being computed: plain slices of the inputs and where they lie.
struct Block {
    const LayerScheme& layer;
    const AttentionInputs& inputs;
    Span rows, columns;  // columns with halo
    TileGeometry geometry;
    at::Tensor q, k;     // [B, H, r, d], [B, Hkv, c, d]

    [[nodiscard]] at::Tensor rotated(const at::Tensor& x, const at::Tensor& positions, Side side) const {
        return layer.rotate(x, positions, inputs.length, inputs.train_length, side);
    }
    [[nodiscard]] std::int64_t first_row() const { return inputs.k.size(2) - inputs.q.size(2) + rows.begin; }
};

/// Scores under a distance map: one product per branch.
at::Tensor branched_content(const Block& block) {
    at::Tensor total;
    for (const auto& branch : block.layer.distance->branches(block.geometry)) {
        // Positions per head turn every query head's keys differently, so heads cannot share them.
        const auto k = branch.key_positions.dim() == 1 ? block.k : repeated_to(block.k, block.q.size(1));
        const auto part = content_scores(block.rotated(block.q, branch.query_positions, Side::query),
                                         block.rotated(k, branch.key_positions, Side::key), block.inputs.score_scale());
        total = branch.chosen.defined() && total.defined() ? at::where(branch.chosen, part, total) : part;
    }
    return total;
}

/// Scores of a rotation that reads the text: it needs the keys from the first one on.
at::Tensor stateful_content(const Block& block) {
    const auto end = std::max(block.columns.end, block.first_row() + block.rows.size());  // the way to a key leads over all later tokens
    const auto all = block.layer.rotation->scores(block.q, block.inputs.k.slice(2, 0, end), block.inputs.key_state.slice(2, 0, end), block.first_row(),
                                                  block.inputs.score_scale());  // [B, H, r, end]
    return all.slice(-1, block.columns.begin, block.columns.end);
}

/// Scores of plain queries and keys, turned here.
at::Tensor turned_content(const Block& block) {
    const auto& layer = block.layer;
    if (layer.rotation && layer.rotation->reads_state()) return stateful_content(block);
    if (layer.rotation && layer.distance) return branched_content(block);
    return content_scores(block.rotated(block.q, block.geometry.query_positions, Side::query),
                          block.rotated(block.k, block.geometry.key_positions, Side::key), block.inputs.score_scale());
}

at::Tensor block_content(const Block& block) {
    if (block.inputs.rotated) return content_scores(block.q, block.k, block.inputs.score_scale());
    const auto content = turned_content(block);                               // [B, H, r, c]
    const auto factor = row_factor(block.layer, block.geometry);              // [r] or [H, r]
    return factor.defined() ? content * factor.to(content.scalar_type()).unsqueeze(-1) : content;
}

/// A distance-only bias at mapped distances f [r, c] or [H, r, c] -> [H, r, c].
at::Tensor mapped_bias(const Block& block) {
    const auto f = block.layer.distance->distance(block.geometry).clamp_min(0);
    auto& bias = *block.layer.bias;
    if (f.dim() == 2) return bias.by_distance(f.reshape(-1), block.geometry).view({-1, f.size(0), f.size(1)});
    std::vector<at::Tensor> heads;  // each head reads distances of its own
    for (std::int64_t h = 0; h < f.size(0); ++h) heads.push_back(bias.by_distance(f[h].reshape(-1), block.geometry)[h]);
    return at::stack(heads).view(f.sizes());
}

at::Tensor block_bias(const Block& block, const at::Tensor& content) {
    auto& bias = *block.layer.bias;
    if (bias.reads_content()) {
        const ContentView view{block.q, block.k, content, block.inputs.key_state, block.first_row(), block.columns.begin};
        return bias.content_tile(view, block.geometry);                       // [B, H, r, c]
    }
    // check_scheme() refuses a map beside biases that know more than the distance.
    if (block.layer.distance && bias.distance_only()) return mapped_bias(block);
    return bias.tile(block.geometry);                                         // [H, r, c]
}

/// Columns that must be computed for the asked ones to come out right.
Span widened(const LayerScheme& layer, const AttentionInputs& inputs, Span rows, Span columns) {
    const auto halo = layer.adaptive ? layer.adaptive->halo() : 0;
    Span wide{std::max<std::int64_t>(columns.begin - halo, 0), std::min(columns.end + halo, inputs.k.size(2))};
    if (layer.bias && layer.bias->needs_row_end()) wide.end = std::max(wide.end, inputs.k.size(2) - inputs.q.size(2) + rows.end);
    return wide;
}

at::Tensor visible_cells(const LayerScheme& layer, const TileGeometry& geometry) {
    if (layer.visibility) return layer.visibility->visible(geometry);
    return causal_cells(geometry);  // [r, c]
}

}  // namespace

ScoreParts score_parts(const LayerScheme& layer, const AttentionInputs& inputs, Span rows, Span columns) {
    const Span wide = widened(layer, inputs, rows, columns);
    const auto left = columns.begin - wide.begin;
    const Block block{layer, inputs, rows, wide, geometry_of(inputs, rows, wide), inputs.q.slice(2, rows.begin, rows.end),
                      inputs.k.slice(2, wide.begin, wide.end)};
    ScoreParts parts;
    const auto content = block_content(block);                       // [B, H, r, c + halo]
    at::Tensor bias;
    if (layer.bias) bias = block_bias(block, content);               // [H, r, c + halo] or [B, H, r, c + halo]
    if (layer.adaptive) {
        const auto f = layer.adaptive->tile(content, bias, block.geometry);
        parts.adaptive = cropped(f, left, columns.size());
        parts.adds_bias = layer.adaptive->adds_bias();
    }
    parts.content = cropped(content, left, columns.size());
    if (bias.defined()) parts.bias = cropped(bias, left, columns.size());
    parts.geometry = geometry_of(inputs, rows, columns);
    parts.visible = visible_cells(layer, parts.geometry);            // [r, c]
    if (layer.temperature && layer.temperature->changes_logit()) parts.temperature = layer.temperature;
    return parts;
}

}  // namespace lw
