#pragma once
/// What lets the tile mathematics compile for a GPU and for the CPU, where tests run every phase of a kernel thread by thread.

#include <cstdint>

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define LW_HOST_DEVICE __host__ __device__
#else
#define LW_HOST_DEVICE
#endif
/// Loops over registers must be unrolled, or the registers become memory.
#ifdef __CUDA_ARCH__
#define LW_UNROLL _Pragma("unroll")
#else
#define LW_UNROLL
#endif

namespace lw::kernels {

/// One of the threads that run a phase together.
struct Worker {
    int thread = 0, threads = 1;
};

LW_HOST_DEVICE inline float to_float(float x) { return x; }
LW_HOST_DEVICE inline void from_float(float x, float& out) { out = x; }
#ifdef __CUDACC__
LW_HOST_DEVICE inline float to_float(__half x) { return __half2float(x); }
LW_HOST_DEVICE inline float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }
LW_HOST_DEVICE inline void from_float(float x, __half& out) { out = __float2half(x); }
LW_HOST_DEVICE inline void from_float(float x, __nv_bfloat16& out) { out = __float2bfloat16(x); }
#endif

/// Adds to memory that several blocks may add to.
LW_HOST_DEVICE inline void accumulate(float* place, float value) {
#ifdef __CUDA_ARCH__
    atomicAdd(place, value);
#else
    *place += value;
#endif
}

LW_HOST_DEVICE inline int smaller(int a, int b) { return a < b ? a : b; }
LW_HOST_DEVICE inline int larger(int a, int b) { return a > b ? a : b; }
LW_HOST_DEVICE inline int quotient_up(int a, int b) { return (a + b - 1) / b; }

}  // namespace lw::kernels
