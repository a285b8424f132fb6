#include "core/position/recent_cells.h"

#include "core/position/cells.h"

#include <ATen/ATen.h>

namespace lw {

at::Tensor RecentAndFirst::visible(const TileGeometry& geometry) const {
    const auto kept = place_differences(geometry).le(reach_).logical_or(geometry.key_places().lt(first_).unsqueeze(0));  // [Tq, Tk]
    return kept.logical_and(causal_cells(geometry));
}

}  // namespace lw
