/// Resonance. Wavelengths are rounded to whole tokens, so that every pair repeats exactly: λ'_n = max(1, round(2π / θ_n)),
/// θ'_n = 2π / λ'_n. Applied after another scaling ("after"), whose attention factor stays. A pair that is not turned stays so.
/// The paper takes angles of (position mod λ'); angles here are built in double, where position · 2π / λ' is the same turn to 1e-9 at
/// every position below a million, for fractional positions as well, so no table by remainder is needed.
/// Wang et al. 2024, arXiv 2403.00071.
#include "core/position/catalogue.h"
#include "core/position/entry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw {

namespace {

class Resonance final : public FrequencyScaling {
public:
    explicit Resonance(std::shared_ptr<FrequencyScaling> before) : before_(std::move(before)) {}

    Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t length, std::int64_t train_length) const override {
        Frequencies scaled = before_ ? before_->scale(inverse, base, length, train_length) : Frequencies{inverse, 1};
        constexpr double turn = 2 * std::numbers::pi;
        for (double& theta : scaled.inverse) {
            if (theta > 0) theta = turn / std::max(1.0, std::round(turn / theta));
        }
        return scaled;
    }
    bool length_dependent() const override { return before_ && before_->length_dependent(); }

private:
    std::shared_ptr<FrequencyScaling> before_;  // null = none
};

/// The scaling that runs first, at its defaults but for the factor where it has one.
std::shared_ptr<FrequencyScaling> made_before(const Params& params, const SlotShape& shape) {
    const auto id = choice_param(params, "after");
    if (id == "none") return nullptr;
    const Entry& entry = find_entry("frequency", id);
    const bool has_factor = std::any_of(entry.info.params.begin(), entry.info.params.end(), [](const ParamSpec& spec) { return spec.id == "factor"; });
    Params given;
    if (has_factor) given["factor"] = real_param(params, "factor");
    return std::get<Make<FrequencyScaling>>(entry.make)(checked_params(entry.info, given), shape);
}

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& shape) { return std::make_shared<Resonance>(made_before(params, shape)); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "resonance";
    info.name = "Resonance RoPE";
    info.summary = "Wavelengths are rounded to whole tokens, after another scaling or alone.";
    info.formula = "λ′ₙ = round(2π/θₙ),  θ′ₙ = 2π/λ′ₙ";
    info.paper = "Wang, Kobyzev, Lu, Rezagholizadeh, Liu (2024): Resonance RoPE: Improving Context Length Generalization of Large Language Models";
    info.url = "https://arxiv.org/abs/2403.00071";
    info.beyond_training = "Pairs that finish a turn in training meet only angles they have seen. It adds to another scaling and does little alone.";
    info.claims = claims({"length-independent", "fixed"});
    info.params = {
        choice_spec({"after", "After", "The scaling that runs first, with its other parameters at their defaults."}, "none",
                    {"none", "linear", "ntk", "ntk-by-parts", "yarn", "llama3"}),
        real_spec({"factor", "Its factor", "Of the scaling that runs first. 0 = length / training length, once the text is longer."}, 4, {0, 1024, 0.5}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& resonance() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, [](const Params& p) { check_factor("resonance", p); }, {"after"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
