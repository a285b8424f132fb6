/// Llama 4's temperature. Content scores of the query at place i are multiplied by 1 + a ln(1 + floor((i + 1)/F)): a step every F tokens.
/// Published: a = 0.1, F = 8192, on the layers without rotation (every fourth); here on all layers. F = L where it is 0.
/// Meta AI 2025, ai.meta.com/blog/llama-4-multimodal-intelligence; attn_scale and floor_scale of its configuration.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Llama4 final : public Temperature {
public:
    explicit Llama4(const Params& params) : scale_(real_param(params, "scale")), step_(integer_param(params, "step")) {}

    at::Tensor content_factor(const TileGeometry& geometry) override {
        const auto step = static_cast<double>(step_ > 0 ? step_ : std::max<std::int64_t>(1, geometry.train_length));
        return 1 + scale_ * at::log1p(at::floor((geometry.query_places() + 1) / step));  // [Tq]
    }

private:
    double scale_;
    std::int64_t step_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Llama4>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "llama4";
    info.name = "Llama 4 temperature";
    info.summary = "Scores grow in steps with the logarithm of the query's place.";
    info.formula = "q·k × (1 + a·ln(1 + ⌊(i + 1)/F⌋))";
    info.paper = "Meta AI (2025): The Llama 4 herd";
    info.url = "https://ai.meta.com/blog/llama-4-multimodal-intelligence/";
    info.beyond_training = "Keeps attention of layers without positions from spreading out over long texts.";
    info.claims = claims({"row-factor", "pointwise", "fixed"});
    info.params = {
        real_spec({"scale", "Scale a", "attn_scale of the published configuration."}, 0.1, {0, 2, 0.01}),
        integer_spec({"step", "Step F", "Tokens between steps; floor_scale, published 8192. 0 = the training length.", "tokens"}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& llama4() {
    static const Entry entry{describe(), Make<Temperature>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw
