#pragma once
/// Tensors as the CPU kernels take them, for both passes.

#include "core/attention/kernels/cpu/call.h"

#include <ATen/core/Tensor.h>

#include <cmath>

namespace lw {

/// A float tensor [B, H, T, d] as kernels take it; the last axis must be contiguous. [B, H, T] has d = 1.
kernels::ConstTensor strided(const at::Tensor& x);
kernels::MutableTensor writable(const at::Tensor& x);
/// The same tensor, copied where its last axis is not contiguous.
at::Tensor with_rows(const at::Tensor& x);

/// Sizes, strides and scale of a call of either pass. q [B, H, Tq, d], k and v [B, Hkv, Tk, d]; the last Tq keys are the queries' own.
template <class Call>
void set_tensors(Call& call, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    call.heads = q.size(1);
    call.key_heads = k.size(1);
    call.queries = q.size(2);
    call.keys = k.size(2);
    call.width = q.size(3);
    call.value_width = v.size(3);
    call.before = call.keys - call.queries;
    call.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(q.size(3))));
    call.q = strided(q);
    call.k = strided(k);
    call.v = strided(v);
}

}  // namespace lw
