/// Resonance. Wavelengths are rounded to whole tokens, so that every pair repeats exactly: λ'_n = max(1, round(2π / θ_n)),
/// θ'_n = 2π / λ'_n. Applied after another scaling ("after"), whose attention factor stays. A pair that is not turned stays so.
/// The paper takes angles of (position mod λ'); angles here are built in double, where position · 2π / λ' is the same turn to 1e-9 at
/// every position below a million, for fractional positions as well, so no table by remainder is needed.
/// Wang et al. 2024, arXiv 2403.00071.
#include "core/position/catalogue.h"
#include "core/position/entry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lw {

namespace entries_of::frequency {
const Entry& linear();
const Entry& ntk();
const Entry& dynamic_ntk();
const Entry& ntk_by_parts();
const Entry& yarn();
const Entry& llama3();
}  // namespace entries_of::frequency

namespace {

/// Scalings that may run first. Not from the registry, which is being filled when this entry is described.
constexpr std::array kBefore{entries_of::frequency::linear,       entries_of::frequency::ntk,  entries_of::frequency::dynamic_ntk,
                             entries_of::frequency::ntk_by_parts, entries_of::frequency::yarn, entries_of::frequency::llama3};

/// "yarn_truncate": the parameter "truncate" of "yarn" here.
std::string own_id(const MethodInfo& method, const ParamSpec& spec) {
    std::string id = method.id + "_" + spec.id;
    std::replace(id.begin(), id.end(), '-', '_');
    return id;
}

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

/// The scaling that runs first; null for none.
const Entry* before(const Params& params) {
    const auto id = choice_param(params, "after");
    for (const auto& entry : kBefore) {
        if (entry().info.id == id) return &entry();
    }
    return nullptr;
}

/// Its parameters, complete and within their bounds.
Params params_before(const Entry& entry, const Params& params) {
    Params given;
    for (const auto& spec : entry.info.params) given[spec.id] = params.at(spec.id == "factor" ? spec.id : own_id(entry.info, spec));
    return checked_params(entry.info, given);
}

void check(const Params& params) {
    check_factor("resonance", params);
    const Entry* first = before(params);
    if (first != nullptr && first->check != nullptr) first->check(params_before(*first, params));
}

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& shape) {
    const Entry* first = before(params);
    if (first == nullptr) return std::make_shared<Resonance>(nullptr);
    return std::make_shared<Resonance>(std::get<Make<FrequencyScaling>>(first->make)(params_before(*first, params), shape));
}

/// "after" and "factor", then every other parameter of the scalings that may run first.
std::vector<ParamSpec> params() {
    std::vector<std::string> names{"none"};
    std::vector<ParamSpec> inner;
    for (const auto& entry : kBefore) {
        const MethodInfo& info = entry().info;
        names.push_back(info.id);
        for (ParamSpec spec : info.params) {
            if (spec.id == "factor") continue;
            spec.id = own_id(info, spec);
            spec.label = info.name + ": " + spec.label;
            inner.push_back(std::move(spec));
        }
    }
    std::vector<ParamSpec> all{
        choice_spec({"after", "After", "The scaling that runs first; its own parameters follow."}, "none", names),
        real_spec({"factor", "Its factor", "Of the scaling that runs first. 0 = length / training length, once the text is longer."}, 4, {0, 1024, 0.5}),
    };
    all.insert(all.end(), inner.begin(), inner.end());
    return all;
}

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
    info.params = params();
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& resonance() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, check, {"after"}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
