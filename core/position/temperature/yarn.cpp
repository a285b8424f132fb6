/// YaRN's temperature alone. Content scores are multiplied by g(s, m)², g = 0.1 m ln s + 1 (1 for s <= 1); s given, or max(1, length / L)
/// when 0. A given attention_factor takes the place of g; with mscale_all_dim it is g(s, m) / g(s, mscale_all_dim). DeepSeek multiplies
/// its softmax scale by g² with m = mscale_all_dim. The frequency scaling "yarn" already has this factor in cos and sin: do not use both.
/// Peng, Quesnelle, Fan, Shippole 2023, arXiv 2309.00071.
#include "core/position/catalogue.h"
#include "core/position/entry.h"
#include "core/position/yarn_magnitude.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

double magnitude(const Params& params, double s) {
    const double mscale = real_param(params, "mscale");
    return YarnMagnitude{real_param(params, "attention_factor"), mscale, real_param(params, "mscale_all_dim")}.at(s, mscale);
}

class YarnTemperature final : public Temperature {
public:
    explicit YarnTemperature(const Params& params) : params_(params), factor_(real_param(params, "factor")) {}

    at::Tensor content_factor(const TileGeometry& geometry) override {
        const double g = magnitude(params_, resolved_factor(factor_, geometry.length, geometry.train_length));
        return at::full_like(geometry.query_places(), g * g);  // [Tq]
    }
    /// Earlier rows were read with another factor once it grows with the text.
    bool length_dependent() const override { return factor_ == 0; }

private:
    Params params_;
    double factor_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<YarnTemperature>(params); }

std::string values(const Params& params, const ModelShape& shape) {
    const double g = magnitude(params, resolved_factor(real_param(params, "factor"), shape.length, shape.train_length));
    return "q·k × " + number_text(g * g);
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "yarn";
    info.name = "YaRN temperature";
    info.summary = "All scores are sharpened a little, by the logarithm of how much longer the text is than in training.";
    info.formula = "q·k × (0.1·m·ln s + 1)²";
    info.paper = "Peng, Quesnelle, Fan, Shippole (2023): YaRN: Efficient Context Window Extension of Large Language Models";
    info.url = "https://arxiv.org/abs/2309.00071";
    info.beyond_training = "Lowers perplexity a little beside any frequency scaling that has no factor of its own.";
    info.claims = claims({"row-factor", "pointwise", "fixed"});
    info.params = {
        real_spec({"factor", "Factor s", "Target length / training length. 0 = length / training length, once the text is longer."}, 0, {0, 1024, 0.5}),
        real_spec({"mscale", "mscale m", "1 as in YaRN; DeepSeek's mscale_all_dim."}, 1, {0, 2, 0.05}),
        real_spec({"mscale_all_dim", "mscale_all_dim", "Given, the factor becomes the ratio of both magnitudes, as in Hugging Face. 0 = not given."}, 0, {0, 2, 0.05}),
        real_spec({"attention_factor", "Attention factor", "In place of 0.1·m·ln s + 1; scores get its square. 0 = automatic."}, 0, {0, 4, 0.05}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& yarn() {
    static const Entry entry{describe(), Make<Temperature>{make}, [](const Params& params) { check_factor("YaRN temperature", params); }, {"factor"}, values};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw
