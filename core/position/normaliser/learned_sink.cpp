/// Learned sink. Every head has a logit z_h without a value in the softmax's denominator: w = exp(x)/(exp z_h + Σ exp x).
/// z starts at N(0, 0.02), as published code draws it.
/// OpenAI 2025 (gpt-oss), arXiv 2508.10925.
#include "core/position/entry.h"
#include "core/position/sink_softmax.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class LearnedSink final : public SinkSoftmax {
public:
    explicit LearnedSink(const SlotShape& shape) { sinks_ = register_parameter("sinks", at::randn({shape.heads}, at::kFloat) * 0.02); }

private:
    at::Tensor sink(const at::Tensor& logit) const override { return sinks_.to(logit.options()); }  // [H]

    at::Tensor sinks_;
};

std::shared_ptr<Normaliser> make(const Params& /*params*/, const SlotShape& shape) { return std::make_shared<LearnedSink>(shape); }

/// One more term in each row's denominator.
MethodCost cost(const Params& /*params*/, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = 0;
    cost.per_token = static_cast<double>(shape.heads);
    cost.learned = shape.heads;
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "normaliser";
    info.id = "learned-sink";
    info.name = "Learned sink";
    info.summary = "Every head learns one more score that takes weight without a value, so that it may read nothing.";
    info.formula = "w = exp(x)/(exp(zₕ) + Σ exp(x))";
    info.paper = "OpenAI (2025): gpt-oss-120b and gpt-oss-20b Model Card";
    info.url = "https://arxiv.org/abs/2508.10925";
    info.beyond_training = "No need for sink tokens at the text's start. The sink's share falls as keys are added.";
    info.claims = claims({"sums-below-one", "learned"});
    info.plug_in = false;
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::normaliser {
const Entry& learned_sink() {
    static const Entry entry{describe(), Make<Normaliser>{make}, nullptr, {}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::normaliser

}  // namespace lw
