/// Position interpolation. θ'_n = θ_n / s: all frequencies, hence all positions, are divided by one factor.
/// s given, or max(1, length / L) when 0 ("dynamic linear").
/// Chen, Wong, Chen, Tian 2023, arXiv 2306.15595.
#include "core/position/entry.h"

namespace lw {

namespace {

class Linear final : public FrequencyScaling {
public:
    explicit Linear(double factor) : factor_(factor) {}
    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t length, std::int64_t train_length) const override {
        const double s = resolved_factor(factor_, length, train_length);
        Frequencies scaled{inverse, 1};
        for (double& theta : scaled.inverse) theta /= s;
        return scaled;
    }
    bool length_dependent() const override { return factor_ == 0; }

private:
    double factor_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) {
    return std::make_shared<Linear>(real_param(params, "factor"));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "linear";
    info.name = "Position interpolation (linear)";
    info.summary = "All positions are divided by one factor, so that a longer text spans the trained range.";
    info.formula = "θ′ₙ = θₙ/s";
    info.paper = "Chen, Wong, Chen, Tian (2023): Extending Context Window of Large Language Models via Positional Interpolation";
    info.url = "https://arxiv.org/abs/2306.15595";
    info.beyond_training = "Without further training it works to about twice the training length. Near tokens become harder to tell apart.";
    info.claims = claims({"identity-at-factor-1", "slows-slowest", "length-independent", "fixed"});
    info.params = {real_spec({"factor", "Factor s", "Target length / training length. 0 = length / training length, once the text is longer."}, 2,
                             {0, 1024, 0.5})};
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& linear() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, [](const Params& p) { check_factor("linear scaling", p); }, {"factor"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
