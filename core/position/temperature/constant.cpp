/// One factor on all content scores, at every place and length.
/// Gelberg et al. 2025 (DroPE), arXiv 2512.12167: its softmax_scale at test time, after a model was trained on without positions.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Constant final : public Temperature {
public:
    explicit Constant(const Params& params) : value_(real_param(params, "value")) {}

    at::Tensor content_factor(const TileGeometry& geometry) override { return at::full_like(geometry.query_places(), value_); }  // [Tq]

private:
    double value_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Constant>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "constant";
    info.name = "Constant factor";
    info.summary = "All scores are multiplied by one number.";
    info.formula = "q·k × value";
    info.paper = "Gelberg, Eguchi, Akiba, Cetin (2025): Extending the Context of Pretrained LLMs by Dropping Their Positional Embeddings";
    info.url = "https://arxiv.org/abs/2512.12167";
    info.beyond_training = "Above 1 it works against the spreading of attention over many keys, but sharpens short texts as well.";
    info.claims = claims({"row-factor", "pointwise", "fixed"});
    info.params = {
        real_spec({"value", "Factor", "1 = nothing changes.", "", "value"}, 1.3, {0.01, 64, 0.05, true}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& constant() {
    static const Entry entry{describe(), Make<Temperature>{make}, nullptr, {"value"}};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw
