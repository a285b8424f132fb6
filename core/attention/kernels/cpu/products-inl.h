/// Small matrix products on registers, the pieces that backward is made of. Lanes run along rows of the right factor.
#include "core/attention/kernels/cpu/vector_math-inl.h"

#include <cstdint>
#include <type_traits>

#if defined(LW_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_PRODUCTS_INL_H
#undef LW_PRODUCTS_INL_H
#else
#define LW_PRODUCTS_INL_H
#endif

/// Loops over a register block are unrolled whole: a block that stays an array goes through memory.
#ifndef LW_UNROLL
#ifdef __clang__
#define LW_UNROLL _Pragma("unroll")
#else
#define LW_UNROLL _Pragma("GCC unroll 8")
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

constexpr int kLanes = HWY_LANES(float);

/// Rows and vectors of a block of sums that stay in registers: of 32 registers, or of 16.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_NEON
constexpr int kBlockRows = 8;
constexpr int kPairSide = 4;
#else
constexpr int kBlockRows = 4;
constexpr int kPairSide = 2;
#endif
constexpr int kBlockVectors = 2;

template <int kValue>
using Int = std::integral_constant<int, kValue>;

/// f(Int<n>, start) over [from, count) in steps of kSize, then of half of it, and so on: the size is known at compile time.
template <int kSize, class F>
HWY_INLINE void split(std::int64_t from, std::int64_t count, const F& f) {
    for (; count - from >= kSize; from += kSize) f(Int<kSize>(), from);
    if constexpr (kSize > 1) split<kSize / 2>(from, count, f);
}

/// A left factor, transposed in memory or not: the number of row m and depth k is data[m * kRow + k * step].
template <int kRow>
struct Left {
    const float* data;
    std::int64_t step;
};

/// A block of sums that begins as first(m, n), goes through add(sums) and is handed to last(m, n, sum).
template <int M, int N, class First, class Add, class Last>
HWY_INLINE void block_of_sums(const First& first, const Add& add, const Last& last) {
    FloatVec sum[M][N];
    LW_UNROLL
    for (int m = 0; m < M; ++m) {
        LW_UNROLL
        for (int n = 0; n < N; ++n) sum[m][n] = first(m, n);
    }
    add(sum);
    LW_UNROLL
    for (int m = 0; m < M; ++m) {
        LW_UNROLL
        for (int n = 0; n < N; ++n) last(m, n, sum[m][n]);
    }
}

/// sum[m, n] += Σ_k left[m, k] · right[k, n].
template <int M, int N, int kRow>
HWY_INLINE void add_to_sums(FloatVec (&sum)[M][N], std::int64_t depth, Left<kRow> left, const float* HWY_RESTRICT right, std::int64_t right_step) {
    const Floats tag;
    const float* HWY_RESTRICT a = left.data;
    for (std::int64_t k = 0; k < depth; ++k, a += left.step, right += right_step) {
        FloatVec b[N];
        LW_UNROLL
        for (int n = 0; n < N; ++n) b[n] = hn::LoadU(tag, right + n * kLanes);
        LW_UNROLL
        for (int m = 0; m < M; ++m) {
            const auto factor = hn::Set(tag, a[m * kRow]);
            LW_UNROLL
            for (int n = 0; n < N; ++n) sum[m][n] = hn::MulAdd(factor, b[n], sum[m][n]);
        }
    }
}

/// first(m, n) + Σ_k left[m, k] · right[k, n] over M rows and N vectors, each handed to last(m, n, sum).
template <int M, int N, int kRow, class First, class Last>
HWY_INLINE void product(std::int64_t depth, Left<kRow> left, const float* right, std::int64_t right_step, const First& first, const Last& last) {
    block_of_sums<M, N>(first, [&](auto& sum) HWY_ATTR { add_to_sums(sum, depth, left, right, right_step); }, last);
}

/// Shifted copies of a right factor, each with a left factor of its own: what a convolution sums up.
struct Taps {
    std::int64_t count, left_step, right_step;  ///< floats from one tap to the next
};

