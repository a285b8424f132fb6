/// DAPE. f = W2 · leaky(W1 · u + b1) + b2 at every (i, j), over the head axis: C -> D -> H.
/// u is made of the scaled, unmasked content S and the static bias B; logits are S + B + f, or S + f for the variant "concat".
///   concat_residual  u = (S, B), C = 2H      concat     u = (S, B), B itself is not added
///   add_residual     u = S + B,  C = H       bias_only  u = B,      C = H
/// Without a static bias (no position, or on a rotation) u = S. One network per layer, PyTorch's default initial values.
/// Zheng et al. 2024, arXiv 2405.14722.
#include "core/position/adaptive/dape_input.h"
#include "core/position/entry.h"

#include <torch/nn/modules/linear.h>

namespace lw {

namespace {

class Dape final : public DapeNetwork {
public:
    Dape(const Params& params, const SlotShape& shape) : DapeNetwork(params, shape) {
        first_ = register_module("first", torch::nn::Linear(torch::nn::LinearOptions(input_.channels, hidden_).bias(biases_)));
        second_ = register_module("second", torch::nn::Linear(torch::nn::LinearOptions(hidden_, shape.heads).bias(biases_)));
        start(*second_);
    }

    at::Tensor tile(const at::Tensor& content, const at::Tensor& bias, const TileGeometry& /*geometry*/) override {
        const auto batch = content.size(0), rows = content.size(2), columns = content.size(3);
        const auto net = *network();
        const auto type = content.scalar_type();
        // W1 · (S, B) = W1s · S + W1b · B: the second product is shared by the whole batch and nothing is concatenated.
        at::Tensor hidden;  // [B or 1, D, Tq Tk]
        if (input_.reads_content) {
            const auto u = input_.sums ? content + bias.to(type) : content;                                   // [B, H, Tq, Tk]
            const auto w = net.w1.to(type).slice(1, 0, u.size(1));                                            // [D, H]
            hidden = at::matmul(w, u.reshape({batch, u.size(1), -1}));                                        // [B, D, Tq Tk]
        }
        if (input_.reads_bias && !input_.sums) {
            const auto w = net.w1.to(type).slice(1, input_.channels - bias.size(0));                          // [D, H]
            const auto part = at::matmul(w, bias.to(type).reshape({bias.size(0), -1})).unsqueeze(0);          // [1, D, Tq Tk]
            hidden = hidden.defined() ? hidden.add_(part) : part;
        }
        if (net.b1.defined()) hidden = hidden.add_(net.b1.to(type).unsqueeze(1));
        auto f = at::matmul(net.w2.to(type), at::leaky_relu_(hidden, slope_));                                // [., H, Tq Tk]
        if (net.b2.defined()) f = f.add_(net.b2.to(type).unsqueeze(1));
        return f.view({f.size(0), f.size(1), rows, columns}).expand({batch, -1, -1, -1});                     // [B, H, Tq, Tk]
    }

    std::optional<PointwiseNetwork> network() const override {
        PointwiseNetwork net;
        net.w1 = first_->weight;
        net.b1 = first_->bias;
        net.w2 = second_->weight;
        net.b2 = second_->bias;
        net.slope = slope_;
        net.reads_content = input_.reads_content;
        net.reads_bias = input_.reads_bias;
        net.sums_inputs = input_.sums;
        return net;
    }

private:
    torch::nn::Linear first_{nullptr}, second_{nullptr};
};

std::shared_ptr<Adaptive> make(const Params& params, const SlotShape& shape) { return std::make_shared<Dape>(params, shape); }

MethodCost cost(const Params& params, const ModelShape& shape) { return dape_network_cost(params, shape, 1); }

MethodInfo describe() {
    MethodInfo info = dape_info("dape");
    info.name = "DAPE";
    info.summary = "A small network across heads adapts the positional bias of every query and key to their content.";
    info.formula = "logits = S + B + f(S, B),  f = W₂·leaky(W₁·(S, B) + b₁) + b₂,  2H → D → H";
    info.paper = "Zheng, Gao, Shi, Huang, Li, Xiong, Ren, Ng, Jiang, Li, Li (2024): DAPE: Data-Adaptive Positional Encoding for Length "
                 "Extrapolation";
    info.url = "https://arxiv.org/abs/2405.14722";
    info.beyond_training = "On top of a bias that extrapolates (ALiBi, KERPLE, FIRE) it usually lowers perplexity at every length. "
                           "Heads may turn local or anti-local depending on the text.";
    info.claims = claims({"pointwise", "causal", "permutes-with-heads", "learned"});
    return info;
}

}  // namespace

namespace entries_of::adaptive {
const Entry& dape() {
    static const Entry entry{describe(), Make<Adaptive>{make}, nullptr, {"hidden", "variant"}, dape_values, cost};
    return entry;
}
}  // namespace entries_of::adaptive

}  // namespace lw
