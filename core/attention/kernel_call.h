#pragma once
/// Fused attention by kernels behind a C interface: from a layer's slots and inputs to one call, and from its gradients back to tensors. On a GPU the
/// kernels are liblw_cuda.so; tests put the same phases, run on the CPU, in their place.

#include "core/attention/attention.h"
#include "core/attention/kernels/cuda/library.h"

#include <array>
#include <string>
#include <vector>

namespace lw {

struct AttentionKernels {
    int (*plan)(const LwAttention*, int backward, LwAttentionPlan*) = nullptr;
    int (*forward)(const LwAttentionForward*) = nullptr;
    int (*backward)(const LwAttentionBackward*) = nullptr;
    const char* (*error_text)(int) = nullptr;
};

/// The tensors of a call; undefined where the scheme has no such part. Parameters are float32 and contiguous, as library.h lays them out.
enum CallPart { kQ, kK, kV, kTable, kDistance, kRow, kFirst, kFirstBias, kSecond, kSecondBias, kW1Content, kW1Bias, kB1, kW2, kB2, kCallParts };
using CallTensors = std::array<at::Tensor, kCallParts>;

struct CallSettings {
    double bias_slope = 0, slope = 0;
    bool adds_bias = true;
    bool without_tensor_cores = false;
};

struct KernelCall {
    CallTensors tensors;
    CallSettings settings;
};

/// "" when the kernels can compute the layer's terms, else why not.
std::string beyond_kernels(const LayerScheme& layer);
/// True when queries and keys rise by one each and end together: the kernels know distances, not positions. Reads them only where the inputs do not say.
bool positions_are_plain(const AttentionInputs& inputs);
/// Gradients flow from its tensors to the layer's parameters. Only where beyond_kernels() is "" and positions_are_plain().
KernelCall kernel_call(const LayerScheme& layer, const AttentionInputs& inputs);

/// {output [B, H, Tq, dv], log-normaliser [B, H, Tq] float32}. No gradient.
AttentionResult kernel_forward(const AttentionKernels& kernels, const KernelCall& call);
/// Gradients of every defined tensor of the call.
CallTensors kernel_backward(const AttentionKernels& kernels, const KernelCall& call, const AttentionResult& result, const at::Tensor& output_gradient);
/// The output, with gradients by kernel_backward() where something learns.
AttentionResult kernel_attention(const AttentionKernels& kernels, const LayerScheme& layer, const AttentionInputs& inputs);

}  // namespace lw
