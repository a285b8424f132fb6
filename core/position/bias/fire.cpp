/// FIRE. B(i, j) = g( ψ(δ) / (ψ(max(i, τ)) + ε) ), ψ(x) = ln(|c·x| + 1), τ = |m·L0|, δ = |i - j|, ε = 1e-6.
/// g: 1 -> w -> H with one hidden layer; c, m and g are learned, one set per layer (or one for all layers: FIRE-S).
/// The denominator belongs to the query row, so this is no function of distance alone.
/// Li et al. 2024, arXiv 2310.04418. Inner activation: ReLU in FIRE itself, LeakyReLU under DAPE.
#include "core/position/distance_bias.h"
#include "core/position/entry.h"
#include "core/position/kernel_forms.h"
#include "core/position/piecewise_linear.h"

#include <torch/nn/modules/linear.h>

namespace lw {

namespace {

constexpr double kEpsilon = 1e-6;  // outside the logarithm
constexpr double kLeakySlope = 0.01;

class Fire final : public Bias, public PiecewiseBias, public LogDistanceBias {
public:
    Fire(const Params& params, const SlotShape& shape)
        : shared_(flag_param(params, "shared")), leaky_(choice_param(params, "activation") == "leaky_relu") {
        const auto threshold = integer_param(params, "threshold");
        threshold_ = static_cast<double>(threshold > 0 ? threshold : shape.train_length);
        const auto hidden = integer_param(params, "hidden");
        first_ = register_module("first", torch::nn::Linear(1, hidden));
        second_ = register_module("second", torch::nn::Linear(hidden, shape.heads));
        c_ = register_parameter("c", at::full({}, real_param(params, "initial_c")));
        multiplier_ = register_parameter("multiplier", at::ones({}));
    }

    at::Tensor tile(const TileGeometry& geometry) override {
        const auto rows = geometry.query_positions.numel(), columns = geometry.key_positions.numel();
        const auto argument_tile = argument(geometry);                                             // [Tq, Tk]
        // One input and one hidden layer make a piecewise linear function: where no gradient is asked for, it is evaluated
        // as such, which takes H multiplications per cell instead of w (H + 1) and no hidden values in memory.
        if (!at::GradMode::is_enabled() && argument_tile.is_cpu()) {
            const PiecewiseLinear pieces(*first_, *second_, leaky_ ? kLeakySlope : 0);
            if (pieces.usable()) return pieces(argument_tile);                                     // [H, Tq, Tk]
        }
        const auto x = argument_tile.reshape({-1, 1});                                             // [Tq Tk, 1]
        auto hidden = at::linear(x, cast(first_->weight), cast(first_->bias));                     // [Tq Tk, w]
        hidden = leaky_ ? at::leaky_relu_(hidden, kLeakySlope) : at::relu_(hidden);                // [Tq Tk, w]
        const auto values = at::matmul(cast(second_->weight), hidden.t());                         // [H, Tq Tk]
        return (values + cast(second_->bias).unsqueeze(1)).view({-1, rows, columns});              // [H, Tq, Tk]
    }
    at::Tensor piecewise_tile(const TileGeometry& geometry) override {
        const auto x = argument(geometry);                                                         // [Tq, Tk]
        if (!x.is_cpu() || x.scalar_type() != at::kFloat) return {};
        return piecewise_linear(x, *first_, *second_, leaky_ ? kLeakySlope : 0);                   // [H, Tq, Tk]
    }
    LogDistanceForm log_distance_form(const at::Tensor& distances, const at::Tensor& query_positions) const override {
        return {psi(distances.to(precision())), row_value(query_positions), cast(first_->weight).squeeze(1), cast(first_->bias), cast(second_->weight),
                cast(second_->bias), leaky_ ? kLeakySlope : 0};
    }
    bool distance_only() const override { return false; }
    bool shared_by_layers() const override { return shared_; }

private:
    at::Tensor cast(const at::Tensor& parameter) const { return parameter.to(precision()); }
    at::Tensor psi(const at::Tensor& x) const { return at::log1p((cast(c_) * x).abs()); }

    /// ψ(δ) of every cell.
    at::Tensor psi_of_distance(const TileGeometry& geometry) const {
        if (has_unit_steps(geometry)) {
            const auto values = psi(sliding_differences(geometry).abs_().to(precision()));         // [Tq + Tk - 1]
            return sliding_tile(values, geometry.key_positions.numel());                           // [Tq, Tk]
        }
        return psi((geometry.query_positions.unsqueeze(1) - geometry.key_positions.unsqueeze(0)).abs().to(precision()));
    }

    /// ψ(max(i, τ)) + ε of every query.
    at::Tensor row_value(const at::Tensor& query_positions) const {
        const auto threshold = (cast(multiplier_) * threshold_).abs();                             // []
        return psi(at::maximum(query_positions.to(precision()), threshold)) + kEpsilon;            // [Tq]
    }

    at::Tensor argument(const TileGeometry& geometry) const {
        return psi_of_distance(geometry) / row_value(geometry.query_positions).unsqueeze(1);       // [Tq, Tk]
    }

    bool shared_, leaky_;
    double threshold_ = 1;
    torch::nn::Linear first_{nullptr}, second_{nullptr};
    at::Tensor c_, multiplier_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Fire>(params, shape); }

/// The network as it trains; without gradients its pieces take H multiplications per cell.
MethodCost cost(const Params& params, const ModelShape& shape) {
    const auto hidden = integer_param(params, "hidden");
    MethodCost cost;
    cost.per_pair = static_cast<double>(2 * hidden * (1 + shape.heads) + shape.heads);
    cost.learned = hidden + hidden + hidden * shape.heads + shape.heads + 2;  // two layers with biases, c and the multiplier
    cost.shared = flag_param(params, "shared");
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "fire";
    info.name = "FIRE";
    info.summary = "A small learned network reads the distance relative to the query's own position.";
    info.formula = "B(i, j) = g(ψ(i − j) / (ψ(max(i, |m·L₀|)) + ε)),  ψ(x) = ln(|c·x| + 1),  g: 1 → w → H";
    info.paper = "Li, You, Guruganesh, Ainslie, Ontanon, Zaheer, Sanghai, Yang, Kumar, Bhojanapalli (2024): Functional Interpolation for "
                 "Relative Positions Improves Long Context Transformers";
    info.url = "https://arxiv.org/abs/2310.04418";
    info.beyond_training = "Distances are read as fractions of the row, so no unseen input appears past the training length. "
                           "Perplexity usually rises slowly.";
    info.claims = claims({"row-dependent", "pointwise", "learned"});
    info.params = {
        integer_spec({"hidden", "Hidden width w", "Hidden units of the network g."}, 32, {1, 256, 1}),
        integer_spec({"threshold", "Threshold L₀", "Below it the row's own position is not used. 0 = the training length.", "tokens"}, 0,
                     {0, 131072, 1}),
        choice_spec({"activation", "Inner activation", "ReLU in FIRE itself; LeakyReLU is used together with DAPE."}, "relu",
                    {"relu", "leaky_relu"}),
        real_spec({"initial_c", "Start of c", "Value of c before training."}, 0.1, {0.001, 10, 0.01, true}),
        flag_spec({"shared", "Shared by layers", "One network for all layers (FIRE-S)."}, false),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& fire() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
