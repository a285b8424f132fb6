#include "core/position/cells.h"

#include <ATen/ATen.h>

namespace lw {

at::Tensor position_differences(const TileGeometry& geometry) { return geometry.query_positions.unsqueeze(1) - geometry.key_positions.unsqueeze(0); }

at::Tensor place_differences(const TileGeometry& geometry) { return geometry.query_places().unsqueeze(1) - geometry.key_places().unsqueeze(0); }

at::Tensor causal_cells(const TileGeometry& geometry) { return geometry.key_places().unsqueeze(0).le(geometry.query_places().unsqueeze(1)); }

}  // namespace lw
