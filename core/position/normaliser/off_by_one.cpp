/// Softmax with 1 added to the denominator: w = exp(x)/(1 + Σ exp x). A head may read nothing.
/// Miller 2023, evanmiller.org/attention-is-off-by-one.html.
#include "core/position/entry.h"
#include "core/position/sink_softmax.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class OffByOne final : public SinkSoftmax {
    at::Tensor sink(const at::Tensor& logit) const override { return at::zeros({1}, logit.options()); }  // exp 0 = 1
};

std::shared_ptr<Normaliser> make(const Params& /*params*/, const SlotShape& /*shape*/) { return std::make_shared<OffByOne>(); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "normaliser";
    info.id = "off-by-one";
    info.name = "Softmax off by one";
    info.summary = "The softmax's denominator has 1 added, so that a head may read nothing.";
    info.formula = "w = exp(x)/(1 + Σ exp(x))";
    info.paper = "Miller (2023): Attention Is Off By One";
    info.url = "https://www.evanmiller.org/attention-is-off-by-one.html";
    info.beyond_training = "No need for sink tokens at the text's start. The added 1 matters less the more keys there are.";
    info.claims = claims({"sums-below-one", "fixed"});
    info.plug_in = false;
    return info;
}

}  // namespace

namespace entries_of::normaliser {
const Entry& off_by_one() {
    static const Entry entry{describe(), Make<Normaliser>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::normaliser

}  // namespace lw
