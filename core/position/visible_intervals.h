#pragma once
/// Masks that are intervals: what kernels need that skip the keys no row sees.

#include "core/position/geometry.h"

#include <functional>
#include <vector>

namespace lw {

/// Query i reads keys [0, min(sinks, end[i])) and [begin[i], end[i]); begin and end ascend.
struct VisibleIntervals {
    std::vector<std::int64_t> begin, end;  ///< [Tq]
    std::int64_t sinks = 0;
};

/// What a Visibility implements besides when its mask has that form. Places ascend, as everywhere.
class HasIntervals {
public:
    virtual ~HasIntervals() = default;
    [[nodiscard]] virtual VisibleIntervals intervals(const TileGeometry& geometry) const = 0;
};

/// Keys up to the query's own from place from(i) on, which rises with i.
VisibleIntervals intervals_from(const TileGeometry& geometry, const std::function<double(double)>& from);
/// Keys up to the query's own; the first for which i - j <= reach; `first` from the start of the text.
VisibleIntervals recent_intervals(const TileGeometry& geometry, double reach, double first);

}  // namespace lw
