/// SHAPE. In training one whole offset k of 0 .. K - 1 is drawn per sequence and added to all its positions; outside training the
/// offset is the constant K, as in the published code (not 0). It acts on what the input encoding sees; distances do not change, so
/// rotation and bias keep the plain places.
/// Kiyono, Kobayashi, Suzuki, Inui 2021, arXiv 2109.05644.
#include "core/position/entry.h"
#include "core/position/positions/drawn.h"

namespace lw {

namespace {

class Shape final : public PositionMap {
public:
    explicit Shape(const Params& params) : maximum_(integer_param(params, "maximum")) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (!context.training) return {indices + static_cast<double>(maximum_), indices};
        const auto offset = drawn_integers(std::max<std::int64_t>(context.batch, 1), 0, maximum_ - 1, indices.device());  // [B, 1]
        return {indices + offset, indices};                                                                               // [B, T], [T]
    }

private:
    std::int64_t maximum_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Shape>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "shape";
    info.name = "SHAPE";
    info.summary = "In training every text starts at a random position, so the model learns to look at distances only.";
    info.formula = "p′ = p + k,  k ~ U{0, …, K − 1} per sequence in training, k = K otherwise";
    info.paper = "Kiyono, Kobayashi, Suzuki, Inui (2021): SHAPE: Shifted Absolute Position Embedding for Transformers";
    info.url = "https://arxiv.org/abs/2109.05644";
    info.beyond_training = "Positions up to K + L have been seen in training, but distances past L have not.";
    info.claims = claims({"ascending", "random-in-training", "fixed"});
    info.params = {
        integer_spec({"maximum", "Largest offset K", "Offsets are drawn below it; outside training it is the offset itself. The paper's main setting is 500.",
                      "positions"}, 500, {1, 131072, 1, true}),
    };
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& shape() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