/// first(m, n) + Σ_tap Σ_k left[tap][m, k] · right[k, n shifted by tap], likewise.
/// (The plain one is not made from it with one tap: the loop over taps is not free.)
template <int M, int N, int kRow, class First, class Last>
HWY_INLINE void tap_product(const Taps& taps, std::int64_t depth, Left<kRow> left, const float* right, std::int64_t right_step, const First& first,
                            const Last& last) {
    const auto add = [&](auto& sum) HWY_ATTR {
        for (std::int64_t tap = 0; tap < taps.count; ++tap) {
            add_to_sums(sum, depth, Left<kRow>{left.data + tap * taps.left_step, left.step}, right + tap * taps.right_step, right_step);
        }
    };
    block_of_sums<M, N>(first, add, last);
}

/// to[m, n] += Σ_k left[m, k] · right[k, n] for any number of rows and vectors.
template <int kRow>
HWY_INLINE void add_product(std::int64_t rows, std::int64_t vectors, std::int64_t depth, Left<kRow> left, const float* right, std::int64_t right_step,
                            float* to, std::int64_t to_step) {
    const Floats tag;
    split<kBlockVectors>(0, vectors, [&](auto n_size, std::int64_t n_from) HWY_ATTR {
        split<kBlockRows>(0, rows, [&](auto m_size, std::int64_t m_from) HWY_ATTR {
            float* at = to + m_from * to_step + n_from * kLanes;
            product<m_size(), n_size()>(
                depth, Left<kRow>{left.data + m_from * kRow, left.step}, right + n_from * kLanes, right_step,
                [=](int m, int n) HWY_ATTR { return hn::LoadU(tag, at + m * to_step + n * kLanes); },
                [=](int m, int n, FloatVec sum) HWY_ATTR { hn::StoreU(sum, tag, at + m * to_step + n * kLanes); });
        });
    });
}

/// Sums of one block of add_pairs().
template <int M, int N>
HWY_INLINE void pair_block(std::int64_t rows, std::int64_t vectors, const float* HWY_RESTRICT a, std::int64_t a_step, const float* HWY_RESTRICT b,
                           std::int64_t b_step, std::int64_t row, float* HWY_RESTRICT sums, std::int64_t sums_step) {
    const Floats tag;
    FloatVec sum[M][N];
    LW_UNROLL
    for (int m = 0; m < M; ++m) {
        LW_UNROLL
        for (int n = 0; n < N; ++n) sum[m][n] = hn::Load(tag, sums + m * sums_step + n * kLanes);
    }
    for (std::int64_t r = 0; r < rows; ++r, a += row, b += row) {
        for (std::int64_t v = 0; v < vectors; ++v) {
            FloatVec x[N];
            LW_UNROLL
            for (int n = 0; n < N; ++n) x[n] = hn::LoadU(tag, b + n * b_step + v * kLanes);
            LW_UNROLL
            for (int m = 0; m < M; ++m) {
                const auto y = hn::LoadU(tag, a + m * a_step + v * kLanes);
                LW_UNROLL
                for (int n = 0; n < N; ++n) sum[m][n] = hn::MulAdd(y, x[n], sum[m][n]);
            }
        }
    }
    LW_UNROLL
    for (int m = 0; m < M; ++m) {
        LW_UNROLL
        for (int n = 0; n < N; ++n) hn::Store(sum[m][n], tag, sums + m * sums_step + n * kLanes);
    }
}

/// sums[m, n] += Σ over cells a[m, cell] · b[n, cell], lane by lane: sums [a_count, b_count] vectors, whose lanes are added up once at the end.
/// Cells are `rows` rows of `vectors` vectors, rows `row` floats apart; channels are a_step and b_step floats apart.
HWY_INLINE void add_pairs(std::int64_t rows, std::int64_t vectors, std::int64_t row, const float* a, std::int64_t a_count, std::int64_t a_step,
                          const float* b, std::int64_t b_count, std::int64_t b_step, float* sums) {
    const std::int64_t step = b_count * kLanes;
    split<4>(0, a_count, [&](auto m_size, std::int64_t m) HWY_ATTR {
        split<kPairSide>(0, b_count, [&](auto n_size, std::int64_t n) HWY_ATTR {
            pair_block<m_size(), n_size()>(rows, vectors, a + m * a_step, a_step, b + n * b_step, b_step, row, sums + m * step + n * kLanes, step);
        });
    });
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
