#include "core/position/preview_parts.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

namespace lw {

namespace {

std::vector<double> row_of(const at::Tensor& row) {
    const auto values = row.to(at::kCPU, at::kDouble).contiguous();
    return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

/// Mean over pairs of cos(f θ), times the square of the factor on cos and sin. decay: a factor per token of distance on each pair.
std::vector<double> similarity(const at::Tensor& distances, const Frequencies& frequencies, const std::vector<double>& decay) {
    const auto f = distances.reshape({-1, 1});
    auto pairs = (f * frequencies.theta(at::kCPU)).cos();                          // [n, d/2]
    if (!decay.empty()) pairs = pairs * at::pow(at::tensor(decay, at::kDouble), f);
    return row_of(pairs.mean(1) * (frequencies.attention_factor * frequencies.attention_factor));
}

/// RoFormer (Su et al., 2021, section 3.4.3, equation 37): by Abel summation |qᵀk| is at most a factor of q and k alone times the sum over
/// j of |S_j|, S_j = Σ_{m<j} exp(i f θ_m). The mean over j = 1 .. d/2 is drawn relative to its value (d/2 + 1)/2 at f = 0. A factor per
/// token of distance (xPos) belongs to the terms of the sum. The factor on cos and sin cancels.
std::vector<double> decay_bound(const at::Tensor& distances, const Frequencies& frequencies, const std::vector<double>& decay) {
    const auto f = distances.reshape({-1, 1});
    const auto angle = f * frequencies.theta(at::kCPU);                            // [n, d/2]
    const auto size = decay.empty() ? at::ones_like(angle) : at::pow(at::tensor(decay, at::kDouble), f);
    const auto sums = at::hypot((size * angle.cos()).cumsum(1), (size * angle.sin()).cumsum(1));  // |S_j| [n, d/2]
    return row_of(sums.mean(1) * (2 / (static_cast<double>(angle.size(1)) + 1)));
}

void add_rotation(const PreviewScheme& of, const at::Tensor& plain_distance, const at::Tensor& distance, EncodingPreview& preview) {
    const Frequencies plain{of.scheme.rotation()->inverse_frequencies(), 1};
    if (plain.inverse.empty()) return;  // it follows the text
    const Frequencies scaled = of.scheme.frequencies(of.request.length);
    preview.plain_frequency = plain.inverse;
    preview.frequency = scaled.inverse;
    preview.attention_factor = scaled.attention_factor;
    for (const double theta : plain.inverse) {
        preview.turns_in_training.push_back(static_cast<double>(of.request.train_length) * theta / (2 * std::numbers::pi));
    }
    const auto decay = of.scheme.rotation()->decay();
    preview.plain_similarity = similarity(plain_distance, plain, decay);
    preview.similarity = similarity(distance, scaled, decay);
    preview.plain_decay_bound = decay_bound(plain_distance, plain, decay);
    preview.decay_bound = decay_bound(distance, scaled, decay);
}

void add_bias(const PreviewScheme& of, const TileGeometry& geometry, const at::Tensor& distance, EncodingPreview& preview) {
    auto& bias = *of.slots().bias;
    if (bias.reads_content()) return;
    const auto rows = of.slots().distance && bias.distance_only() ? bias.by_distance(distance.reshape(-1).clamp_min(0), geometry)  // [H, n]
                                                                          : bias.tile(geometry).select(1, 0);                             // [H, n]
    for (std::int64_t h = 0; h < rows.size(0); ++h) preview.bias.push_back(row_of(rows[h]));
}

void add_input(const PreviewScheme& of, const at::Tensor& query, const at::Tensor& keys, EncodingPreview& preview) {
    auto& input = *of.scheme.input();
    const auto of_keys = input.table(of.positions.absolute.index_select(-1, keys));      // [n, E]
    const auto of_query = input.table(of.positions.absolute.index_select(-1, query));    // [1, E]
    if (!of_keys.defined()) return;                                                      // made from the tokens
    preview.input_dot.push_back(row_of((of_keys * of_query).sum(-1) / (of_query * of_query).sum().clamp_min(1e-30)));
}

}  // namespace

TileGeometry PreviewScheme::geometry(const at::Tensor& queries, const at::Tensor& keys) const {
    TileGeometry made;
    made.query_indices = queries.to(at::kDouble);
    made.key_indices = keys.to(at::kDouble);
    made.query_positions = positions.relative.index_select(-1, queries);
    made.key_positions = positions.relative.index_select(-1, keys);
    made.length = request.length;
    made.train_length = request.train_length;
    return made;
}

MappedPositions preview_positions(PositionScheme& scheme, const PreviewRequest& request) {
    const PositionContext context{.length = request.length, .train_length = request.train_length};
    const auto indices = at::arange(request.length, at::kDouble);
    // Maps that read the tokens have none here; they leave a text without segments as it is.
    if (scheme.positions() && scheme.positions()->reads_tokens()) return {indices, indices};
    auto mapped = scheme.map_positions(indices, context);
    for (auto* positions : {&mapped.absolute, &mapped.relative}) {
        if (positions->dim() == 2) *positions = (*positions)[0];
    }
    return mapped;
}

at::Tensor effective_distances(const PreviewScheme& of, const TileGeometry& geometry) {
    const auto& map = of.slots().distance;
    if (!map) return geometry.query_positions.unsqueeze(1) - geometry.key_positions.unsqueeze(0);
    const auto f = map->distance(geometry);
    return f.dim() == 3 ? f[0] : f;
}

at::Tensor visible_places(const PreviewScheme& of, const TileGeometry& geometry) {
    const auto& pattern = of.slots().visibility;
    if (pattern) return pattern->visible(geometry);
    return geometry.key_places().unsqueeze(0).le(geometry.query_places().unsqueeze(1));
}

void preview_row(const PreviewScheme& of, EncodingPreview& preview) {
    const auto last = at::full({1}, of.request.length - 1, at::kLong);
    const auto plain_distance = at::tensor(preview.distance, at::kLong);  // [n]
    const auto keys = of.request.length - 1 - plain_distance;
    const auto geometry = of.geometry(last, keys);
    const auto distance = effective_distances(of, geometry)[0];           // [n]
    const auto seen = visible_places(of, geometry)[0];
    for (std::int64_t n = 0; n < seen.numel(); ++n) preview.visible.push_back(seen[n].item<bool>());
    const auto& layer = of.slots();
    if (layer.distance || of.scheme.positions()) {
        const auto all = layer.distance ? layer.distance->distance(geometry) : distance.unsqueeze(0);  // [1, n] or [H, 1, n]
        for (const auto& row : all.reshape({-1, distance.numel()}).unbind()) preview.effective_distance.push_back(row_of(row));
    }
    if (layer.bias) add_bias(of, geometry, distance, preview);
    if (layer.rotation) add_rotation(of, plain_distance.to(at::kDouble), distance, preview);
    if (of.scheme.input()) add_input(of, last, keys, preview);
}

void preview_factors(const PreviewScheme& of, EncodingPreview& preview) {
    const auto& temperature = of.slots().temperature;
    if (!temperature) return;
    const auto places = at::tensor(preview.distance, at::kLong);
    const auto geometry = of.geometry(places, places.slice(0, 0, 1));
    auto factor = at::ones({of.request.heads, places.numel()}, at::kDouble);                      // [H, n]
    if (const auto content = temperature->content_factor(geometry); content.defined()) factor = factor * content;
    if (temperature->changes_logit()) {
        // A method may shift scores as well; the factor is the slope.
        const auto one = at::ones({1, of.request.heads, places.numel(), 1}, at::kDouble);
        factor = factor * (temperature->apply(one, geometry) - temperature->apply(at::zeros_like(one), geometry))[0].squeeze(-1);
    }
    const bool alike = factor.eq(factor[0]).all().item<bool>();
    for (std::int64_t h = 0; h < (alike ? 1 : of.request.heads); ++h) preview.row_factor.push_back(row_of(factor[h]));
}

}  // namespace lw
