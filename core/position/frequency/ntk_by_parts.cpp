/// NTK-by-parts. Pairs that turn often inside L keep their frequency, pairs that turn seldom are divided by s.
///   paper: θ'_n = (1 - γ_n) θ_n / s + γ_n θ_n,  γ_n = clamp((r_n - α) / (β - α), 0, 1),  r_n = L θ_n / 2π turns inside L.
///   code (the first public one): a ramp over the pair number between corr(1.25) and corr(0.75) mixes the linear table with the
///   NTK-aware one (share of NTK: (1 - ramp) · ntk_factor), then a ramp between corr(16) and corr(2) mixes the result with the
///   untouched table (its share: (1 - ramp) · extrapolation_factor); corr and both ramps as in YaRN's code.
/// No attention factor. s given, or max(1, length / L) when 0.
/// bloc97 2023 (public code, LlamaPartNTKScaledRotaryEmbedding of jquesnelle/yarn); Peng et al. 2023, arXiv 2309.00071, section 3.2.
#include "core/position/entry.h"
#include "core/position/frequency/correction_range.h"
#include "core/position/frequency/ntk_base.h"

#include <algorithm>
#include <fmt/format.h>

namespace lw {

namespace {

struct Settings {
    double alpha, beta;             // paper
    double ntk, extrapolation;      // code
};

/// θ' of all pairs for one s > 1.
using Form = std::vector<double> (*)(const Settings&, const std::vector<double>& inverse, double s, double base, double train_length);

std::vector<double> by_turns(const Settings& set, const std::vector<double>& inverse, double s, double /*base*/, double train_length) {
    std::vector<double> scaled;
    for (const double theta : inverse) {
        const double gamma = (turns_within(theta, train_length) - set.alpha) / (set.beta - set.alpha);
        scaled.push_back(partly_divided(theta, s, std::clamp(gamma, 0.0, 1.0)));
    }
    return scaled;
}

std::vector<double> by_two_ramps(const Settings& set, const std::vector<double>& inverse, double s, double base, double train_length) {
    const auto beta = correction_range(kByPartsBeta, inverse.size(), base, train_length);
    const auto gamma = correction_range(kByPartsGamma, inverse.size(), base, train_length);
    auto scaled = ntk_scaled(inverse, s).inverse;
    for (std::size_t n = 0; n < inverse.size(); ++n) {
        const double ntk_share = (1 - beta.ramp(n)) * set.ntk, kept = (1 - gamma.ramp(n)) * set.extrapolation;
        const double mixed = inverse[n] / s * (1 - ntk_share) + scaled[n] * ntk_share;
        scaled[n] = mixed * (1 - kept) + inverse[n] * kept;
    }
    return scaled;
}

class NtkByParts final : public FrequencyScaling {
public:
    explicit NtkByParts(const Params& params)
        : factor_(real_param(params, "factor")),
          set_{real_param(params, "alpha"), real_param(params, "beta"), real_param(params, "ntk_factor"), real_param(params, "extrapolation_factor")},
          form_(choice_param(params, "form") == "code" ? by_two_ramps : by_turns) {}

    Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t length, std::int64_t train_length) const override {
        const double s = resolved_factor(factor_, length, train_length);
        if (s == 1) return {inverse, 1};  // the identity to the last bit
        return {form_(set_, inverse, s, base, static_cast<double>(train_length)), 1};
    }
    bool length_dependent() const override { return factor_ == 0; }

private:
    double factor_;
    Settings set_;
    Form form_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<NtkByParts>(params); }

void check(const Params& params) {
    check_factor("NTK-by-parts", params);
    const double alpha = real_param(params, "alpha"), beta = real_param(params, "beta");
    if (beta > alpha) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("beta of NTK-by-parts is {}; it must be larger than alpha, which is {}.", beta, alpha));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "ntk-by-parts";
    info.name = "NTK-by-parts";
    info.summary = "Pairs that turn often inside the training length stay, those that never finish a turn are interpolated.";
    info.formula = "θ′ₙ = (1 − γₙ)·θₙ/s + γₙ·θₙ,  γₙ = clamp((L·θₙ/2π − α)/(β − α), 0, 1)";
    info.paper = "bloc97 (2023): NTK-By-Parts; described by Peng, Quesnelle, Fan, Shippole (2023)";
    info.url = "https://arxiv.org/abs/2309.00071";
    info.beyond_training = "Usable to about four times the training length without further training, and further with a short tuning. "
                           "YaRN is this method with a ramp over pair numbers and an attention factor.";
    info.claims = claims({"identity-at-factor-1", "keeps-fastest", "slows-slowest", "length-independent", "fixed"});
    info.params = {
        real_spec({"factor", "Factor s", "Target length / training length. 0 = length / training length, once the text is longer."}, 4, {0, 1024, 0.5}),
        choice_spec({"form", "Form", "paper: linear in the turns inside the training length. code: the first public code, two ramps over pair numbers."},
                    "paper", {"paper", "code"}),
        real_spec({"alpha", "Slow end α", "Pairs with fewer turns inside the training length are divided by the factor. Form paper.", "turns"}, 1,
                  {0.05, 16, 0.25}),
        real_spec({"beta", "Fast end β", "Pairs with more turns than this stay as they are. Form paper.", "turns"}, 32, {2, 256, 1}),
        real_spec({"ntk_factor", "NTK share", "1 = fast pairs of the first mix come from NTK-aware scaling entirely; 0 = linear. Form code."}, 1,
                  {0, 1, 0.05}),
        real_spec({"extrapolation_factor", "Extrapolation factor", "1 = the fastest pairs stay entirely; 0 = none stays. Form code."}, 1, {0, 1, 0.05}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& ntk_by_parts() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, check, {"factor"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
