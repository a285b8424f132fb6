#pragma once
/// Products of small matrices by the threads of a block: out(batch, m, n) = Σ_segment Σ_k left(batch, segment, m)[k] · right(batch, segment, n)[k].
///
/// Every matrix product of the attention kernels is of this form, so that one function decides how products are computed: by plain
/// multiplications, or by tensor cores (mma_fragments.h).

#include "core/attention/kernels/mma_fragments.h"

namespace lw::kernels {

/// Values k = 0, 1, .. that lie a constant step apart; null stands for zeros.
template <class Number, bool kNeighbours>
struct Line {
    const Number* data = nullptr;
    std::int32_t step = 1;
    LW_HOST_DEVICE float operator[](int k) const { return data ? to_float(data[kNeighbours ? k : static_cast<std::int64_t>(k) * step]) : 0.0f; }
};
template <class Number>
LW_HOST_DEVICE Line<Number, true> line(const Number* data) {
    return {data};
}
template <class Number>
LW_HOST_DEVICE Line<Number, false> line(const Number* data, std::int64_t step) {
    return {data, static_cast<std::int32_t>(step)};
}

struct ProductShape {
    int batch = 1, rows = 0, columns = 0, segments = 1, depth = 0;
};

/// How products are computed. `tensor` sums 16-bit values exactly; `tensor_split` takes each float32 apart into two TF32 numbers, whose three
/// largest products give float32's accuracy.
enum class Math { plain, tensor, tensor_split };
/// Whether both operands are 16-bit values (or weights in [0, 1], which lose nothing that matters): GPUs before TF32 multiply only those.
enum class Operands { halves, any };

/// One output at a time for each thread.
template <class Left, class Right, class Store>
LW_HOST_DEVICE void plain_product(const Worker& worker, const ProductShape& shape, const Left& left, const Right& right, const Store& store) {
    const int cells = shape.rows * shape.columns;
    for (int index = worker.thread; index < shape.batch * cells; index += worker.threads) {
        const int batch = index / cells, row = index % cells / shape.columns, column = index % shape.columns;
        float sum = 0;
        for (int segment = 0; segment < shape.segments; ++segment) {
            const auto a = left(batch, segment, row);
            const auto b = right(batch, segment, column);
            for (int k = 0; k < shape.depth; ++k) sum += a[k] * b[k];
        }
        store(batch, row, column, sum);
    }
}

/// A warp's tile of 16 x 32 outputs; on a GPU `lanes` is this thread's lane, on the CPU all 32.
template <class LeftLine, class RightLine>
struct WarpTile {
    Lane lanes[kLanesHere];
    LeftLine left[kLanesHere][2];
    RightLine right[kLanesHere][kColumnTiles];
    int batch = 0, row = 0, column = 0, column_tiles = 0;

    template <class Left, class Right>
    LW_HOST_DEVICE void aim(const Worker& worker, const ProductShape& shape, int segment, const Left& left_line, const Right& right_line) {
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            const int group = lane_group(lane_number(worker, l));
            LW_UNROLL for (int half = 0; half < 2; ++half) {
                const int m = row + group + 8 * half;
                left[l][half] = m < shape.rows ? left_line(batch, segment, m) : LeftLine{};
            }
            LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
                const int n = column + 8 * t + group;
                right[l][t] = n < shape.columns ? right_line(batch, segment, n) : RightLine{};
            }
        }
    }
    /// Fills the fragments with k .. k + 7. Which of the eight a place of the fragment stands for is free, as long as both sides agree:
    /// neighbours in memory go to one lane.
    LW_HOST_DEVICE void load(const Worker& worker, int k, int depth) {
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            const int first = k + 2 * lane_pair(lane_number(worker, l));
            LW_UNROLL for (int i = 0; i < 4; ++i) {
                const int at = first + i / 2;
                lanes[l].left[i] = at < depth ? left[l][i % 2][at] : 0.0f;
            }
            LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
                if (t >= column_tiles) continue;
                LW_UNROLL for (int i = 0; i < 2; ++i) lanes[l].right[t][i] = first + i < depth ? right[l][t][first + i] : 0.0f;
            }
        }
    }
    template <class Store>
    LW_HOST_DEVICE void put(const Worker& worker, const ProductShape& shape, const Store& store) const {
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            const int lane = lane_number(worker, l);
            LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
                LW_UNROLL for (int i = 0; i < 4; ++i) {
                    const int m = row + sum_row(lane, i), n = column + 8 * t + sum_column(lane, i);
                    if (m < shape.rows && n < shape.columns) store(batch, m, n, lanes[l].sums[t][i]);
                }
            }
        }
    }
};

/// Warps take turns with the 16 x 32 tiles of the output.
template <bool kSplit, bool kHalves, class Left, class Right, class Store>
LW_HOST_DEVICE void tensor_product(const Worker& worker, const ProductShape& shape, const Left& left, const Right& right, const Store& store) {
    if (!speaks_for_warp(worker)) return;
    const int down = quotient_up(shape.rows, 16), across = quotient_up(shape.columns, 8 * kColumnTiles);
    for (int index = worker.thread / 32; index < shape.batch * down * across; index += worker.threads / 32) {
        WarpTile<decltype(left(0, 0, 0)), decltype(right(0, 0, 0))> tile;
        tile.batch = index / (down * across);
        tile.row = index % (down * across) / across * 16;
        tile.column = index % across * 8 * kColumnTiles;
        tile.column_tiles = smaller(kColumnTiles, quotient_up(shape.columns - tile.column, 8));
        for (int segment = 0; segment < shape.segments; ++segment) {
            tile.aim(worker, shape, segment, left, right);
            for (int k = 0; k < shape.depth; k += 8) {
                tile.load(worker, k, shape.depth);
                multiply<kSplit, kHalves>(tile.lanes, tile.column_tiles);
            }
        }
        tile.put(worker, shape, store);
    }
}

/// The one entrance. All threads of the block must come with the same shape.
template <Math kMath, Operands kOperands, class Left, class Right, class Store>
LW_HOST_DEVICE void tile_product(const Worker& worker, const ProductShape& shape, const Left& left, const Right& right, const Store& store) {
    if constexpr (kMath == Math::plain) {
        plain_product(worker, shape, left, right, store);
    } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
        if constexpr (kMath == Math::tensor && kOperands == Operands::halves) tensor_product<false, true>(worker, shape, left, right, store);
        else plain_product(worker, shape, left, right, store);
#else
        tensor_product<kMath == Math::tensor_split, false>(worker, shape, left, right, store);
#endif
    }
}

}  // namespace lw::kernels
