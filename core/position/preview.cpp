/// What a scheme does to distance: without any model, or with the values of a trained one.
#include "core/position/catalogue.h"
#include "core/position/generator_scope.h"
#include "core/position/preview_parts.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

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
    between("map_cells", request.map_cells, 0, 1024);
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

void add_sentence(std::string& note, const std::string& sentence) { note += (note.empty() ? "" : " ") + sentence; }

/// No curve over the distance can show it.
bool follows_text(const std::string& slot, const PreviewScheme& of) {
    if (slot == "rotation") return of.slots().rotation->reads_state();
    return slot == "adaptive" || (slot == "bias" && of.slots().bias->reads_content());
}

void add_notes(const PreviewScheme& of, PreviewValues values, EncodingPreview& preview) {
    for (const auto& [slot, choice] : of.scheme.spec().slots) {
        const auto& info = find_entry(slot, choice.id).info;
        if (follows_text(slot, of)) {
            add_sentence(preview.note, fmt::format("{} depends on the text; open the maps of a trained run to see it.", info.name));
        } else if (info.learned && values == PreviewValues::initial) {
            preview.shows_initial_values = true;
            add_sentence(preview.note, fmt::format("{}: trained with the model; these are its values before training.", info.name));
        }
    }
    if (of.scheme.spec().slots.empty()) add_sentence(preview.note, "Nothing depends on position; only the causal mask tells order.");
}

}  // namespace

EncodingPreview preview_layer(PositionScheme& scheme, const PreviewRequest& request, std::int64_t layer, PreviewValues values) {
    check_request(request);
    const c10::InferenceMode inference;
    EncodingPreview preview;
    preview.distance = sampled_distances(request.length, request.points);
    const PreviewScheme of{scheme, request, preview_positions(scheme, request), layer};
    try {
        preview_row(of, preview);
    } catch (const Failure& failure) {
        add_sentence(preview.note, failure.what());  // a bounded table: the curve stays away, the reason is shown
    }
    preview_factors(of, preview);
    if (request.map_cells > 0) preview_maps(of, preview);
    add_notes(of, values, preview);
    return preview;
}

EncodingPreview preview_or_throw(const PreviewRequest& request) {
    check_request(request);
    const GeneratorScope generator(request.seed);
    SlotShape shape;
    shape.heads = request.heads;
    shape.head_width = request.head_width;
    shape.width = request.heads * request.head_width;
    shape.train_length = request.train_length;
    const c10::InferenceMode inference;
    PositionScheme scheme(request.scheme, shape, 1);
    scheme.eval();
    return preview_layer(scheme, request, 0, PreviewValues::initial);
}

}  // namespace lw
