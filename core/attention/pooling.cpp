#include "core/attention/pooling.h"

#include <ATen/ATen.h>

#include <array>
#include <limits>

namespace lw {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Each reducer sees cells [H, R, rb, C, cb] with NaN at masked ones and at least one visible cell where its result is used.
at::Tensor reduce_mean(const at::Tensor& cells) { return at::nanmean(cells, {2, 4}); }
at::Tensor reduce_max(const at::Tensor& cells) { return at::nan_to_num(cells, -kInfinity, kInfinity, -kInfinity).amax({2, 4}); }
at::Tensor reduce_signed_max_abs(const at::Tensor& cells) {
    const auto filled = at::nan_to_num(cells, 0.0, kInfinity, -kInfinity);
    const auto highest = filled.amax({2, 4}), lowest = filled.amin({2, 4});
    return at::where(highest.ge(lowest.neg()), highest, lowest);
}

using Reduce = at::Tensor (*)(const at::Tensor&);
constexpr std::array<Reduce, 3> kReducers{reduce_mean, reduce_max, reduce_signed_max_abs};  // in the order of Reducer

}  // namespace

at::Tensor pool_cells(const at::Tensor& values, std::int64_t row_block, std::int64_t column_block, Reducer reducer) {
    if (row_block == 1 && column_block == 1) return values;
    const auto rows = (values.size(1) + row_block - 1) / row_block, columns = (values.size(2) + column_block - 1) / column_block;
    const auto padded = at::constant_pad_nd(values, {0, columns * column_block - values.size(2), 0, rows * row_block - values.size(1)}, kNan);
    const auto cells = padded.view({values.size(0), rows, row_block, columns, column_block});
    const auto visible = cells.isnan().logical_not().any(4).any(2);  // [H, R, C]
    return kReducers[static_cast<std::size_t>(reducer)](cells).masked_fill(visible.logical_not(), kNan);
}

}  // namespace lw
