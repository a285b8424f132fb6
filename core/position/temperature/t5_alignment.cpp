/// Attention alignment. Texts longer than L are read with one softmax temperature t: every logit, bias included, is divided by t. t is chosen so
/// that the mean largest weight (or the mean entropy) of a long text's rows equals that at the training length; aligned_temperature() in
/// temperature_alignment.h finds it from two sets of logits.
/// Chi, Fan, Rudnicky 2023, arXiv 2311.00684 (for T5 models).
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Alignment final : public Temperature {
public:
    explicit Alignment(const Params& params) : temperature_(real_param(params, "temperature")) {}

    bool changes_logit() const override { return true; }
    at::Tensor apply(const at::Tensor& logit, const TileGeometry& geometry) override {
        return geometry.length > geometry.train_length ? logit / temperature_ : logit;
    }
    /// The text's first rows change too when it grows past L.
    bool length_dependent() const override { return temperature_ != 1; }

private:
    double temperature_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Alignment>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "t5-alignment";
    info.name = "Attention alignment";
    info.summary = "Texts longer than the training length are read with one softmax temperature.";
    info.formula = "logit/t where length > L";
    info.paper = "Chi, Fan, Rudnicky (2023): Attention Alignment and Flexible Positional Embeddings Improve Transformer Length Extrapolation";
    info.url = "https://arxiv.org/abs/2311.00684";
    info.beyond_training = "Undoes the spreading of attention over many keys when t is measured for the length at hand. Made for T5's bias.";
    info.claims = claims({"row-factor", "pointwise", "fixed"});
    info.params = {
        real_spec({"temperature", "Temperature t", "Below 1 sharpens. Choose it so that long texts have the mean largest weight of texts in training."}, 0.8,
                  {0.1, 4, 0.05}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& t5_alignment() {
    static const Entry entry{describe(), Make<Temperature>{make}, nullptr, {"temperature"}};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw
