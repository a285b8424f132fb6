/// Softmax, said explicitly: the same as a scheme without this slot. w = exp(x - n), n = ln Σ exp x.
/// Vaswani et al. 2017, arXiv 1706.03762.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Softmax final : public Normaliser {
public:
    at::Tensor weights(const at::Tensor& logit, const TileGeometry& /*geometry*/) override { return at::softmax(logit, -1); }
    at::Tensor log_normaliser(const at::Tensor& logit) override { return at::logsumexp(logit, -1); }  // [B, H, r]
};

std::shared_ptr<Normaliser> make(const Params& /*params*/, const SlotShape& /*shape*/) { return std::make_shared<Softmax>(); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "normaliser";
    info.id = "softmax";
    info.name = "Softmax";
    info.summary = "Weights are exponentials divided by their sum, as without an entry.";
    info.formula = "w = exp(x)/Σ exp(x)";
    info.paper = "Vaswani et al. (2017): Attention Is All You Need";
    info.url = "https://arxiv.org/abs/1706.03762";
    info.beyond_training = "Attention spreads out as keys are added, unless scores grow as well.";
    info.claims = claims({"sums-to-one", "fixed"});
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::normaliser {
const Entry& softmax() {
    static const Entry entry{describe(), Make<Normaliser>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::normaliser

}  // namespace lw
