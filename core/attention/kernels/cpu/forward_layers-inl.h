/// The two layers of DAPE's network at some neighbouring keys of one row, as blocks of sums whose lanes are keys. A convolution (DAPE v2) has several
/// taps, a network of single cells one.
#if defined(LW_FORWARD_LAYERS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_LAYERS_INL_H
#undef LW_FORWARD_LAYERS_INL_H
#else
#define LW_FORWARD_LAYERS_INL_H
#endif

#include "core/attention/kernels/cpu/forward_blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// Where row `row` of an interleaved matrix begins.
HWY_INLINE const float* interleaved_row(const float* matrix, std::int64_t row, std::int64_t columns) {
    return matrix + row / kInterleave * columns * kInterleave + row % kInterleave;
}

/// One input of a layer: matrix · right.
struct Product {
    const float* matrix = nullptr;  ///< [rows, columns] interleaved; null: not read
    const float* right = nullptr;   ///< [depth, right_row] at the first key
    std::int64_t right_row = 0, depth = 0;
    std::int64_t columns = depth;   ///< of the matrix, whose first `depth` are read

    void shift(std::int64_t keys) {
        if (right != nullptr) right += keys;
    }

    template <int M, int V>
    HWY_INLINE void add_to(Sums<M, V>& sums, std::int64_t row) const {
        if (matrix != nullptr) add_products<1, kInterleave>(sums, interleaved_row(matrix, row, columns), right, right_row, depth);
    }
};

/// The same of a convolution: Σ_t matrix[t] · right shifted by t. Where there is one tap, the loop over taps is not free.
struct TapProduct {
    Product first;                   ///< at the first tap of the first key
    std::int64_t taps, matrix_step;  ///< floats from one tap's matrix to the next

    void shift(std::int64_t keys) { first.shift(keys); }

    template <int M, int V>
    HWY_INLINE void add_to(Sums<M, V>& sums, std::int64_t row) const {
        if (first.matrix == nullptr) return;
        const float* left = interleaved_row(first.matrix, row, first.columns);
        for (std::int64_t tap = 0; tap < taps; ++tap, left += matrix_step) {
            add_products<1, kInterleave>(sums, left, first.right + tap, first.right_row, first.depth);
        }
    }
};

/// What a layer's sums start from: a table's row at the first key, or a constant per row.
struct Offsets {
    const float* table;      ///< [rows, kTableRow], or null
    const float* constants;  ///< [rows]

    void shift(std::int64_t keys) {
        if (table != nullptr) table += keys;
    }
    HWY_INLINE FloatVec at(std::int64_t row, int v) const {
        const Floats d;
        return table != nullptr ? hn::LoadU(d, table + row * kTableRow + v * kLanes) : hn::Set(d, constants[row]);
    }
};

struct Leaky {
    float slope;
    HWY_INLINE FloatVec operator()(FloatVec z) const { return leaky(z, hn::Set(Floats(), slope)); }
};
struct Relu {
    HWY_INLINE FloatVec operator()(FloatVec z) const { return at_least(hn::Zero(Floats()), z); }
};

/// hidden = activation(W1 · [S; B] + b1).
template <class Input, class Activation, std::int64_t kRow>
struct FirstLayer {
    Offsets offsets;
    Input content, bias;
    Activation activation;
    float* hidden;  ///< [D, kRow]

    void shift(std::int64_t keys) {
        offsets.shift(keys);
        content.shift(keys);
        bias.shift(keys);
    }

    template <int M, int V>
    HWY_INLINE void run(std::int64_t unit) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) sums.at[m][v] = offsets.at(unit + m, v);
        }
        content.add_to(sums, unit);
        bias.add_to(sums, unit);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(activation(sums.at[m][v]), d, hidden + (unit + m) * kRow + v * kLanes);
        }
    }
};

/// scores = S + B + A · S + W2 · hidden + b2, in place.
template <class Input>
struct SecondLayer {
    Offsets offsets;
    const float* cells;  ///< [H, kScoreRow] of a bias that is added, or null
    Input hidden;
    Product linear;      ///< A · S
    float* scores;

    /// The hidden values of a strip take the place of those before it.
    void shift(std::int64_t keys) {
        offsets.shift(keys);
        if (cells != nullptr) cells += keys;
        linear.shift(keys);
        scores += keys;
    }

    template <int M, int V>
    HWY_INLINE void run(std::int64_t head) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) sums.at[m][v] = hn::Add(hn::Load(d, scores + (head + m) * kScoreHead + v * kLanes), offsets.at(head + m, v));
        }
        if (cells != nullptr) add_cells(sums, head);
        linear.add_to(sums, head);
        hidden.add_to(sums, head);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, scores + (head + m) * kScoreHead + v * kLanes);
        }
    }

private:
    template <int M, int V>
    HWY_INLINE void add_cells(Sums<M, V>& sums, std::int64_t head) const {
        const Floats d;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                const auto value = hn::Load(d, cells + (head + m) * kScoreRow + v * kLanes);
                sums.at[m][v] = hn::MulAdd(value, hn::Set(d, kLog2E), sums.at[m][v]);
            }
        }
    }
};

/// A layer at some vectors of keys. A function of its own: inlined, it takes general registers from its caller, and GCC keeps what they held in vector
/// registers that the sums need.
template <class Layer>
HWY_NOINLINE void through(std::int64_t rows, std::int64_t vectors, const Layer& layer) {
    blocks(rows, vectors, layer);
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
