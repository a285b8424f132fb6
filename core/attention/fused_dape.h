#pragma once
/// Forward and backward of attention with DAPE v1's pointwise network, block by block.

#include <ATen/core/Tensor.h>

#include <functional>
#include <tuple>

namespace lw {

struct DapeSettings {
    double slope = 0.01;
    bool reads_content = true, reads_bias = true, sums_inputs = false;
    bool adds_bias = true;  ///< logits = S + B + f, else S + f
};

/// q [B, H, Tq, d], k and v [B, Hkv, Tk, d], bias [H, Tq, Tk] or undefined, w1 [D, C], b1 [D], w2 [H, D], b2 [H] (b1, b2 may be undefined).
struct DapeTensors {
    at::Tensor q, k, v, bias, w1, b1, w2, b2;
};

/// bias rows [begin, end) and the first `columns` keys: [H, rows, columns].
using BiasRows = std::function<at::Tensor(std::int64_t begin, std::int64_t end, std::int64_t columns)>;

/// {output [B, H, Tq, d], log-normaliser [B, H, Tq] or undefined}. `bias_rows` replaces tensors.bias when given.
/// The last Tq keys are the queries' own; key j is visible to query i when j <= Tk - Tq + i.
std::tuple<at::Tensor, at::Tensor> dape_forward(const DapeTensors& tensors, const DapeSettings& settings, bool wants_normaliser,
                                                const BiasRows& bias_rows = {});

/// Gradients of every tensor (undefined where the tensor is), scores recomputed block by block.
DapeTensors dape_backward(const DapeTensors& tensors, const DapeSettings& settings, const at::Tensor& output_gradient);

}  // namespace lw
