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

/// Pixels of pieces [H, n, C], with how many visible cells each has, to one of all: a mean of means weighs by the cells, extremes do not.
at::Tensor join_means(const at::Tensor& pixels, const at::Tensor& counts) {
    return (at::nan_to_num(pixels, 0.0, kInfinity, -kInfinity) * counts).sum(1, true) / counts.sum(1, true);
}
template <Reducer reducer>
at::Tensor join_extremes(const at::Tensor& pixels, const at::Tensor& /*counts*/) {
    return pool_cells(pixels, pixels.size(1), 1, reducer);
}

struct Pooling {
    at::Tensor (*reduce)(const at::Tensor& cells);
    at::Tensor (*join)(const at::Tensor& pixels, const at::Tensor& counts);
};
constexpr std::array<Pooling, 3> kPoolings{{{reduce_mean, join_means},
                                            {reduce_max, join_extremes<Reducer::max>},
                                            {reduce_signed_max_abs, join_extremes<Reducer::signed_max_abs>}}};  // in the order of Reducer

}  // namespace

at::Tensor pool_cells(const at::Tensor& values, std::int64_t row_block, std::int64_t column_block, Reducer reducer) {
    if (row_block == 1 && column_block == 1) return values;
    const auto rows = (values.size(1) + row_block - 1) / row_block, columns = (values.size(2) + column_block - 1) / column_block;
    const auto padded = at::constant_pad_nd(values, {0, columns * column_block - values.size(2), 0, rows * row_block - values.size(1)}, kNan);
    const auto cells = padded.view({values.size(0), rows, row_block, columns, column_block});
    const auto visible = cells.isnan().logical_not().any(4).any(2);  // [H, R, C]
    return kPoolings[static_cast<std::size_t>(reducer)].reduce(cells).masked_fill(visible.logical_not(), kNan);
}

void PixelRow::add(const at::Tensor& values) {
    const auto rows = values.size(1);
    pooled_.push_back(pool_cells(values, rows, column_block_, reducer_));
    const auto seen = values.isnan().logical_not().sum(1, true).to(values.scalar_type());                   // [H, 1, c]
    const auto columns = pooled_.back().size(2);
    const auto padded = at::constant_pad_nd(seen, {0, columns * column_block_ - values.size(2)}, 0);
    counts_.push_back(padded.view({values.size(0), 1, columns, column_block_}).sum(3));                     // [H, 1, C]
}

at::Tensor PixelRow::pixels() const { return kPoolings[static_cast<std::size_t>(reducer_)].join(at::cat(pooled_, 1), at::cat(counts_, 1)); }

}  // namespace lw
