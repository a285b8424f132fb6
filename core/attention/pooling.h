#pragma once
/// Many score cells -> one pixel: mean, max or signed max-abs, ignoring masked cells.

#include "core/api/maps.h"

#include <ATen/core/Tensor.h>

namespace lw {

/// values [H, r, c] with NaN where masked, pooled over rb x cb cells (the last pixel may hold fewer): [H, ceil(r/rb), ceil(c/cb)];
/// NaN where no cell is visible.
at::Tensor pool_cells(const at::Tensor& values, std::int64_t row_block, std::int64_t column_block, Reducer reducer);

}  // namespace lw
