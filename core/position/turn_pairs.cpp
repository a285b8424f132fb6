#include "core/position/turn_pairs.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
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

/// Where the elements of [B, H, T, n] lie, whose last axis is contiguous.
template <typename Float>
struct Rows {
    explicit Rows(const at::Tensor& tensor)
        : data(tensor.data_ptr<Float>()), batch(tensor.stride(0)), head(tensor.stride(1)), row(tensor.stride(2)) {}
    [[nodiscard]] Float* at(std::int64_t b, std::int64_t h, std::int64_t t) const { return data + b * batch + h * head + t * row; }
    Float* data;
    std::int64_t batch, head, row;
};

/// One row: pair n is (n · step, n · step + apart).
template <typename Float>
void turn_row(const Float* x, const Float* cos, const Float* sin, Float* to, std::int64_t pairs, std::int64_t step, std::int64_t apart) {
    for (std::int64_t n = 0; n < pairs; ++n) {
        const Float a = x[n * step], b = x[n * step + apart];
        to[n * step] = a * cos[n] - b * sin[n];
        to[n * step + apart] = b * cos[n] + a * sin[n];
    }
}

/// One pass over x. Rows are short, and four passes of tensor operations spend their time on beginning them.
template <typename Float>
void turn_rows(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, const at::Tensor& result, bool interleaved) {
    const auto heads = x.size(1), length = x.size(2), pairs = x.size(3) / 2;
    const auto angles = [&](const at::Tensor& y) { return y.expand({x.size(0), heads, length, pairs}); };
    const Rows<Float> from(x), cosines(angles(cos)), sines(angles(sin)), to(result);
    const auto grain = std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / std::max<std::int64_t>(1, length * pairs));
    at::parallel_for(0, x.size(0) * heads, grain, [&](std::int64_t first, std::int64_t last) {
        for (auto i = first; i < last; ++i) {
            const auto b = i / heads, h = i % heads;
            for (std::int64_t t = 0; t < length; ++t) {
                const Float *c = cosines.at(b, h, t), *s = sines.at(b, h, t);
                if (interleaved) turn_row(from.at(b, h, t), c, s, to.at(b, h, t), pairs, 2, 1);
                else turn_row(from.at(b, h, t), c, s, to.at(b, h, t), pairs, 1, pairs);
            }
        }
    });
}

/// Whether turn_rows() reads and writes them: on the CPU, in float32 or float64, with the elements of a row side by side.
bool in_rows(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, const at::Tensor& result) {
    const auto side_by_side = [](const at::Tensor& y) { return y.dim() > 0 && y.is_cpu() && (y.stride(-1) == 1 || y.size(-1) == 1); };
    return x.dim() == 4 && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) && side_by_side(x) && side_by_side(cos) && side_by_side(sin) &&
           cos.size(-1) == x.size(3) / 2 && sin.size(-1) == x.size(3) / 2 && side_by_side(result);
}

at::Tensor turned(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, bool interleaved) {
    auto result = at::empty_like(x);
    if (in_rows(x, cos, sin, result)) {
        if (x.scalar_type() == at::kFloat) turn_rows<float>(x, cos, sin, result, interleaved);
        else turn_rows<double>(x, cos, sin, result, interleaved);
        return result;
    }
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
