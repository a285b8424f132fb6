#include "core/position/turn_pairs.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

namespace lw {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Views of the pairs' first and second elements, [B, H, T, r/2] each.
std::pair<at::Tensor, at::Tensor> elements(const at::Tensor& x, bool interleaved) {
    if (interleaved) return {x.slice(-1, 0, std::nullopt, 2), x.slice(-1, 1, std::nullopt, 2)};
    const auto half = x.size(-1) / 2;
    return {x.slice(-1, 0, half), x.slice(-1, half)};
}

at::Tensor turned(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved) {
    auto result = at::empty_like(x);
    const auto [a, b] = elements(x, interleaved);
    auto [to_a, to_b] = elements(result, interleaved);
    at::mul_out(to_a, a, cos).addcmul_(b, sin, -1);
    at::mul_out(to_b, b, cos).addcmul_(a, sin);
    return result;
}

struct Turn : public torch::autograd::Function<Turn> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved) {
        context->save_for_backward({cos, sin});
        context->saved_data["interleaved"] = interleaved;
        return turned(x, cos, sin, interleaved);
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        // The transposed map turns the other way. As a turn of its own it has a gradient too.
        return {apply(gradients[0], saved[0], saved[1].neg(), context->saved_data["interleaved"].toBool()), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

/// Whether every pair of x has its cosine, with none left over: positions may have a batch that x has not.
bool covers(const at::Tensor& x, const at::Tensor& cos) {
    auto pairs = x.sizes().vec();
    pairs.back() /= 2;
    return at::infer_size(pairs, cos.sizes()) == pairs;
}

}  // namespace

at::Tensor turn_pairs_plain(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved) {
    const auto [a, b] = elements(x, interleaved);
    const auto to_a = a * cos - b * sin, to_b = b * cos + a * sin;                           // [B, H, T, r/2] each
    return interleaved ? at::stack({to_a, to_b}, -1).flatten(-2) : at::cat({to_a, to_b}, -1);
}

at::Tensor turn_pairs(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved) {
    const bool one_type = cos.scalar_type() == x.scalar_type() && sin.scalar_type() == x.scalar_type();
    if (!one_type || cos.requires_grad() || sin.requires_grad() || !covers(x, cos)) return turn_pairs_plain(x, cos, sin, interleaved);
    return Turn::apply(x, cos, sin, interleaved);
}

}  // namespace lw
