/// Talking heads before the softmax. f = M · S at every (i, j), over the head axis: logits are S + M·S + B, so heads are mixed by
/// P = 1 + M before the bias is added. The linear special case of DAPE. The mixing after the softmax is not part of this entry.
/// S is the scaled, unmasked content. M [H, H] is learned, one per layer, PyTorch's default start of a linear layer or 0.
/// Shazeer, Lan, Cheng, Ding, Hou 2020, arXiv 2003.02436.
#include "core/position/entry.h"

#include <ATen/ATen.h>

#include <cmath>

namespace lw {

namespace {

class TalkingHeads final : public Adaptive {
public:
    TalkingHeads(const Params& params, const SlotShape& shape) {
        const double bound = choice_param(params, "initial") == "zero" ? 0 : 1 / std::sqrt(static_cast<double>(shape.heads));
        weight_ = register_parameter("weight", at::empty({shape.heads, shape.heads}).uniform_(-bound, bound));  // [H, H]
    }

    at::Tensor tile(const at::Tensor& content, const at::Tensor& /*bias*/, const TileGeometry& /*geometry*/) override {
        const auto flat = content.reshape({content.size(0), content.size(1), -1});                              // [B, H, Tq Tk]
        return at::matmul(weight_.to(content.scalar_type()), flat).view(content.sizes());                       // [B, H, Tq, Tk]
    }

    /// A network whose activation is the identity, so that DAPE's kernels serve this too.
    std::optional<PointwiseNetwork> network() const override {
        PointwiseNetwork net;
        net.w1 = weight_;
        net.w2 = at::eye(weight_.size(0), weight_.options().requires_grad(false));
        net.slope = 1;
        net.reads_bias = false;
        return net;
    }

private:
    at::Tensor weight_;
};

std::shared_ptr<Adaptive> make(const Params& params, const SlotShape& shape) { return std::make_shared<TalkingHeads>(params, shape); }

MethodCost cost(const Params& /*params*/, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = static_cast<double>(2 * shape.heads * shape.heads + shape.heads);  // M·S, and its addition to S
    cost.learned = shape.heads * shape.heads;
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "adaptive";
    info.id = "talking-heads";
    info.name = "Talking heads";
    info.summary = "Every head's scores are a learned mixture of all heads' scores.";
    info.formula = "logits = S + M·S + B,  M: H × H over heads";
    info.paper = "Shazeer, Lan, Cheng, Ding, Hou (2020): Talking-Heads Attention";
    info.url = "https://arxiv.org/abs/2003.02436";
    info.beyond_training = "Knows no position: what happens past the training length is up to the bias or rotation beside it.";
    info.claims = claims({"pointwise", "causal", "learned"});
    info.params = {choice_spec({"initial", "Initial values", "torch: PyTorch's default of a linear layer. zero: every head starts with its own scores."},
                               "torch", {"torch", "zero"})};
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::adaptive {
const Entry& talking_heads() {
    static const Entry entry{describe(), Make<Adaptive>{make}, nullptr, {}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::adaptive

}  // namespace lw
