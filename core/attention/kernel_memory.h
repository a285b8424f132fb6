#pragma once
/// Tensors as the kernels' C interface sees them.

#include "core/attention/kernel_call.h"

namespace lw {

/// Sizes, pointers and strides of a call, the stream and the GPU of its q.
LwAttention described(const KernelCall& call);
/// x [B, heads, T, d] with a contiguous last axis.
LwTensor described(const at::Tensor& x);
/// Throws with the error's text.
void check(const AttentionKernels& kernels, int error);

}  // namespace lw
