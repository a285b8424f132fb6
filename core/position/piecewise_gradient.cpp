/// The piecewise linear network under autograd. In a piece the outputs are lines whose slope and intercept the weights make, so the gradients
/// of all weights follow from two sums per piece and output: Σ d and Σ d x.
#include "core/position/piecewise_linear.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace lw {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Piecewise : public torch::autograd::Function<Piecewise> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w1, const at::Tensor& b1, const at::Tensor& w2,
                              const at::Tensor& b2, double negative_slope) {
        context->save_for_backward({x, w1, b1, w2, b2});
        context->saved_data["slope"] = negative_slope;
        return PiecewiseLinear(w1, b1, w2, b2, negative_slope)(x);                                         // [H, Tq, Tk]
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto s = context->get_saved_variables();
        const auto &x = s[0], &w1 = s[1], &b1 = s[2], &w2 = s[3], &b2 = s[4];
        const PiecewiseLinear pieces(w1, b1, w2, b2, context->saved_data["slope"].toDouble());
        const auto sums = pieces.sums(x, gradients[0]);
        const auto active = pieces.activation_slopes();                                                    // [p + 1, w]
        const auto d = at::mm(sums.d.t(), active), d_x = at::mm(sums.d_x.t(), active);                     // [H, w]
        const auto first = w1.to(at::kDouble).view({1, -1}), offset = b1.to(at::kDouble), second = w2.to(at::kDouble);
        const auto of_w2 = d_x * first + d * offset;                                                       // [H, w]
        const auto of_w1 = (second * d_x).sum(0).unsqueeze(1), of_b1 = (second * d).sum(0);                // [w, 1], [w]
        return {sums.x, of_w1.to(w1.scalar_type()), of_b1.to(b1.scalar_type()), of_w2.to(w2.scalar_type()), sums.d.sum(0).to(b2.scalar_type()), at::Tensor()};
    }
};

}  // namespace

at::Tensor piecewise_linear(const at::Tensor& x, const torch::nn::LinearImpl& first, const torch::nn::LinearImpl& second, double negative_slope) {
    if (!PiecewiseLinear(first, second, negative_slope).usable()) return {};
    return Piecewise::apply(x, first.weight, first.bias, second.weight, second.bias, negative_slope);
}

}  // namespace lw
