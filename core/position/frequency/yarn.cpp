/// YaRN. Pairs that turn often inside L keep their frequency, pairs that turn less than once are divided by s, a ramp between:
///   θ'_n = (θ_n / s)(1 - m_n) + θ_n m_n,  m_n = 1 - ramp   (harmonic: θ_n / ((1 - m_n) s + m_n))
///   ramp over the index n between corr(beta_fast) and corr(beta_slow), corr(x) = d ln(L / (2π x)) / (2 ln b), as all code does;
///   or, as the paper writes, linear in the turns r_n = L θ_n / 2π between beta_slow and beta_fast.
/// cos and sin are multiplied by (0.1 ln s + 1) attn_factor; a given attention_factor wins. s given, or max(1, length / L) when 0 (dynamic YaRN).
/// Peng, Quesnelle, Fan, Shippole 2023, arXiv 2309.00071.
#include "core/position/entry.h"
#include "core/position/frequency/correction_range.h"
#include "core/position/yarn_magnitude.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace lw {

namespace {

/// The factor on cos and sin.
double magnitude(const Params& params, double s) {
    return YarnMagnitude{real_param(params, "attention_factor"), real_param(params, "mscale"), real_param(params, "mscale_all_dim"),
                         real_param(params, "log_multiplier"), real_param(params, "attn_factor")}
        .at(s);
}

class Yarn final : public FrequencyScaling {
public:
    explicit Yarn(const Params& params)
        : factor_(real_param(params, "factor")),
          fast_(real_param(params, "beta_fast")),
          slow_(real_param(params, "beta_slow")),
          ramp_(choice_param(params, "ramp")),
          truncate_(flag_param(params, "truncate")),
          clamp_to_pairs_(choice_param(params, "clamp") == "pairs"),
          extrapolation_(real_param(params, "extrapolation_factor")),
          params_(params) {}

    Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t length, std::int64_t train_length) const override {
        const double s = resolved_factor(factor_, length, train_length);
        const auto keep = kept_share(inverse, base, static_cast<double>(train_length));
        Frequencies scaled{inverse, magnitude(params_, s)};
        for (std::size_t n = 0; n < inverse.size(); ++n) {
            double& theta = scaled.inverse[n];
            // At s = 1 both forms are the identity; leaving θ alone keeps it so to the last bit.
            if (s == 1) continue;
            theta = ramp_ == "harmonic" ? theta / ((1 - keep[n]) * s + keep[n]) : partly_divided(theta, s, keep[n]);
        }
        return scaled;
    }
    bool length_dependent() const override { return factor_ == 0; }

private:
    /// m_n in [0, 1]: 1 = the frequency stays, 0 = divided by s.
    std::vector<double> kept_share(const std::vector<double>& inverse, double base, double train_length) const {
        const auto range = correction_range({fast_, slow_, truncate_, clamp_to_pairs_}, inverse.size(), base, train_length);
        std::vector<double> keep;
        for (std::size_t n = 0; n < inverse.size(); ++n) {
            const double share = ramp_ == "turns" ? (turns_within(inverse[n], train_length) - slow_) / (fast_ - slow_) : 1 - range.ramp(n);
            keep.push_back(std::clamp(share, 0.0, 1.0) * extrapolation_);
        }
        return keep;
    }

    double factor_, fast_, slow_;
    std::string ramp_;
    bool truncate_, clamp_to_pairs_;
    double extrapolation_;
    Params params_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Yarn>(params); }

void check(const Params& params) {
    check_factor("YaRN", params);
    const double fast = real_param(params, "beta_fast"), slow = real_param(params, "beta_slow");
    if (fast > slow) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("beta_fast of YaRN is {}; it must be larger than beta_slow, which is {}.", fast, slow));
}

std::vector<ParamSpec> params() {
    return {
        real_spec({"factor", "Factor s", "Target length / training length. 0 = length / training length, once the text is longer."}, 4, {0, 1024, 0.5}),
        real_spec({"beta_fast", "Fast end", "Pairs with more turns than this inside the training length stay as they are.", "turns", "β_fast"}, 32,
                  {1, 256, 1}),
        real_spec({"beta_slow", "Slow end", "Pairs with fewer turns than this are divided by the factor.", "turns", "β_slow"}, 1, {0.05, 16, 0.25}),
        choice_spec({"ramp", "Ramp", "index: over pair numbers, as code does. turns: as the paper writes. harmonic: blends wavelengths."}, "index",
                    {"index", "turns", "harmonic"}),
        flag_spec({"truncate", "Round ramp ends", "Down and up to whole pair numbers."}, true),
        choice_spec({"clamp", "Upper limit of the ramp", "head: d − 1 as in published code. pairs: d/2 − 1."}, "head", {"head", "pairs"}),
        real_spec({"extrapolation_factor", "Extrapolation factor", "1 = fast pairs stay entirely; 0 = linear interpolation of all pairs."}, 1,
                  {0, 1, 0.05}),
        real_spec({"attention_factor", "Attention factor", "Multiplies cos and sin, so scores get its square. 0 = automatic."}, 0, {0, 4, 0.05}),
        real_spec({"mscale", "mscale", "With mscale_all_dim: the automatic attention factor becomes a ratio. 0 = not given."}, 0, {0, 2, 0.05}),
        real_spec({"mscale_all_dim", "mscale_all_dim", "See mscale. 0 = not given."}, 0, {0, 2, 0.05}),
        real_spec({"log_multiplier", "Log multiplier", "In place of 0.1 in 0.1·ln s + 1: 0.07 in TeleChat3; yarn_log_multiplier of GGUF files."}, 0.1,
                  {0, 1, 0.01}),
        real_spec({"attn_factor", "Further factor", "The automatic attention factor times this, attn_factor of the first code."}, 1, {0.1, 4, 0.05}),
    };
}

std::string values(const Params& params, const ModelShape& shape) {
    const double s = resolved_factor(real_param(params, "factor"), shape.length, shape.train_length);
    return fmt::format("L = {}, cos and sin × {:.4g}", shape.train_length, magnitude(params, s));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "yarn";
    info.name = "YaRN";
    info.summary = "Fast pairs stay, slow pairs are interpolated, and scores are sharpened a little.";
    info.formula = "θ′ₙ = (θₙ/s)·(1 − mₙ) + θₙ·mₙ,  cos and sin × (0.1·ln s + 1)";
    info.paper = "Peng, Quesnelle, Fan, Shippole (2023): YaRN: Efficient Context Window Extension of Large Language Models";
    info.url = "https://arxiv.org/abs/2309.00071";
    info.beyond_training = "Without further training usable to about four to eight times the training length; with a few hundred steps further.";
    info.claims = claims({"identity-at-factor-1", "keeps-fastest", "slows-slowest", "length-independent", "fixed"});
    info.params = params();
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& yarn() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, check, {"factor"}, values};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
