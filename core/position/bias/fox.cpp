/// Forgetting Transformer (FoX). B(i, j) = Σ_{l=j+1..i} ln f_l, f_l = σ(w_h·x_l + b_h), x the layer's normed input: what a token
/// forgets counts against everything before it. Added to the scaled scores and not scaled itself; 0 on the token itself. With PaTH
/// (PaTH-FoX, arXiv 2505.16381) flash-linear-attention's reference adds it before the scale: scale inverse_sqrt_d.
/// Start: w ~ N(0, 0.02), b = 0 in the official code (half of everything is forgotten per token), 5 in x-transformers.
/// With w = 0 and b = -ln(e^(1/T) - 1) it is ALiBi with slope 1/T.
/// Lin, Nikishin, He, Courville 2025, arXiv 2503.02130.
#include "core/position/entry.h"
#include "core/position/gate_sum.h"

#include <ATen/ATen.h>

#include <cmath>

namespace lw {

namespace {

class Fox final : public GateSumBias {
public:
    Fox(const Params& params, const SlotShape& shape) : GateSumBias(shape, real_param(params, "initial_bias")) {
        if (choice_param(params, "scale") == "inverse_sqrt_d") strength_ = 1 / std::sqrt(static_cast<double>(shape.head_width));
    }

    at::Tensor content_tile(const ContentView& view, const TileGeometry& geometry) override {
        const auto sums = GateSumBias::content_tile(view, geometry);                              // [B, H, r, c]
        return strength_ == 1 ? sums : sums * strength_;
    }

protected:
    at::Tensor gate(const at::Tensor& z) const override { return at::log_sigmoid(z); }

private:
    double strength_ = 1;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Fox>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "fox";
    info.name = "FoX (forget gates)";
    info.summary = "Every token decides how much of everything before it each head forgets.";
    info.formula = "B(i, j) = Σ_{l=j+1…i} ln fₗ,  fₗ = σ(wₕ·xₗ + bₕ)";
    info.paper = "Lin, Nikishin, He, Courville (2025): Forgetting Transformer: Softmax Attention with a Forget Gate";
    info.url = "https://arxiv.org/abs/2503.02130";
    info.beyond_training = "Works like ALiBi with slopes that follow the text. Heads whose gates stay open read far tokens, the others hardly any.";
    info.claims = claims({"content-dependent", "monotone", "zero-at-zero", "learned"});
    info.params = {
        real_spec({"initial_bias", "Gate bias at the start", "0 as published: f is about 1/2. 5: f is about 0.993, little is forgotten."}, 0, {-4, 10, 0.5}),
        choice_spec({"scale", "Scale", "one: added to the scaled scores. inverse_sqrt_d: divided by √d as the scores are (PaTH-FoX)."}, "one",
                    {"one", "inverse_sqrt_d"}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& fox() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {"initial_bias"}, nullptr, gate_cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
