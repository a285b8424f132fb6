/// Adjusted base frequency. The base b of the rotation becomes b': θ'_n = b'^(-2n/d) = θ_n^(ln b' / ln b). Nothing else changes.
/// Xiong et al. 2023, arXiv 2309.16039 (Llama 2 Long: 500000); Rozière et al. 2023, arXiv 2308.12950 (Code Llama: 1000000).
#include "core/position/entry.h"

#include <cmath>

namespace lw {

namespace {

class AdjustedBase final : public FrequencyScaling {
public:
    explicit AdjustedBase(double base) : base_(base) {}
    Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t /*length*/, std::int64_t /*train_length*/) const override {
        Frequencies scaled{inverse, 1};
        if (base_ == base) return scaled;  // the identity to the last bit
        for (double& theta : scaled.inverse) theta = std::pow(theta, std::log(base_) / std::log(base));
        return scaled;
    }

private:
    double base_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) {
    return std::make_shared<AdjustedBase>(real_param(params, "base"));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "abf";
    info.name = "Adjusted base (ABF)";
    info.summary = "Another base for the rotation, chosen once for longer texts.";
    info.formula = "θ′ₙ = b′^(−2n/d)";
    info.paper = "Xiong et al. (2023): Effective Long-Context Scaling of Foundation Models";
    info.url = "https://arxiv.org/abs/2309.16039";
    info.beyond_training = "Made for continued training with the new base. As a plug-in it is NTK-aware scaling with a factor of (b′/b)^((d−2)/d).";
    info.claims = claims({"keeps-fastest", "length-independent", "fixed"});
    info.params = {real_spec({"base", "New base b′", "500000: Llama 2 Long. 1000000: Code Llama."}, 500000, {10, 1e9, 1000, true})};
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& abf() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, nullptr, {"base"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
