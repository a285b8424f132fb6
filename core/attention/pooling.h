#pragma once
/// Many score cells -> one pixel: mean, max or signed max-abs, ignoring masked cells.

#include "core/api/maps.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace lw {

/// values [H, r, c] with NaN where masked, pooled over rb x cb cells (the last pixel may hold fewer): [H, ceil(r/rb), ceil(c/cb)];
/// NaN where no cell is visible.
at::Tensor pool_cells(const at::Tensor& values, std::int64_t row_block, std::int64_t column_block, Reducer reducer);

/// One row of pixels from its cells in pieces, where they are too many to be in memory at once.
class PixelRow {
public:
    PixelRow(std::int64_t column_block, Reducer reducer) : column_block_(column_block), reducer_(reducer) {}
    /// The next rows of cells, [H, r, c] with NaN where masked.
    void add(const at::Tensor& values);
    /// [H, 1, ceil(c/cb)], NaN where no cell is visible.
    at::Tensor pixels() const;

private:
    std::int64_t column_block_;
    Reducer reducer_;
    std::vector<at::Tensor> pooled_, counts_;  ///< of each piece, [H, 1, C]
};

}  // namespace lw
