/// Llama-3 scaling. With r_n = L θ_n / 2π, the turns of pair n inside the original length L:
///   r_n > high: θ_n stays;  r_n < low: θ_n / f;  between: (1 - t) θ_n / f + t θ_n,  t = (r_n - low) / (high - low).
/// No attention factor. f given, or max(1, length / L) when 0 (the models have fixed ones: 8, and 32 in 3.2).
/// Grattafiori et al. 2024, arXiv 2407.21783; formula as in the released configurations (rope_type "llama3"). Its θ_n / θ'_n are what
/// GGUF files keep as rope_freqs.
#include "core/position/entry.h"
#include "core/position/frequency/correction_range.h"

#include <algorithm>
#include <fmt/format.h>

namespace lw {

namespace {

class Llama3 final : public FrequencyScaling {
public:
    explicit Llama3(const Params& params)
        : factor_(real_param(params, "factor")), low_(real_param(params, "low_freq_factor")), high_(real_param(params, "high_freq_factor")) {}

    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t length, std::int64_t train_length) const override {
        const double f = resolved_factor(factor_, length, train_length);
        Frequencies scaled{inverse, 1};
        for (double& theta : scaled.inverse) {
            const double t = (turns_within(theta, static_cast<double>(train_length)) - low_) / (high_ - low_);
            if (f != 1) theta = partly_divided(theta, f, std::clamp(t, 0.0, 1.0));
        }
        return scaled;
    }
    bool length_dependent() const override { return factor_ == 0; }

private:
    double factor_, low_, high_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Llama3>(params); }

void check(const Params& params) {
    check_factor("Llama-3 scaling", params);
    const double low = real_param(params, "low_freq_factor"), high = real_param(params, "high_freq_factor");
    if (high > low) return;
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("high_freq_factor of Llama-3 scaling is {}; it must be larger than low_freq_factor, which is {}.", high, low));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "llama3";
    info.name = "Llama-3 scaling";
    info.summary = "Three bands: fast pairs stay, slow pairs are divided by one factor, a blend between.";
    info.formula = "θ′ₙ = (1 − t)·θₙ/f + t·θₙ,  t = clamp((L·θₙ/2π − low)/(high − low), 0, 1)";
    info.paper = "Grattafiori et al. (2024): The Llama 3 Herd of Models";
    info.url = "https://arxiv.org/abs/2407.21783";
    info.beyond_training = "Made for continued training at the longer length; as a plug-in it resembles NTK-by-parts with a narrow ramp.";
    info.claims = claims({"identity-at-factor-1", "keeps-fastest", "slows-slowest", "length-independent", "fixed"});
    info.params = {
        real_spec({"factor", "Factor f", "Slow pairs are divided by it. 0 = length / training length, once the text is longer."}, 8, {0, 1024, 0.5}),
        real_spec({"low_freq_factor", "Low end", "Pairs with fewer turns inside the training length are divided by the factor.", "turns", "low"}, 1,
                  {0.05, 4, 0.25}),
        real_spec({"high_freq_factor", "High end", "Pairs with more turns than this stay as they are.", "turns", "high"}, 4, {2, 256, 0.5}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& llama3() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, check, {"factor"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
