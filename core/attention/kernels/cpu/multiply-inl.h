/// The inner loop of all matrix products of the CPU kernels: a block of sums that stays in registers. Compiled once per target.
#if defined(LW_MULTIPLY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_MULTIPLY_INL_H
#undef LW_MULTIPLY_INL_H
#else
#define LW_MULTIPLY_INL_H
#endif

#include "core/attention/kernels/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

inline constexpr int kLanes = static_cast<int>(hn::MaxLanes(Floats()));
/// A block is kBlockRows x kBlockVectors vectors: 24 of 32 registers, or 12 of 16. Two multipliers of four cycles need eight at least.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
inline constexpr int kBlockRows = 8;
#else
inline constexpr int kBlockRows = 4;
#endif
inline constexpr int kBlockVectors = 3;

template <int M, int V>
struct Sums {
    FloatVec at[M][V];
};

/// sums[m][v] += Σ_k a[m · kRow + k · kStep] · b[k · b_row + v · lanes ..], k < count.
template <int kRow, int kStep, int M, int V>
HWY_INLINE void add_products(Sums<M, V>& sums, const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::int64_t b_row, std::int64_t count) {
    const Floats d;
    for (; count > 0; --count, a += kStep, b += b_row) {
        FloatVec x[V];
        HWY_UNROLL(8)
        for (int v = 0; v < V; ++v) x[v] = hn::LoadU(d, b + v * kLanes);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            const auto factor = hn::Set(d, a[m * kRow]);
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) sums.at[m][v] = hn::MulAdd(factor, x[v], sums.at[m][v]);
        }
    }
}

/// body.run<M, V>(m) for blocks of rows that cover [0, rows).
template <int V, class Body>
HWY_INLINE void row_blocks(std::int64_t rows, const Body& body) {
    std::int64_t m = 0;
    for (; m + kBlockRows <= rows; m += kBlockRows) body.template run<kBlockRows, V>(m);
    if constexpr (kBlockRows > 4) {
        if (m + 4 <= rows) body.template run<4, V>(m), m += 4;
    }
    if (m + 2 <= rows) body.template run<2, V>(m), m += 2;
    if (m < rows) body.template run<1, V>(m);
}

template <class Body>
HWY_INLINE void blocks(std::int64_t rows, std::int64_t vectors, const Body& body) {
    if (vectors >= 3) row_blocks<3>(rows, body);
    else if (vectors == 2) row_blocks<2>(rows, body);
    else row_blocks<1>(rows, body);
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
