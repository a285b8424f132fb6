/// PoPE. Every element is a magnitude softplus(x_i) at the angle p · θ_i, θ_i = b^(-i/d), i = 0 .. d - 1; keys get a learned phase per head
/// and element, clamped to [-2π, 0]. Written as cos parts then sin parts, 2d wide, so that
///   q·k = Σ_i softplus(q_i) softplus(k_i) cos((p_q - p_k) θ_i - phase_i),
/// divided by √d of the plain head. The gradient of the phase passes through the clamp, so that a phase on the bound can leave it.
/// Gopalakrishnan et al. 2025, arXiv 2509.10534; starts of the phase (0 or uniform) as in x-transformers.
#include "core/position/entry.h"
#include "core/position/projection.h"
#include "core/position/rotation/pair_rotation.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

namespace lw {

namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;

class Pope final : public Rotation {
public:
    Pope(const Params& params, const SlotShape& shape) : base_(real_param(params, "base")), width_(shape.head_width) {
        phase_ = register_parameter("phase", at::zeros({shape.key_heads(), width_}));                   // [Hkv, d]
        if (choice_param(params, "phase") != "uniform") return;
        const at::NoGradGuard no_gradient;
        phase_.uniform_(-kFullTurn, 0);
    }

    std::vector<double> inverse_frequencies() const override {
        std::vector<double> theta;
        for (std::int64_t i = 0; i < width_; ++i) theta.push_back(std::pow(base_, -static_cast<double>(i) / static_cast<double>(width_)));
        return theta;
    }
    double base() const override { return base_; }

    at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies, Side side) const override {
        auto angle = positions.to(at::kDouble).unsqueeze(-1) * frequencies.theta(positions.device());   // [.., T, d]
        if (side == Side::key) {
            // [H, T, d], [B, H, T, d] or [1, H, T, d]
            angle = angle + projected(phase_, -kFullTurn, 0.0, is_training()).to(at::kDouble).unsqueeze(1);
        }
        const auto type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const auto magnitude = at::softplus(x.to(type)) * frequencies.attention_factor;                 // [B, H, T, d]
        const auto parts = at::cat({magnitude * at::cos(angle).to(type), magnitude * at::sin(angle).to(type)}, -1);
        return parts.to(x.scalar_type());                                                               // [B, H, T, 2d]
    }

private:
    double base_;
    std::int64_t width_;
    at::Tensor phase_;
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<Pope>(params, shape); }

/// Products of queries and keys twice as wide: d more multiplications and additions per head.
MethodCost cost(const Params& /*params*/, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = 2.0 * static_cast<double>(shape.heads * shape.head_width);
    cost.learned = shape.key_heads() * shape.head_width;
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "pope";
    info.name = "PoPE";
    info.summary = "Content sets magnitudes and position sets angles, one per element, with a learned phase per head.";
    info.formula = "Σᵢ softplus(qᵢ)·softplus(kᵢ)·cos(δ·θᵢ − φᵢ),  θᵢ = b^(−i/d),  φ ∈ [−2π, 0]";
    info.paper = "Gopalakrishnan, Csordás, Schmidhuber, Mozer (2025): Decoupling the \"What\" and \"Where\" With Polar Coordinate Positional Embeddings";
    info.url = "https://arxiv.org/abs/2509.10534";
    info.beyond_training = "Its authors report better perplexity past the training length than RoPE without any scaling.";
    info.claims = claims({"relative", "learned"});
    info.params = {
        base_spec(),
        choice_spec({"phase", "Start of the phase", "zero: as the public code does by itself. uniform: from −2π to 0."}, "zero", {"zero", "uniform"}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& pope() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
