/// Dynamic linear scaling. p' = p while the text has at most L tokens, else p' = p · L / length, so that positions always end below L.
/// Earlier tokens move whenever the text grows past L: a key/value cache is filled again (extension notes 2.1).
/// Position interpolation (Chen et al. 2023, arXiv 2306.15595) with the factor taken from the text.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class DynamicLinear final : public PositionMap {
public:
    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (context.length <= context.train_length) return {indices, indices};
        const double share = static_cast<double>(context.train_length) / static_cast<double>(context.length);
        const auto positions = indices * share;  // [T]
        return {positions, positions};
    }
    bool length_dependent() const override { return true; }
};

std::shared_ptr<PositionMap> make(const Params& /*params*/, const SlotShape& /*shape*/) { return std::make_shared<DynamicLinear>(); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "dynamic-linear";
    info.name = "Dynamic interpolation";
    info.summary = "Once the text is longer than the training length L, all positions are squeezed below L.";
    info.formula = "p′ = p·min(1, L/T),  T: tokens so far";
    info.paper = "Chen, Wong, Chen, Tian (2023): Extending Context Window of Large Language Models via Positional Interpolation";
    info.url = "https://arxiv.org/abs/2306.15595";
    info.beyond_training = "Short texts are untouched, longer ones are squeezed just as far as they need. Every new token past L moves all earlier ones.";
    info.claims = claims({"ascending", "plain-within-training", "fixed"});
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& dynamic_linear() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
