/// Mixed NTK. θ'_n = θ_n exp(-a (n + 1)^0.75), a = ln k / (d/2)^0.75, n = 0 .. d/2 - 1: every pair is slowed, the last one by k.
/// No attention factor; the log-n temperature that its author adds is an entry of slot "temperature". k given, or
/// max(1, length / L) when 0; k = 1 changes nothing.
/// Su (bojone) 2023, public post and code (bojone/rerope).
#include "core/position/entry.h"

#include <cmath>

namespace lw {

namespace {

constexpr double kPower = 0.75;

class BojoneMix final : public FrequencyScaling {
public:
    explicit BojoneMix(double factor) : factor_(factor) {}
    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t length, std::int64_t train_length) const override {
        const double k = resolved_factor(factor_, length, train_length);
        const double a = std::log(k) / std::pow(static_cast<double>(inverse.size()), kPower);
        Frequencies scaled{inverse, 1};
        for (std::size_t n = 0; n < inverse.size(); ++n) scaled.inverse[n] *= std::exp(-a * std::pow(static_cast<double>(n + 1), kPower));
        return scaled;
    }
    bool length_dependent() const override { return factor_ == 0; }

private:
    double factor_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) {
    return std::make_shared<BojoneMix>(real_param(params, "factor"));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "bojone-mix";
    info.name = "Mixed NTK";
    info.summary = "Every pair is slowed, each by more than the one before, the last by the full factor.";
    info.formula = "θ′ₙ = θₙ·exp(−a·(n + 1)^0.75),  a = ln k/(d/2)^0.75";
    info.paper = "Su (2023): NTK-RoPE-mixed, public post and code bojone/rerope";
    info.url = "https://github.com/bojone/rerope";
    info.beyond_training = "Without further training somewhat better than NTK-aware scaling by its author's report. "
                           "Even near tokens are read at slightly smaller angles.";
    info.claims = claims({"identity-at-factor-1", "slows-slowest", "length-independent", "fixed"});
    info.params = {real_spec({"factor", "Factor k", "The slowest pair is divided by it. 0 = length / training length, once the text is longer."}, 12,
                             {0, 1024, 0.5})};
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& bojone_mix() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, [](const Params& p) { check_factor("mixed NTK", p); }, {"factor"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
