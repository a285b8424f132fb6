/// The matrix products of the forward pass as blocks of sums: QKᵀ, the two layers of the network, PV. Lanes are keys, but for PV, where they are
/// the columns of v.
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

/// Keys whose hidden values exist at one time: [D, kStripKeys] floats, 6 KB for D = 32 on the widest target.
inline constexpr std::int64_t kStripKeys = kBlockVectors * kLanes;

/// Where row `row` of an interleaved matrix begins.
HWY_INLINE const float* interleaved_row(const float* matrix, std::int64_t row, std::int64_t columns) {
    return matrix + row / kInterleave * columns * kInterleave + row % kInterleave;
}

/// Scores of some rows of a group: q [d, 8] times keys [d, tile_keys], on top of the bias of each row where a table has it.
struct ScoreBlock {
    const float* q;
    const float* keys;
    std::int64_t key_row, width;
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
        add_products<1, kGroupRows>(sums, q + row, keys, key_row, width);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, scores + (row + m) * kScoreRow + v * kLanes);
        }
    }
};

/// One strip of one row as the network reads and writes it.
struct NetworkStrip {
    float* scores;  ///< head 0; the next lies kScoreHead further
    std::int64_t heads;
    const float* cells;         ///< [H, kScoreRow] bias of this row, or null
    const float* hidden_table;  ///< [D, kTableRow] at this row and strip, or null
    const float* logit_table;   ///< [H, kTableRow] likewise
    float* hidden;  ///< [D, kStripKeys]
};

/// hidden = leaky(W1 · [S; B] + b1).
struct FirstLayer {
    const NetworkStrip& strip;
    const Prepared& weights;
    float slope;

    template <int M, int V>
    HWY_INLINE void run(std::int64_t unit) const {
        const Floats d;
        Sums<M, V> sums;
        const float* table = strip.hidden_table == nullptr ? nullptr : strip.hidden_table + unit * kTableRow;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                sums.at[m][v] = table != nullptr ? hn::LoadU(d, table + m * kTableRow + v * kLanes) : hn::Set(d, weights.b1.data()[unit + m]);
            }
        }
        if (weights.w1_content) {
            add_products<1, kInterleave>(sums, interleaved_row(weights.w1_content.data(), unit, strip.heads), strip.scores, kScoreHead, strip.heads);
        }
        if (weights.w1_bias) {
            add_products<1, kInterleave>(sums, interleaved_row(weights.w1_bias.data(), unit, strip.heads), strip.cells, kScoreRow, strip.heads);
        }
        const auto factor = hn::Set(d, slope);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(leaky(sums.at[m][v], factor), d, strip.hidden + (unit + m) * kStripKeys + v * kLanes);
        }
    }
};

/// scores = S + B + W2 · hidden + b2, in place.
struct SecondLayer {
    const NetworkStrip& strip;
    const Prepared& weights;
    std::int64_t units;
    bool adds_cells;

    template <int M, int V>
    HWY_INLINE void run(std::int64_t head) const {
        const Floats d;
        Sums<M, V> sums;
        float* scores = strip.scores + head * kScoreHead;
        const float* table = strip.logit_table == nullptr ? nullptr : strip.logit_table + head * kTableRow;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                const auto constant = table != nullptr ? hn::LoadU(d, table + m * kTableRow + v * kLanes) : hn::Set(d, weights.b2.data()[head + m]);
                sums.at[m][v] = hn::Add(hn::Load(d, scores + m * kScoreHead + v * kLanes), constant);
            }
        }
        if (adds_cells) {
            HWY_UNROLL(8)
            for (int m = 0; m < M; ++m) {
                HWY_UNROLL(8)
                for (int v = 0; v < V; ++v) {
                    const auto cells = hn::Load(d, strip.cells + (head + m) * kScoreRow + v * kLanes);
                    sums.at[m][v] = hn::MulAdd(cells, hn::Set(d, kLog2E), sums.at[m][v]);
                }
            }
        }
        add_products<1, kInterleave>(sums, interleaved_row(weights.w2.data(), head, units), strip.hidden, kStripKeys, units);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, scores + m * kScoreHead + v * kLanes);
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
