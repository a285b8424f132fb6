#include "core/position/visible_intervals.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

namespace {

at::Tensor on_host(const at::Tensor& places) { return places.to(at::kCPU, at::kDouble).contiguous(); }

}  // namespace

VisibleIntervals intervals_from(const TileGeometry& geometry, const std::function<double(double)>& from) {
    const auto queries = on_host(geometry.query_places()), keys = on_host(geometry.key_places());
    const double* first = keys.const_data_ptr<double>();
    const double* last = first + keys.numel();
    VisibleIntervals result;
    for (const double* place = queries.const_data_ptr<double>(); result.end.size() < static_cast<std::size_t>(queries.numel()); ++place) {
        result.begin.push_back(std::lower_bound(first, last, from(*place)) - first);
        result.end.push_back(std::upper_bound(first, last, *place) - first);
    }
    return result;
}

VisibleIntervals recent_intervals(const TileGeometry& geometry, double reach, double first) {
    auto result = intervals_from(geometry, [reach](double place) { return place - reach; });
    const auto keys = on_host(geometry.key_places());
    const double* begin = keys.const_data_ptr<double>();
    result.sinks = std::lower_bound(begin, begin + keys.numel(), first) - begin;
    return result;
}

}  // namespace lw
