/// LongRoPE. θ'_n = θ_n / λ_n with one divisor per pair.
///   switch: the list `short_factor` while length <= L, `long_factor` past it, for all positions of the text.
///   dynamic: λ'_n = 1 + (λ_n - 1) (length / L - 1) / (s - 1) from `long_factor`; 1 up to L.
/// An empty short list is all ones; an empty long list holds YaRN's divisors for s (ramp over pair numbers, 32 and 1 turns), the point
/// from which the published search starts. cos and sin are multiplied by sqrt(1 + ln s / ln L), by 1 when s <= 1. A given
/// attention_factor wins, then short_mscale up to L and long_mscale past it (as Phi-3.5-MoE has them) where both are given.
/// s given, or max(1, length / L) when 0. All angles change at the switch, so keys are turned again there.
/// Ding et al. 2024, arXiv 2402.13753. Its start tokens with their own table need another θ per position and are not here.
#include "core/position/entry.h"
#include "core/position/frequency/correction_range.h"
#include "core/position/frequency/pair_list.h"

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

class LongRope final : public FrequencyScaling {
public:
    LongRope(const Params& params, const SlotShape& shape)
        : factor_(real_param(params, "factor")),
          short_(list_param(params, "short_factor")),
          long_(list_param(params, "long_factor")),
          attention_(real_param(params, "attention_factor")),
          short_mscale_(real_param(params, "short_mscale")),
          long_mscale_(real_param(params, "long_mscale")),
          dynamic_(choice_param(params, "form") == "dynamic") {
        if (shape.pairs > 0) check_lists(static_cast<std::size_t>(shape.pairs));
    }

    Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t length, std::int64_t train_length) const override {
        check_lists(inverse.size());
        const double s = resolved_factor(factor_, length, train_length);
        Frequencies scaled{inverse, attention_factor(s, length, train_length)};
        const auto divisors = divisors_at(inverse, base, s, length, train_length);
        for (std::size_t n = 0; n < divisors.size(); ++n) scaled.inverse[n] /= divisors[n];
        return scaled;
    }
    bool length_dependent() const override { return true; }

private:
    void check_lists(std::size_t pairs) const {
        check_pair_list("LongRoPE", "short_factor", short_, pairs);
        check_pair_list("LongRoPE", "long_factor", long_, pairs);
    }

    /// λ of every pair; empty = all ones.
    std::vector<double> divisors_at(const std::vector<double>& inverse, double base, double s, std::int64_t length, std::int64_t train_length) const {
        if (length <= train_length) return dynamic_ ? std::vector<double>() : short_;
        auto divisors = long_.empty() ? yarn_divisors(inverse, base, s, static_cast<double>(train_length)) : long_;
        if (!dynamic_) return divisors;
        const double share = s > 1 ? (static_cast<double>(length) / static_cast<double>(train_length) - 1) / (s - 1) : 0;
        for (double& divisor : divisors) divisor = 1 + (divisor - 1) * share;
        return divisors;
    }

    static std::vector<double> yarn_divisors(const std::vector<double>& inverse, double base, double s, double train_length) {
        if (s == 1) return {};
        const auto range = correction_range({}, inverse.size(), base, train_length);
        std::vector<double> divisors;
        for (std::size_t n = 0; n < inverse.size(); ++n) divisors.push_back(1 / partly_divided(1, s, 1 - range.ramp(n)));
        return divisors;
    }

    double attention_factor(double s, std::int64_t length, std::int64_t train_length) const {
        if (attention_ > 0) return attention_;
        if (short_mscale_ > 0 && long_mscale_ > 0) return length <= train_length ? short_mscale_ : long_mscale_;
        return s <= 1 || train_length <= 1 ? 1 : std::sqrt(1 + std::log(s) / std::log(static_cast<double>(train_length)));
    }

    double factor_;
    std::vector<double> short_, long_;
    double attention_, short_mscale_, long_mscale_;
    bool dynamic_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& shape) { return std::make_shared<LongRope>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "longrope";
    info.name = "LongRoPE";
    info.summary = "Every pair has its own divisor, from one list within the training length and another past it.";
    info.formula = "θ′ₙ = θₙ/λₙ,  cos and sin × √(1 + ln s/ln L)";
    info.paper = "Ding, Zhang, Zhang, Xu, Shang, Xu, Yang, Yang (2024): LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens";
    info.url = "https://arxiv.org/abs/2402.13753";
    info.beyond_training = "The paper reports eight times the training length with searched divisors and no further training. "
                           "All angles jump when the text passes the training length.";
    info.claims = claims({"identity-at-factor-1", "keeps-fastest", "plain-within-training", "length-dependent", "fixed"});
    const Range divisors{1e-3, 1e6, 0, true};
    info.params = {
        real_spec({"factor", "Factor s", "Target length / training length. 0 = length / training length, once the text is longer."}, 0, {0, 1024, 0.5}),
        list_spec({"short_factor", "Divisors within L", "One number per pair, fastest first. Empty: nothing changes up to the training length."}, "",
                  divisors),
        list_spec({"long_factor", "Divisors past L", "One number per pair, fastest first. Empty: YaRN's divisors, where the published search starts."},
                  "", divisors),
        real_spec({"attention_factor", "Attention factor", "Multiplies cos and sin, so scores get its square. 0 = automatic."}, 0, {0, 4, 0.05}),
        real_spec({"short_mscale", "Attention factor within L", "Of texts up to the training length, where both are given. 0 = not given."}, 0,
                  {0, 4, 0.05}),
        real_spec({"long_mscale", "Attention factor past L", "Of longer texts, where both are given. 0 = not given."}, 0, {0, 4, 0.05}),
        choice_spec({"form", "Form", "switch: the long list as soon as the text is longer. dynamic: grown into it with the length."}, "switch",
                    {"switch", "dynamic"}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& longrope() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, [](const Params& p) { check_factor("LongRoPE", p); }, {"factor"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
