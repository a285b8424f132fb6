#include "core/attention/score_tile.h"

#include <ATen/ATen.h>

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

at::Tensor content_scores(const at::Tensor& q, const at::Tensor& k) {
    TORCH_CHECK(q.size(1) % k.size(1) == 0, "query heads ", q.sizes(), " are no multiple of key heads ", k.sizes());
    const auto scaled = q * (1.0 / std::sqrt(static_cast<double>(q.size(-1))));  // [B, H, r, d]
    const auto scores = at::matmul(group_rows(scaled, k.size(1)), k.transpose(-2, -1));  // [B, Hkv, G r, c]
    return scores.reshape({q.size(0), q.size(1), q.size(2), k.size(2)});
}

at::Tensor repeated_to(const at::Tensor& x, std::int64_t heads) {
    if (x.size(1) == heads) return x;
    return x.repeat_interleave(heads / x.size(1), 1);
}

at::Tensor weighted_values(const at::Tensor& weights, const at::Tensor& v) {
    const auto mixed = at::matmul(group_rows(weights, v.size(1)), v);  // [B, Hkv, G r, d]
    return mixed.reshape({weights.size(0), weights.size(1), weights.size(2), v.size(3)});
}

at::Tensor ScoreParts::logit() const {
    auto sum = content;
    if (bias.defined() && adds_bias) sum = sum + bias;
    if (adaptive.defined()) sum = sum + adaptive;
    return sum;
}

at::Tensor ScoreParts::masked_logit() const {
    return logit().masked_fill(visible.logical_not(), -std::numeric_limits<double>::infinity());
}

ScoreParts score_parts(const LayerScheme& layer, const AttentionInputs& inputs, Span rows, Span columns) {
    const auto halo = layer.adaptive ? layer.adaptive->halo() : 0;
    const Span wide{std::max<std::int64_t>(columns.begin - halo, 0), std::min(columns.end + halo, inputs.k.size(2))};
    const auto left = columns.begin - wide.begin;

    TileGeometry geometry;
    geometry.query_positions = inputs.query_positions.slice(0, rows.begin, rows.end);
    geometry.key_positions = inputs.key_positions.slice(0, wide.begin, wide.end);
    geometry.length = inputs.length;
    geometry.train_length = inputs.train_length;

    ScoreParts parts;
    const auto q = inputs.q.slice(2, rows.begin, rows.end);          // [B, H, r, d]
    const auto k = inputs.k.slice(2, wide.begin, wide.end);          // [B, Hkv, c + halo, d]
    const auto content = content_scores(q, k);                       // [B, H, r, c + halo]
    at::Tensor bias;
    if (layer.bias) bias = layer.bias->tile(geometry);               // [H, r, c + halo]
    if (layer.adaptive) {
        const auto f = layer.adaptive->tile(content, bias, geometry);
        parts.adaptive = cropped(f, left, columns.size());
        parts.adds_bias = layer.adaptive->adds_bias();
    }
    parts.content = cropped(content, left, columns.size());
    if (bias.defined()) parts.bias = cropped(bias, left, columns.size());
    const auto keys = inputs.key_positions.slice(0, columns.begin, columns.end);
    parts.visible = keys.unsqueeze(0).le(geometry.query_positions.unsqueeze(1));  // [r, c]
    return parts;
}

}  // namespace lw
