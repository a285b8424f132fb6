/// FLOATER. The vector of position t is the solution of a differential equation with a learned network, added to the embedding:
///   dp/dτ = h(τ, p) = W2·tanh(W1·[τ; p] + b1) + b2,  p(0) = p0 learned,  token t stands at τ = t·Δ (Δ = 0.01).
/// Solved by Runge-Kutta 4 with fixed steps Δ / n (n = 5); a position between two steps takes one shorter last step.
/// Liu, Yu, Dhillon, Hsieh 2020, arXiv 2003.09229. There every layer has vectors of its own for q, k and v, solved again every few
/// hundred updates; here there is one set, at the input, always fresh. The start is Xavier, the network PyTorch's linear layers.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/modules/linear.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

/// The network with its weights in the type and place of the solution.
struct Field {
    at::Tensor w1, b1, w2, b2;  // [D, E + 1], [D], [E, D], [E]

    /// time [n, 1], p [n, E] -> [n, E].
    [[nodiscard]] at::Tensor operator()(const at::Tensor& time, const at::Tensor& p) const {
        return at::linear(at::tanh(at::linear(at::cat({time, p}, 1), w1, b1)), w2, b2);
    }
    /// One classical Runge-Kutta step: time, step [n, 1], p [n, E].
    [[nodiscard]] at::Tensor advanced(const at::Tensor& p, const at::Tensor& time, const at::Tensor& step) const {
        const auto half = step / 2, middle = time + half;
        const auto k1 = (*this)(time, p);
        const auto k2 = (*this)(middle, p + half * k1);
        const auto k3 = (*this)(middle, p + half * k2);
        const auto k4 = (*this)(time + step, p + step * k3);
        return p + step / 6 * (k1 + 2 * (k2 + k3) + k4);
    }
};

class Floater final : public InputEncoding {
public:
    Floater(const Params& params, const SlotShape& shape)
        : steps_(integer_param(params, "steps_per_token")),
          step_(real_param(params, "time_per_token") / static_cast<double>(steps_)),
          limit_(integer_param(params, "limit")) {
        const auto given = integer_param(params, "hidden");
        const auto hidden = given > 0 ? given : shape.width;
        const double bound = std::sqrt(6.0 / (1.0 + static_cast<double>(shape.width)));
        first_ = register_module("first", torch::nn::Linear(shape.width + 1, hidden));
        second_ = register_module("second", torch::nn::Linear(hidden, shape.width));
        start_ = register_parameter("start", at::empty({shape.width}).uniform_(-bound, bound));  // [E]
    }

    at::Tensor apply(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& /*tokens*/) override {
        return embedded + table(positions).to(embedded.scalar_type());  // [B, T, E]
    }

    at::Tensor table(const at::Tensor& positions) override {
        // Thousands of tiny steps, one after the other: they cost least on the CPU.
        const auto place = positions.to(at::kCPU, at::kDouble).flatten() * static_cast<double>(steps_);  // [n], in steps
        refuse_beyond(positions);
        const auto below = place.floor();                                                                // [n]
        const auto [wanted, which] = at::_unique(below.to(at::kLong), true, true);                       // [u] ascending, [n]
        const auto field = weights();
        const auto from = states(field, wanted).index_select(0, which);                                  // [n, E]
        const auto reached = field.advanced(from, column(below) * step_, column(place - below) * step_); // [n, E]
        auto sizes = positions.sizes().vec();
        sizes.push_back(start_.size(0));
        return reached.view(sizes).to(positions.device());                                               // [.., E]
    }

private:
    at::Tensor cast(const at::Tensor& parameter) const { return parameter.to(at::kCPU, precision()); }
    at::Tensor column(const at::Tensor& x) const { return x.to(precision()).unsqueeze(1); }
    Field weights() const { return {cast(first_->weight), cast(first_->bias), cast(second_->weight), cast(second_->bias)}; }

    /// The solution after `wanted` steps, [u] int64 ascending -> [u, E]; steps below 0 go back in time.
    at::Tensor states(const Field& field, const at::Tensor& wanted) const {
        const std::vector<std::int64_t> numbers(wanted.const_data_ptr<std::int64_t>(), wanted.const_data_ptr<std::int64_t>() + wanted.numel());
        const auto first_later = static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), 0) - numbers.begin());
        std::vector<at::Tensor> kept(numbers.size());
        const auto one = at::full({1, 1}, step_, at::TensorOptions(precision()));
        const auto walk = [&](at::Tensor& p, std::int64_t& at_step, std::int64_t target) {
            const std::int64_t direction = target < at_step ? -1 : 1;
            for (; at_step != target; at_step += direction) {
                p = field.advanced(p, one * static_cast<double>(at_step), one * static_cast<double>(direction));
            }
            return p;
        };
        const auto start = cast(start_).unsqueeze(0);                                                    // [1, E]
        auto p = start;
        std::int64_t at_step = 0;
        for (auto n = first_later; n < numbers.size(); ++n) kept[n] = walk(p, at_step, numbers[n]);
        p = start;
        at_step = 0;
        for (auto n = first_later; n-- > 0;) kept[n] = walk(p, at_step, numbers[n]);
        return at::cat(kept);
    }

    void refuse_beyond(const at::Tensor& positions) const {
        const double farthest = positions.abs().max().item<double>();
        if (farthest < static_cast<double>(limit_)) return;
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("FLOATER solves its equation step by step and is set to stop at {} tokens, but position {} is asked for. "
                                  "Raise \"limit\" if you can wait.", limit_, static_cast<std::int64_t>(farthest)));
    }

    std::int64_t steps_;
    double step_;
    std::int64_t limit_;
    torch::nn::Linear first_{nullptr}, second_{nullptr};
    at::Tensor start_;
};

std::shared_ptr<InputEncoding> make(const Params& params, const SlotShape& shape) { return std::make_shared<Floater>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "input";
    info.id = "floater";
    info.name = "FLOATER";
    info.summary = "Position vectors follow a differential equation whose right-hand side is a learned network.";
    info.formula = "x(t) → x(t) + p(t·Δ),  dp/dτ = W₂·tanh(W₁·[τ; p] + b₁) + b₂,  p(0) = p₀";
    info.paper = "Liu, Yu, Dhillon, Hsieh (2020): Learning to Encode Position for Transformer with Continuous Dynamical Model";
    info.url = "https://arxiv.org/abs/2003.09229";
    info.beyond_training = "The equation goes on past the training length, so there is a vector for every position. Nothing has trained the later ones.";
    info.claims = claims({"learned"});
    info.params = {
        integer_spec({"hidden", "Hidden width", "Width of the network's hidden layer. 0 = the model's width."}, 0, {0, 4096, 1}),
        real_spec({"time_per_token", "Time per token Δ", "How far the equation runs from one token to the next."}, 0.01, {0.0001, 16, 0.001, true}),
        integer_spec({"steps_per_token", "Steps per token", "Runge-Kutta steps from one token to the next; time grows with it."}, 5, {1, 100, 1}),
        integer_spec({"limit", "Longest text", "Longer ones are refused, because every step waits for the one before.", "tokens"}, 8192,
                     {16, 1048576, 1, true}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::input {
const Entry& floater() {
    static const Entry entry{describe(), Make<InputEncoding>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::input

}  // namespace lw
