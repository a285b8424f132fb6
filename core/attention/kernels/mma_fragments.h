#pragma once
/// Tensor cores: which lane of a warp holds which value of mma.sync m16n8k8, and the instruction itself. On the CPU the instruction is
/// spelt out after the same table (PTX ISA, "Matrix Fragments for mma.m16n8k8"), over the fragments of all 32 lanes, so that tests run the mapping.

#include "core/attention/kernels/portable.h"

#include <cstring>

namespace lw::kernels {

inline constexpr int kColumnTiles = 4;  ///< tiles of 8 columns per warp
#ifdef __CUDA_ARCH__
inline constexpr int kLanesHere = 1;
#else
inline constexpr int kLanesHere = 32;
#endif

/// A lane's values. left[i]: row lane / 4 + 8 (i % 2), k place lane % 4 + 4 (i / 2); right[t][i]: column lane / 4, k place lane % 4 + 4 i.
struct Lane {
    float left[4] = {};
    float right[kColumnTiles][2] = {};
    float sums[kColumnTiles][4] = {};
};

LW_HOST_DEVICE inline int lane_group(int lane) { return lane >> 2; }
LW_HOST_DEVICE inline int lane_pair(int lane) { return lane & 3; }
LW_HOST_DEVICE inline int sum_row(int lane, int i) { return lane_group(lane) + 8 * (i / 2); }
LW_HOST_DEVICE inline int sum_column(int lane, int i) { return 2 * lane_pair(lane) + i % 2; }

#ifdef __CUDA_ARCH__

__device__ inline int lane_number(const Worker& worker, int) { return worker.thread % 32; }
__device__ inline bool speaks_for_warp(const Worker&) { return true; }

__device__ inline std::uint32_t tf32(float x) {
    std::uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

__device__ inline void mma_tf32(float (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline std::uint32_t two_halves(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}

__device__ inline void mma_half(float (&sums)[4], const Lane& lane, const float (&right)[2]) {
    const std::uint32_t upper = two_halves(lane.left[0], lane.left[2]), lower = two_halves(lane.left[1], lane.left[3]), b = two_halves(right[0], right[1]);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(upper), "r"(lower), "r"(b));
}

template <bool kSplit>
__device__ void multiply_tf32(Lane& lane, int column_tiles) {
    std::uint32_t a[4], a_rest[4];
    LW_UNROLL for (int i = 0; i < 4; ++i) {
        a[i] = tf32(lane.left[i]);
        if constexpr (kSplit) a_rest[i] = tf32(lane.left[i] - __uint_as_float(a[i]));
    }
    LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
        if (t >= column_tiles) continue;
        const std::uint32_t b[2] = {tf32(lane.right[t][0]), tf32(lane.right[t][1])};
        if constexpr (kSplit) {
            const std::uint32_t b_rest[2] = {tf32(lane.right[t][0] - __uint_as_float(b[0])), tf32(lane.right[t][1] - __uint_as_float(b[1]))};
            mma_tf32(lane.sums[t], a_rest, b);
            mma_tf32(lane.sums[t], a, b_rest);
        }
        mma_tf32(lane.sums[t], a, b);
    }
}

/// sums += left · right over the 8 values of k that the fragments hold.
template <bool kSplit, bool kHalves>
__device__ void multiply(Lane (&lanes)[1], int column_tiles) {
    if constexpr (kHalves) {
        LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
            if (t < column_tiles) mma_half(lanes[0].sums[t], lanes[0], lanes[0].right[t]);
        }
    } else {
#if __CUDA_ARCH__ >= 800
        multiply_tf32<kSplit>(lanes[0], column_tiles);
#endif
    }
}

#else

LW_HOST_DEVICE inline int lane_number(const Worker&, int lane) { return lane; }
/// On the CPU a warp's first thread does the work of all.
LW_HOST_DEVICE inline bool speaks_for_warp(const Worker& worker) { return worker.thread % 32 == 0; }

/// Rounds to TF32: 10 bits after the point, ties away from zero, as cvt.rna does.
LW_HOST_DEVICE inline float tf32(float x) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7f800000u) == 0x7f800000u) return x;
    bits = (bits + 0x1000u) & 0xffffe000u;
    std::memcpy(&x, &bits, sizeof bits);
    return x;
}

/// What the tensor core makes of one pair of values.
template <bool kSplit>
LW_HOST_DEVICE float tf32_product(float a, float b) {
    const float high_a = tf32(a), high_b = tf32(b);
    if constexpr (!kSplit) return high_a * high_b;
    return tf32(a - high_a) * high_b + high_a * tf32(b - high_b) + high_a * high_b;
}

/// The value at row m (or column n) and place k: TF32 gives a lane places p and p + 4, float16 places 2 p and 2 p + 1.
template <bool kHalves>
LW_HOST_DEVICE float left_value(const Lane (&lanes)[32], int m, int k) {
    return kHalves ? lanes[m % 8 * 4 + k / 2].left[m / 8 + 2 * (k % 2)] : lanes[m % 8 * 4 + k % 4].left[m / 8 + 2 * (k / 4)];
}
template <bool kHalves>
LW_HOST_DEVICE float right_value(const Lane (&lanes)[32], int t, int k, int n) {
    return kHalves ? lanes[n * 4 + k / 2].right[t][k % 2] : lanes[n * 4 + k % 4].right[t][k / 4];
}

template <bool kSplit, bool kHalves>
LW_HOST_DEVICE void multiply(Lane (&lanes)[32], int column_tiles) {
    for (int t = 0; t < column_tiles; ++t) {
        for (int lane = 0; lane < 32; ++lane) {
            for (int i = 0; i < 4; ++i) {
                for (int k = 0; k < 8; ++k) {
                    const float a = left_value<kHalves>(lanes, sum_row(lane, i), k), b = right_value<kHalves>(lanes, t, k, sum_column(lane, i));
                    lanes[lane].sums[t][i] += tf32_product<kSplit>(a, b);
                }
            }
        }
    }
}

#endif

}  // namespace lw::kernels
