/// Position interpolation. p' = p / s for every token, s >= 1 constant; input encoding, rotation and bias all see p'.
/// With a rotation this equals the frequency scaling "linear" of the same factor; here it serves any encoding with real positions.
/// Chen, Wong, Chen, Tian 2023, arXiv 2306.15595.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Linear final : public PositionMap {
public:
    explicit Linear(const Params& params) : factor_(real_param(params, "factor")) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& /*context*/) override {
        const auto positions = factor_ == 1 ? indices : indices / factor_;  // [T]
        return {positions, positions};
    }

private:
    double factor_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Linear>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "linear";
    info.name = "Position interpolation";
    info.summary = "All positions are divided by one factor, so that a longer text fits into the trained range.";
    info.formula = "p′ = p/s";
    info.paper = "Chen, Wong, Chen, Tian (2023): Extending Context Window of Large Language Models via Positional Interpolation";
    info.url = "https://arxiv.org/abs/2306.15595";
    info.beyond_training = "Without further training it works up to about twice the training length. Neighbours stand closer than in training, which "
                           "short training mends.";
    info.claims = claims({"ascending", "identity-at-factor-1", "fixed"});
    info.params = {
        real_spec({"factor", "Factor s", "Positions are divided by it: length / training length for the longest text."}, 2, {1, 1024, 0.5}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& linear() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {"factor"}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
