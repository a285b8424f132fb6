/// Cable. B(i, j) = c_i - c_j, c = cumulative sum over the text of -ln(1 + e^z), z = w_h·x + b_h, x the layer's normed input; 0 on
/// the token itself. The same as FoX with the gate's sign turned. Start as in the authors' program: w ~ N(0, 0.02), b = 0.
/// Added to the scaled scores; that program does not divide q·k by √d.
/// Veisi, Amirzadeh, Mansourian 2025, arXiv 2503.08067.
#include "core/position/entry.h"
#include "core/position/gate_sum.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Cable final : public GateSumBias {
public:
    explicit Cable(const SlotShape& shape) : GateSumBias(shape, 0) {}

protected:
    at::Tensor gate(const at::Tensor& z) const override { return -at::softplus(z); }
};

std::shared_ptr<Bias> make(const Params& /*params*/, const SlotShape& shape) { return std::make_shared<Cable>(shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "cable";
    info.name = "Cable";
    info.summary = "Every token adds its own step to the distance that each head counts.";
    info.formula = "B(i, j) = cᵢ − cⱼ,  c = cumsum(−ln(1 + e^(wₕ·x + bₕ)))";
    info.paper = "Veisi, Amirzadeh, Mansourian (2025): Context-aware Biases for Length Extrapolation";
    info.url = "https://arxiv.org/abs/2503.08067";
    info.beyond_training = "Works like ALiBi with steps that follow the text, so perplexity is expected to stay flat past the training length.";
    info.claims = claims({"content-dependent", "monotone", "zero-at-zero", "learned"});
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& cable() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}, nullptr, gate_cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
