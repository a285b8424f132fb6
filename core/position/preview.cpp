/// What a scheme does to distance, without any model.
#include "core/position/catalogue.h"
#include "core/position/generator_scope.h"
#include "core/position/scheme.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace lw {

namespace {

void check_request(const PreviewRequest& request) {
    const auto between = [](const char* what, std::int64_t value, std::int64_t low, std::int64_t high) {
        if (value >= low && value <= high) return;
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} is {}; it must lie between {} and {}.", what, value, low, high));
    };
    between("heads", request.heads, 1, 1024);
    between("head_width", request.head_width, 1, 4096);
    between("train_length", request.train_length, 1, std::int64_t{1} << 24);
    between("length", request.length, 1, std::int64_t{1} << 24);
    between("points", request.points, 2, 65536);
}

/// 0, then log-spaced distances to length - 1, without repeats.
std::vector<std::int64_t> sampled_distances(std::int64_t length, std::int64_t points) {
    std::vector<std::int64_t> distances = {0};
    const double far = std::log(static_cast<double>(length));
    for (std::int64_t n = 1; n < points; ++n) {
        const double share = static_cast<double>(n) / static_cast<double>(points - 1);
        const auto distance = std::min(length - 1, static_cast<std::int64_t>(std::llround(std::exp(share * far))));
        if (distance > distances.back()) distances.push_back(distance);
    }
    return distances;
}

std::vector<double> row_of(const at::Tensor& row) {
    const auto values = row.to(at::kCPU, at::kDouble).contiguous();
    return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

/// Keys at the sampled distances before the last query, nearest first.
TileGeometry last_row(const PreviewRequest& request, const std::vector<std::int64_t>& distances) {
    TileGeometry geometry;
    geometry.query_positions = at::full({1}, static_cast<double>(request.length - 1), at::kDouble);
    geometry.key_positions = static_cast<double>(request.length - 1) - at::tensor(distances, at::kLong).to(at::kDouble);
    geometry.length = request.length;
    geometry.train_length = request.train_length;
    return geometry;
}

void add_bias(EncodingPreview& preview, Bias& bias, const TileGeometry& geometry) {
    const auto tile = bias.tile(geometry);  // [H, 1, n]
    for (std::int64_t h = 0; h < tile.size(0); ++h) preview.bias.push_back(row_of(tile[h][0]));
}

std::vector<double> similarity(const std::vector<std::int64_t>& distances, const Frequencies& frequencies) {
    std::vector<double> curve;
    for (const auto distance : distances) {
        double sum = 0;
        for (const double theta : frequencies.inverse) sum += std::cos(static_cast<double>(distance) * theta);
        const double factor = frequencies.attention_factor;
        curve.push_back(sum / static_cast<double>(frequencies.inverse.size()) * factor * factor);
    }
    return curve;
}

void add_rotation(EncodingPreview& preview, const PositionScheme& scheme, const PreviewRequest& request) {
    const Frequencies plain{scheme.rotation()->inverse_frequencies(), 1};
    const Frequencies scaled = scheme.frequencies(request.length);
    preview.plain_frequency = plain.inverse;
    preview.frequency = scaled.inverse;
    preview.attention_factor = scaled.attention_factor;
    for (const double theta : plain.inverse) {
        preview.turns_in_training.push_back(static_cast<double>(request.train_length) * theta / (2 * std::numbers::pi));
    }
    preview.plain_similarity = similarity(preview.distance, plain);
    preview.similarity = similarity(preview.distance, scaled);
}

void add_sentence(std::string& note, const std::string& sentence) { note += (note.empty() ? "" : " ") + sentence; }

void add_input(EncodingPreview& preview, InputEncoding& input, const TileGeometry& geometry) {
    try {
        const auto keys = input.table(geometry.key_positions);                        // [n, E]
        const auto query = input.table(geometry.query_positions);                     // [1, E]
        const auto dot = (keys * query).sum(-1) / (query * query).sum().clamp_min(1e-30);  // [n]
        preview.input_dot.push_back(row_of(dot));
    } catch (const Failure& failure) {
        add_sentence(preview.note, failure.what());  // a bounded table: the curve stays away, the reason is shown
    }
}

void add_notes(EncodingPreview& preview, const PositionScheme& scheme) {
    for (const auto& [slot, choice] : scheme.spec().slots) {
        const auto& info = find_entry(slot, choice.id).info;
        if (slot == "adaptive") {
            add_sentence(preview.note, fmt::format("{} depends on the text; open the maps of a trained run to see it.", info.name));
        } else if (info.learned) {
            preview.shows_initial_values = true;
            add_sentence(preview.note, fmt::format("{} is learned: these are its values before training.", info.name));
        }
    }
    if (scheme.spec().slots.empty()) add_sentence(preview.note, "Nothing depends on position; only the causal mask tells order.");
}

}  // namespace

EncodingPreview preview_or_throw(const PreviewRequest& request) {
    check_request(request);
    const c10::InferenceMode inference;
    const GeneratorScope generator(request.seed);
    SlotShape shape;
    shape.heads = request.heads;
    shape.head_width = request.head_width;
    shape.width = request.heads * request.head_width;
    shape.train_length = request.train_length;
    PositionScheme scheme(request.scheme, shape, 1);
    scheme.eval();

    EncodingPreview preview;
    preview.distance = sampled_distances(request.length, request.points);
    const auto geometry = last_row(request, preview.distance);
    if (scheme.layer(0).bias) add_bias(preview, *scheme.layer(0).bias, geometry);
    if (scheme.has_rotation()) add_rotation(preview, scheme, request);
    if (scheme.input()) add_input(preview, *scheme.input(), geometry);
    add_notes(preview, scheme);
    return preview;
}

}  // namespace lw
