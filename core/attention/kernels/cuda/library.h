#pragma once
/// The C interface of liblw_cuda.so, which the program loads when an NVIDIA driver is there. Plain pointers to device memory:
/// the library needs the CUDA runtime only, so it builds with nvcc alone and has no C++ ABI to match.

#include <cstdint>

extern "C" {

/// One call of the kernel. All pointers are device memory, float32, contiguous.
struct LwDapeScores {
    const float* content;  ///< [B, H, r, c], scaled and unmasked
    const float* bias;     ///< [H, r, c] or null
    float* logit;          ///< [B, H, r, c]; may be `content` itself
    const float* w1;       ///< [D, C]
    const float* b1;       ///< [D] or null
    const float* w2t;      ///< [D, H]
    const float* b2;       ///< [H] or null
    std::int64_t batch, heads, cells;  ///< cells = r c
    std::int64_t hidden, inputs;       ///< D, C
    float slope;
    std::int32_t reads_content, reads_bias, sums_inputs, adds_bias;
};

/// 0, or a cudaError_t. Runs on the default stream, where LibTorch's work of the same thread runs.
int lw_cuda_dape_scores(const LwDapeScores* call);
/// The interface's version: the program refuses a library of another one.
int lw_cuda_version(void);
/// The text of an error returned above.
const char* lw_cuda_error_text(int error);
}

/// Version of this header.
inline constexpr int kLwCudaVersion = 1;
