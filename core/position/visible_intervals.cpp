#include "core/position/visible_intervals.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

VisibleIntervals recent_intervals(const TileGeometry& geometry, double reach, double first) {
    const auto queries = geometry.query_places().to(at::kCPU, at::kDouble).contiguous(), keys = geometry.key_places().to(at::kCPU, at::kDouble).contiguous();
    const double* from = keys.const_data_ptr<double>();
    const double* to = from + keys.numel();
    VisibleIntervals result;
    result.sinks = std::lower_bound(from, to, first) - from;
    for (const double* place = queries.const_data_ptr<double>(); result.end.size() < static_cast<std::size_t>(queries.numel()); ++place) {
        result.begin.push_back(std::lower_bound(from, to, *place - reach) - from);
        result.end.push_back(std::upper_bound(from, to, *place) - from);
    }
    return result;
}

}  // namespace lw
