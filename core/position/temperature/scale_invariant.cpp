/// Scale-invariant attention. logit' = a logit + m with a = sqrt(2 ln(δ/τ + 1) + 1), m = -2 ln(δ/τ + 1), δ = max(i - j, 0): every decade of
/// distance keeps the same expected share. The constants follow from the paper's two conditions with a(0) = 1 and m(0) = 0.
/// Anson, Wang, Aitchison 2025, arXiv 2505.17083; there with p-RoPE.
#include "core/position/entry.h"
#include "core/position/cells.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class ScaleInvariant final : public Temperature {
public:
    explicit ScaleInvariant(const Params& params) : tau_(real_param(params, "tau")) {}

    bool changes_logit() const override { return true; }
    at::Tensor apply(const at::Tensor& logit, const TileGeometry& geometry) override {
        const auto growth = 2 * at::log1p(place_differences(geometry).clamp_min(0) / tau_);  // [r, c]
        const auto type = logit.scalar_type();
        return logit * at::sqrt(growth + 1).to(type) - growth.to(type);                         // [B, H, r, c]
    }

private:
    double tau_;
};

std::shared_ptr<Temperature> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<ScaleInvariant>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "temperature";
    info.id = "scale-invariant";
    info.name = "Scale-invariant attention";
    info.summary = "Scores are scaled up and shifted down with the logarithm of the distance, so that every decade of distance counts alike.";
    info.formula = "logit′ = a·logit + m,  a = √(2·ln(δ/τ + 1) + 1),  m = −2·ln(δ/τ + 1)";
    info.paper = "Anson, Wang, Aitchison (2025): Scale-invariant Attention";
    info.url = "https://arxiv.org/abs/2505.17083";
    info.beyond_training = "Near and far ranges keep their shares at any length, in a model trained with it.";
    info.claims = claims({"pointwise", "fixed"});
    info.params = {
        real_spec({"tau", "Scale τ", "Distances well below it are read as without the method.", "tokens"}, 10, {0.5, 1024, 0.5, true}),
    };
    info.plug_in = false;
    return info;
}

}  // namespace

namespace entries_of::temperature {
const Entry& scale_invariant() {
    static const Entry entry{describe(), Make<Temperature>{make}, nullptr, {"tau"}};
    return entry;
}
}  // namespace entries_of::temperature

}  // namespace lw
