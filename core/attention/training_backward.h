#pragma once
/// Runs the CPU kernel of backward on tensors: cuts the work into as many shares as there are threads, always at the same places, and adds
/// the shares' sums in their order, so that results are bit-equal from run to run.

#include "core/attention/kernel_tensors.h"
#include "core/attention/kernels/cpu/attention_backward.h"

#include <ATen/core/Tensor.h>

namespace lw {

/// What one call of the kernel adds up over all sequences; undefined where not asked for.
struct BackwardWishes {
    std::int64_t bias_floats = 0, offset_floats = 0;  ///< of a sheet's memory; 0: no such gradient
    std::int64_t bias_shift = 0, offset_shift = 0;    ///< from the memory's start to the sheet's origin
    bool w1 = false, w2 = false, b1 = false;
};
struct BackwardTotals {
    at::Tensor bias, offset;  ///< flat, laid out as the sheets
    at::Tensor w1, w2;        ///< [k, D, C] and [k, H, D]; [1, D, H] and [1, H, D] of a pointwise network
    at::Tensor b1;            ///< [D]
};

/// Query rows [first_row, last_row) of `batch` sequences. d_k and d_v [B, Hkv, Tk, d] are added to, or written where the rows begin with query 0.
BackwardTotals run_backward(const kernels::BackwardCall& call, std::int64_t batch, std::int64_t first_row, std::int64_t last_row, const BackwardWishes& wishes,
                            const at::Tensor& d_k, const at::Tensor& d_v);

}  // namespace lw
