/// Fake laboratory: previews of schemes, curves and maps. See fake_lab.h.
#include "core/api/scheme.h"
#include "tests/ui/fake_lab.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace lw {

namespace {

double number(const Params& params, const char* id, double fallback) {
    const auto found = params.find(id);
    if (found == params.end()) return fallback;
    if (const auto* d = std::get_if<double>(&found->second)) return *d;
    if (const auto* i = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*i);
    return fallback;
}

double bias_at(const SlotChoice& made, std::int64_t head, std::int64_t heads, double distance) {
    const double slope = std::pow(2.0, -8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
    if (made.id == "alibi") return -slope * number(made.params, "scale", 1) * distance;
    const double r1 = number(made.params, "r1", 1) * (0.3 + 0.2 * static_cast<double>(head));
    return -r1 * std::log1p(number(made.params, "r2", 1) * distance);
}

/// Kept up to the neighbours, counted in groups past them.
double used_distance(const SchemeSpec& scheme, double distance) {
    const auto choice = scheme.slots.find("distance");
    if (choice == scheme.slots.end()) return distance;
    const double near = number(choice->second.params, "neighbours", 64), group = number(choice->second.params, "group", 8);
    return distance <= near ? distance : near + (distance - near) / group;
}

bool is_read(const SchemeSpec& scheme, double distance) {
    const auto choice = scheme.slots.find("visibility");
    return distance >= 0 && (choice == scheme.slots.end() || distance < number(choice->second.params, "window", 128));
}

/// Mean of cos(δ θ), and the mean of |S_j| relative to that without a distance.
std::pair<double, double> similarity_and_bound(const std::vector<double>& frequency, double distance) {
    std::complex<double> sum = 0;
    double bound = 0;
    for (const double theta : frequency) {
        sum += std::polar(1.0, distance * theta);
        bound += std::abs(sum);
    }
    const auto pairs = static_cast<double>(frequency.size());
    return {sum.real() / pairs, 2 * bound / pairs / (pairs + 1)};
}

void fill_rotation(const PreviewRequest& request, EncodingPreview& preview) {
    const SlotChoice& rope = request.scheme.slots.at("rotation");
    const double base = number(rope.params, "base", 10000);
    double factor = 1;
    const bool scaled = request.scheme.slots.contains("frequency");
    if (scaled) factor = number(request.scheme.slots.at("frequency").params, "factor", 4);
    for (std::int64_t m = 0; m < request.head_width / 2; ++m) {
        const double plain = std::pow(base, -2.0 * static_cast<double>(m) / static_cast<double>(request.head_width));
        const double turns = static_cast<double>(request.train_length) * plain / (2 * std::numbers::pi);
        const double keep = std::clamp((turns - 1) / 31, 0.0, 1.0);
        preview.plain_frequency.push_back(plain);
        preview.frequency.push_back(plain * (keep + (1 - keep) / factor));
        preview.turns_in_training.push_back(turns);
    }
    preview.attention_factor = scaled ? 0.1 * std::log(factor) + 1 : 1;
    for (const std::int64_t delta : preview.distance) {
        const auto [plain, plain_bound] = similarity_and_bound(preview.plain_frequency, static_cast<double>(delta));
        const auto [mean, bound] = similarity_and_bound(preview.frequency, used_distance(request.scheme, static_cast<double>(delta)));
        preview.plain_similarity.push_back(plain);
        preview.similarity.push_back(mean);
        preview.plain_decay_bound.push_back(plain_bound);
        preview.decay_bound.push_back(bound);
    }
}

void fill_bias(const PreviewRequest& request, EncodingPreview& preview) {
    const SlotChoice& made = request.scheme.slots.at("bias");
    for (std::int64_t h = 0; h < request.heads; ++h) {
        preview.bias.emplace_back();
        for (const std::int64_t delta : preview.distance)
            preview.bias.back().push_back(bias_at(made, h, request.heads, used_distance(request.scheme, static_cast<double>(delta))));
    }
    preview.shows_initial_values = describe_method("bias", made.id).value().learned;
}

void fill_distances(const PreviewRequest& request, EncodingPreview& preview) {
    for (const std::int64_t delta : preview.distance) preview.visible.push_back(is_read(request.scheme, static_cast<double>(delta)));
    if (request.scheme.slots.contains("distance")) {
        preview.effective_distance.emplace_back();
        for (const std::int64_t delta : preview.distance) preview.effective_distance.back().push_back(used_distance(request.scheme, static_cast<double>(delta)));
    }
    if (!request.scheme.slots.contains("temperature")) return;
    preview.row_factor.emplace_back();
    const double length = std::log(static_cast<double>(request.train_length));
    for (const std::int64_t place : preview.distance) preview.row_factor.back().push_back(std::max(1.0, std::log1p(static_cast<double>(place)) / length));
}

void fill_maps(const PreviewRequest& request, EncodingPreview& preview) {
    const std::int64_t cells = std::min(request.map_cells, request.length);
    for (std::int64_t c = 0; c < cells; ++c)
        preview.map_index.push_back(cells == 1 ? 0 : std::llround(static_cast<double>(c * (request.length - 1)) / static_cast<double>(cells - 1)));
    for (const std::int64_t query : preview.map_index) {
        for (const std::int64_t key : preview.map_index) {
            const auto distance = static_cast<double>(query - key);
            preview.distance_map.push_back(is_read(request.scheme, distance) ? used_distance(request.scheme, distance) : std::numeric_limits<double>::quiet_NaN());
        }
        for (const double theta : preview.frequency) preview.wave_map.push_back(std::cos(static_cast<double>(query) * theta));
    }
}

}  // namespace

Result<EncodingPreview> preview_scheme(const PreviewRequest& request) {
    ++fake::state().preview_calls;
    const auto checked = check_scheme(request.scheme);
    if (!checked.ok()) return checked.error();
    PreviewRequest full = request;
    full.scheme = checked.value();
    EncodingPreview preview;
    preview.distance.push_back(0);
    const double last = static_cast<double>(request.length - 1);
    for (std::int64_t p = 0; p < request.points; ++p) {
        const auto delta = static_cast<std::int64_t>(std::lround(std::pow(last, static_cast<double>(p) / static_cast<double>(request.points - 1))));
        if (delta > preview.distance.back()) preview.distance.push_back(delta);
    }
    fill_distances(full, preview);
    if (full.scheme.slots.contains("bias")) fill_bias(full, preview);
    if (full.scheme.slots.contains("rotation")) fill_rotation(full, preview);
    if (full.scheme.slots.contains("input")) {
        preview.input_dot.emplace_back();
        for (const std::int64_t delta : preview.distance)
            preview.input_dot.back().push_back(std::cos(static_cast<double>(delta) * 0.02) / (1 + 0.01 * static_cast<double>(delta)));
    }
    if (full.map_cells > 0) fill_maps(full, preview);
    if (full.scheme.slots.contains("adaptive")) preview.note = "The adaptive term depends on the text and is not drawn here.";
    return preview;
}

}  // namespace lw
