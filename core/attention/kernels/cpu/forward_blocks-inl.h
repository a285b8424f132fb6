/// QKᵀ and PV of the forward pass as blocks of sums. Lanes are keys in the first and columns of v in the second.
#if defined(LW_FORWARD_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_BLOCKS_INL_H
#undef LW_FORWARD_BLOCKS_INL_H
#else
#define LW_FORWARD_BLOCKS_INL_H
#endif

#include "core/attention/kernels/cpu/forward_work.h"
#include "core/attention/kernels/cpu/multiply-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// Keys that a block of sums takes at once.
inline constexpr std::int64_t kStripKeys = kBlockVectors * kLanes;

/// Scores of some rows of a group: q [d, 8] times keys [d, kKeyStrip], on top of the bias of each row where a table has it.
struct ScoreBlock {
    const float* q;
    const float* keys;
    std::int64_t width;
    const float* table;  ///< the group's first row, at the strip's first key; the next row's entry lies one before
    float* scores;

    template <int M, int V>
    HWY_INLINE void run(std::int64_t row) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) sums.at[m][v] = table != nullptr ? hn::LoadU(d, table - row - m + v * kLanes) : hn::Zero(d);
        }
        add_products<1, kGroupRows>(sums, q + row, keys, kKeyStrip, width);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, scores + (row + m) * kScoreRow + v * kLanes);
        }
    }
};

/// output = factor · output + weights · values for some rows and all keys [first, last) of a tile.
struct ValueBlock {
    const float* weights;  ///< [rows, kScoreRow] at the first key
    const float* values;   ///< [keys, value_stride] at the first key
    std::int64_t value_stride, keys;
    const float* factors;  ///< one per row
    float* output;         ///< [rows, value_stride]

    template <int M, int V>
    HWY_INLINE void run(std::int64_t row) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            const auto factor = hn::Set(d, factors[row + m]);
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) sums.at[m][v] = hn::Mul(factor, hn::Load(d, output + (row + m) * value_stride + v * kLanes));
        }
        add_products<kScoreRow, 1>(sums, weights + row * kScoreRow, values, value_stride, keys);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, output + (row + m) * value_stride + v * kLanes);
        }
    }
};

/// A block of values for `rows` rows, columns cut into twos and threes of vectors.
HWY_INLINE void add_values(ValueBlock block, std::int64_t rows) {
    auto vectors = block.value_stride / kLanes;
    while (vectors > 0) {
        const std::int64_t here = vectors == 4 ? 2 : std::min<std::int64_t>(vectors, kBlockVectors);
        blocks(rows, here, block);
        block.values += here * kLanes;
        block.output += here * kLanes;
        vectors -= here;
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
