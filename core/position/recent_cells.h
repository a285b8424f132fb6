#pragma once
/// Keys near the query and some from the text's start: sliding window, Λ mask, attention sinks.

#include "core/position/visibility.h"
#include "core/position/visible_intervals.h"

namespace lw {

/// Visible: keys up to the query's own with i - j <= reach, and the first keys of the text.
class RecentAndFirst final : public Visibility, public HasIntervals {
public:
    RecentAndFirst(std::int64_t reach, std::int64_t first) : reach_(static_cast<double>(reach)), first_(static_cast<double>(first)) {}
    at::Tensor visible(const TileGeometry& geometry) const override;
    VisibleIntervals intervals(const TileGeometry& geometry) const override { return recent_intervals(geometry, reach_, first_); }

private:
    double reach_, first_;
};

}  // namespace lw
