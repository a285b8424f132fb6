#pragma once
/// The C interface of liblw_cuda.so, which the program loads when an NVIDIA driver is there. Plain pointers to device memory:
/// the library needs the CUDA runtime only, so it builds with nvcc alone and has no C++ ABI to match.
///
///   S_h = scale · q_h · k_h;   logit_h = S_h + B_h (where added) + f_h(S, B);   o_h = softmax over keys j <= before + i of logit_h, times v_h
///   f = Conv(D -> H) ∘ leaky ∘ Conv(C -> D) over keys, kernel k (1: DAPE, 2405.14722; more: DAPE v2, 2410.04798)
///
/// Axes: B batch, H heads (Hkv of keys), Tq queries, Tk keys, d width of q and k, D hidden width, n distances, w width of FIRE's network.

#include <cstdint>

extern "C" {

/// The type of q, k, v and of the output. Everything else is float32.
enum LwElement { kLwFloat32 = 0, kLwFloat16 = 1, kLwBfloat16 = 2 };

/// [B, heads, T, d], the last axis contiguous; strides count elements.
struct LwTensor {
    void* data;
    std::int64_t batch, head, row;
};

/// A static bias; all null where there is none. δ = before + i - j.
struct LwBias {
    const float* table;     ///< [H, n]: B_h = table[h][δ]
    const float* distance;  ///< [n]: ψ(δ); else B = second · act(first · x + b) + b', x = distance[δ] / row[i] (FIRE, 2310.04418)
    const float* row;       ///< [Tq]
    const float *first, *first_bias;    ///< [w], [w]
    const float *second, *second_bias;  ///< [H, w], [H]
    std::int32_t distances;             ///< n >= Tk
    std::int32_t width;                 ///< w
    float slope;
};

/// The adaptive network; w2 is null where there is none.
struct LwNetwork {
    const float* w1_content;  ///< [k, D, H] or null where the content is not read
    const float* w1_bias;     ///< [k, D, H] or null where the bias is not read
    const float* b1;          ///< [D] or null
    const float* w2;          ///< [k, H, D]
    const float* b2;          ///< [H] or null
    std::int32_t hidden, kernel;
    float slope;
    std::int32_t adds_bias;   ///< B is added to the logit besides f
};

struct LwAttention {
    std::int32_t batch, heads, key_heads, queries, keys, width, value_width;
    std::int32_t element;  ///< LwElement
    float scale;
    LwTensor q, k, v;
    LwBias bias;
    LwNetwork network;
    std::int32_t device;         ///< ordinal of the GPU
    std::int32_t without_tensor_cores;
    void* stream;                ///< cudaStream_t
};

/// How a call would be run.
struct LwAttentionPlan {
    std::int32_t rows, columns;   ///< queries and keys of a tile
    std::int32_t strip;           ///< rows whose hidden values are held at once
    std::int32_t threads;
    std::int32_t shared_bytes;
    std::int32_t output_in_shared;  ///< else the output is summed in `workspace`
    std::int32_t tensor_cores;    ///< 0 where the general kernel serves: plain multiplications
    std::int32_t slots;           ///< blocks that sum parameter gradients, each in its own slot
};

struct LwAttentionForward {
    LwAttention attention;
    LwTensor output;          ///< [B, H, Tq, dv], element type
    float* log_normaliser;    ///< [B, H, Tq]
    float* workspace;         ///< [B, H, Tq, dv] unless the plan keeps the output in shared memory; contents do not matter
    LwAttentionPlan plan;     ///< from lw_cuda_attention_plan(.., backward = 0, ..)
};

struct LwAttentionBackward {
    LwAttention attention;
    LwTensor output_gradient;      ///< [B, H, Tq, dv], element type
    const float* log_normaliser;   ///< [B, H, Tq]
    const float* delta;            ///< [B, H, Tq] = Σ_d output · output_gradient
    float* q_gradient;             ///< [B, H, Tq, d], zeros
    float* k_gradient;             ///< [B, H, Tk, d], zeros: per query head
    float* v_gradient;             ///< [B, H, Tk, dv], zeros
    float* network_gradient;       ///< [slots, 2 k D H + D + k H D + H], zeros: w1_content, w1_bias, b1, w2, b2; null without a network
    float* bias_gradient;          ///< [bias_slots, H n] or [bias_slots, n + Tq + 2 w + H w + H], zeros: distance, row, first, first_bias, second, second_bias
    std::int32_t bias_slots;       ///< at least 1; as many as `plan.slots` make table gradients independent of timing
    LwAttentionPlan plan;          ///< from lw_cuda_attention_plan(.., backward = 1, ..)
};

/// All return 0, or a cudaError_t. Work is queued on attention.stream.
int lw_cuda_attention_plan(const LwAttention* call, int backward, LwAttentionPlan* plan);
int lw_cuda_attention_forward(const LwAttentionForward* call);
int lw_cuda_attention_backward(const LwAttentionBackward* call);
/// The interface's version: the program refuses a library of another one.
int lw_cuda_version(void);
/// The text of an error returned above.
const char* lw_cuda_error_text(int error);
}

/// Version of this header.
inline constexpr int kLwCudaVersion = 2;
