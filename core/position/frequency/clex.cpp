/// CLEX. ln θ is the solution of an ordinary differential equation over the scale t, from t = 1 (θ as trained):
///   d ln θ / dt = W2ᵀ act(W1ᵀ (ln θ + ln θ_ntk(t))) - n/(d/2 - 1) · 2/α,  α = 2t - 1,  θ_ntk(t) = θ_n(1) α^(-n/(d/2 - 1)).
/// W1 [d/2, λ d] and W2 [λ d, d/2] are learned, one set for all layers; W2 starts at zero (or small), where the solution is NTK-aware scaling by α.
/// The NTK part has a closed form, so only the network's part is integrated (classical Runge-Kutta 4): u(1) = ln θ(1),
/// du/dt = W2ᵀ act(W1ᵀ (u - n/(d/2 - 1) ln α + ln θ_ntk)), ln θ = u - n/(d/2 - 1) ln α. The same equation, exact where the network is 0.
/// In use t = min(ceil(length / L), T), or without rounding up; in training t is drawn from 1 .. T once per pass. A pair that is not turned stays so.
/// Chen et al. 2023, arXiv 2310.16450; public code DAMO-NLP-SG/CLEX.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

using Activation = at::Tensor (*)(const at::Tensor&);

class Clex final : public FrequencyScaling {
public:
    Clex(const Params& params, std::int64_t pairs)
        : pairs_(pairs),
          longest_(integer_param(params, "max_factor")),
          step_(real_param(params, "step")),
          whole_(choice_param(params, "scale") == "whole"),
          activate_(choice_param(params, "activation") == "silu" ? Activation{at::silu} : Activation{at::tanh}) {
        const auto hidden = integer_param(params, "width_factor") * 2 * pairs;
        const double bound = 1 / std::sqrt(static_cast<double>(hidden));  // Kaiming with a = √5 on a [d/2, λ d] matrix
        up_ = register_parameter("up", at::empty({pairs, hidden}).uniform_(-bound, bound));
        const double start = real_param(params, "start");
        down_ = register_parameter("down", at::empty({hidden, pairs}).uniform_(-start, start));
    }

    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t length, std::int64_t train_length) const override {
        const double t = is_training() && drawn_ > 0 ? static_cast<double>(drawn_) : scale_of(length, train_length);
        if (t <= 1) return {inverse, 1};
        check_pairs(inverse);
        const auto plain = at::tensor(inverse, at::kDouble).to(up_.device());                    // [d/2]
        const auto turned = plain.gt(0);
        const auto start = at::where(turned, plain.log(), at::zeros_like(plain));
        const auto theta = at::where(turned, solution(start, t).exp(), at::zeros_like(plain));   // [d/2]
        const auto values = theta.detach().to(at::kCPU).contiguous();
        return {{values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()}, 1, theta};
    }
    bool length_dependent() const override { return true; }
    void begin_pass(bool training) override { drawn_ = training ? at::randint(1, longest_ + 1, {1}, at::kLong).item<std::int64_t>() : 0; }

private:
    void check_pairs(const std::vector<double>& inverse) const {
        if (static_cast<std::int64_t>(inverse.size()) == pairs_) return;
        throw Failure(ErrorKind::invalid_argument, fmt::format("CLEX was made for {} pairs, but the rotation has {}.", pairs_, inverse.size()));
    }

    double scale_of(std::int64_t length, std::int64_t train_length) const {
        if (train_length <= 0 || length <= train_length) return 1;
        const double share = static_cast<double>(length) / static_cast<double>(train_length);
        return std::min(static_cast<double>(longest_), whole_ ? std::ceil(share) : share);
    }

    /// ln θ at t from ln θ at 1, [d/2] float64.
    at::Tensor solution(const at::Tensor& start, double t) const {
        const auto last = static_cast<double>(std::max<std::int64_t>(1, pairs_ - 1));
        const auto share = at::arange(pairs_, start.options()) / last;                           // n / (d/2 - 1)
        const auto up = up_.to(at::kDouble), down = down_.to(at::kDouble);
        const auto slope = [&](double time, const at::Tensor& u) {
            const auto input = u + start - share * (2 * std::log(2 * time - 1));
            return at::matmul(activate_(at::matmul(input, up)), down);
        };
        const auto steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil((t - 1) / step_ - 1e-9)));
        const double h = (t - 1) / static_cast<double>(steps);
        auto u = start;
        for (std::int64_t n = 0; n < steps; ++n) {
            const double time = 1 + h * static_cast<double>(n);
            const auto k1 = slope(time, u), k2 = slope(time + h / 2, u + k1 * (h / 2)), k3 = slope(time + h / 2, u + k2 * (h / 2));
            const auto k4 = slope(time + h, u + k3 * h);
            u = u + (k1 + 2 * k2 + 2 * k3 + k4) * (h / 6);
        }
        return u - share * std::log(2 * t - 1);
    }

    std::int64_t pairs_, longest_;
    double step_;
    bool whole_;
    Activation activate_;
    at::Tensor up_, down_;
    std::int64_t drawn_ = 0;  // of this training pass; 0 = by the text's length
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& shape) { return std::make_shared<Clex>(params, shape.rotary_pairs()); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "clex";
    info.name = "CLEX";
    info.summary = "Frequencies move along a learned differential equation over the scale, in whole multiples of the training length.";
    info.formula = "d ln θ/dt = W₂ᵀ·tanh(W₁ᵀ·(ln θ + ln θₙₜₖ(t))) − (n/(d/2 − 1))·2/(2t − 1)";
    info.paper = "Chen, Li, Meng, Liang, Bing (2023): CLEX: Continuous Length Extrapolation for Large Language Models";
    info.url = "https://arxiv.org/abs/2310.16450";
    info.beyond_training = "Trained at random scales up to the largest one, it keeps its perplexity there and somewhat past it. "
                           "Its authors train with random positions as well: add the position map \"randomized\" with the same reach.";
    info.claims = claims({"plain-within-training", "length-dependent", "learned"});
    info.params = {
        integer_spec({"max_factor", "Largest scale T", "Training draws a scale from 1 to this; longer texts use this."}, 16, {2, 64, 1}),
        integer_spec({"width_factor", "Width λ", "Hidden units of the network, as a multiple of the rotated width."}, 1, {1, 8, 1}),
        choice_spec({"scale", "Scale in use", "whole: length / training length rounded up, as trained and published. exact: not rounded."}, "whole",
                    {"whole", "exact"}),
        choice_spec({"activation", "Activation", "Of the network."}, "tanh", {"tanh", "silu"}),
        real_spec({"start", "Start of W₂", "Drawn from −this to this. 0: begins as NTK-aware scaling, as published."}, 0, {0, 0.1, 0.01}),
        real_spec({"step", "Step", "Of the integration over the scale. The public code takes 0.01, on an equation with a steeper part."}, 0.1, {0.01, 0.5, 0.01}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& clex() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, nullptr, {"max_factor"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
