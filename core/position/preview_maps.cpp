#include "core/position/preview_parts.h"

#include <ATen/ATen.h>

#include <limits>

namespace lw {

namespace {

template <class T>
std::vector<T> values_of(const at::Tensor& x) {
    const auto flat = x.contiguous();
    return {flat.const_data_ptr<T>(), flat.const_data_ptr<T>() + flat.numel()};
}

}  // namespace

void preview_maps(const PreviewScheme& of, EncodingPreview& preview) {
    const auto cells = std::min(of.request.map_cells, of.request.length);
    // Evenly spread places, the first and the last token among them.
    const auto places = at::linspace(0, static_cast<double>(of.request.length - 1), cells, at::kDouble).round().to(at::kLong);  // [m]
    preview.map_index = values_of<std::int64_t>(places);
    const auto geometry = of.geometry(places, places);
    const auto hidden = visible_places(of, geometry).logical_not();
    preview.distance_map = values_of<double>(effective_distances(of, geometry).to(at::kDouble).masked_fill(hidden, std::numeric_limits<double>::quiet_NaN()));
    if (!of.scheme.has_rotation() || of.scheme.rotation()->inverse_frequencies().empty()) return;
    const auto frequencies = of.scheme.frequencies(of.request.length);
    preview.wave_map = values_of<double>((geometry.query_positions.unsqueeze(1) * frequencies.theta(at::kCPU)).cos());          // [m, d/2]
}

}  // namespace lw
