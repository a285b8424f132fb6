#pragma once
/// One attention of the fused training path: its tensors, what else both passes need, and the passes themselves.

#include "core/attention/score_tile.h"
#include "core/attention/training_backward.h"
#include "core/position/visible_intervals.h"

#include <ATen/core/ivalue.h>

#include <cmath>
#include <tuple>

namespace lw {

/// Kept between the passes beside tensors.
struct FusedCpuCase : public torch::CustomClassHolder {
    std::shared_ptr<Bias> bias;  ///< where its cells are made a block of rows at a time, else null
    AttentionInputs inputs;      ///< the positions for that
    float slope = 0.01f;
    bool adds_bias = false;      ///< the bias is added to the logits besides what the network makes of it
    bool table_learns = false;
    std::int64_t kernel = 0;     ///< keys that a convolution reads; 0: the network is pointwise
    VisibleIntervals visible;    ///< empty where rows see all keys up to their own
    [[nodiscard]] kernels::VisibleKeys visible_keys() const {
        if (visible.end.empty()) return {};
        return {visible.begin.data(), visible.end.data(), visible.sinks};
    }
};

/// Any but q, k, v may be undefined; w2 is where there is a network. Gradients come in the same order.
struct FusedCpuTensors {
    at::Tensor q;           ///< [B, H, Tq, d]
    at::Tensor k, v;        ///< [B, Hkv, Tk, d]
    at::Tensor table;       ///< [H, Tk]: the bias at distances 0, 1, ..
    at::Tensor w1_content;  ///< [D, H], where the network convolves [k, D, H]
    at::Tensor w1_bias;     ///< likewise
    at::Tensor b1;          ///< [D]
    at::Tensor w2;          ///< [H, D] or [k, H, D]
    at::Tensor b2;          ///< [H]
};

/// The bias at distances 0 .. Tk - 1 in float32, [H, Tk]; undefined where it depends on more than the distance.
at::Tensor bias_table(const LayerScheme& layer, const AttentionInputs& inputs);
/// The positions alone.
AttentionInputs without_tensors(const AttentionInputs& inputs);

/// {output [B, H, Tq, d], log-normaliser [B, H, Tq]}.
std::tuple<at::Tensor, at::Tensor> fused_cpu_forward(const FusedCpuTensors& tensors, const FusedCpuCase& shared);
/// Gradients of all tensors, and of the parameters of shared.bias.
FusedCpuTensors fused_cpu_backward(const FusedCpuTensors& tensors, const FusedCpuCase& shared, const at::Tensor& output, const at::Tensor& log_normaliser,
                                   const at::Tensor& d_output, std::vector<at::Tensor>& d_parameters);

/// Rows of a block whose bias is made cell by cell: about 2 million cells, whole blocks of the kernel.
std::int64_t cell_block_rows(const FusedCpuTensors& tensors);
/// cells [H, r, c] in rows that vectors may overrun: [H, r, c + kSheetPadding], zeros there.
at::Tensor padded_cells(const at::Tensor& cells);

}  // namespace lw
