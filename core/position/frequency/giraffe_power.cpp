/// Giraffe, power scaling. θ'_n = θ_n (1 - n / (d/2))^k: the fastest pair stays, slower pairs are slowed more and more.
/// No attention factor; k = 0 changes nothing.
/// Pal et al. 2023, arXiv 2308.10882.
#include "core/position/entry.h"

#include <cmath>

namespace lw {

namespace {

class GiraffePower final : public FrequencyScaling {
public:
    explicit GiraffePower(double power) : power_(power) {}
    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t /*length*/, std::int64_t /*train_length*/) const override {
        Frequencies scaled{inverse, 1};
        const auto pairs = static_cast<double>(inverse.size());
        for (std::size_t n = 0; n < inverse.size(); ++n) scaled.inverse[n] *= std::pow(1 - static_cast<double>(n) / pairs, power_);
        return scaled;
    }

private:
    double power_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) {
    return std::make_shared<GiraffePower>(real_param(params, "power"));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "giraffe-power";
    info.name = "Giraffe (power scaling)";
    info.summary = "Slow pairs are slowed by a power of how far down the list they stand.";
    info.formula = "θ′ₙ = θₙ·(1 − n/(d/2))^k";
    info.paper = "Pal, Karkhanis, Roberts, Dooley, Sundararajan, Naidu (2023): Giraffe: Adventures in Expanding Context Lengths in LLMs";
    info.url = "https://arxiv.org/abs/2308.10882";
    info.beyond_training = "Meant for a model that is trained or tuned with it. As a plug-in it changes short texts too.";
    info.claims = claims({"keeps-fastest", "length-independent", "fixed"});
    info.params = {real_spec({"power", "Power k", "0 = nothing changes. Larger values slow the slow pairs more."}, 0.5, {0, 4, 0.1})};
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& giraffe_power() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, nullptr, {"power"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
