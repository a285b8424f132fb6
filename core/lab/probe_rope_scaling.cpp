/// Probe group "rope_scaling": inverse frequencies and the attention factor of context extension methods. Tables over s, dimensions and
/// other side numbers are in probe_scaling_tables.cpp.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"
#include "core/position/frequency/correction_range.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw {

namespace {

using nlohmann::json;
using Names = std::map<std::string, std::string>;

SlotShape shape_of(const ProbeInput& test) {
    SlotShape shape = test.shape();
    const char* const name = test.has("head_dim") ? "head_dim" : "d";
    shape.head_width = test.integer(name);
    refuse_size(name, shape.head_width, static_cast<double>(shape.head_width));
    return shape;
}

std::shared_ptr<Rotation> rope(const ProbeInput& test) {
    const double share = test.has("head_dim") && test.has("d") ? test.real("d") / test.real("head_dim") : 1;
    return make_entry<Rotation>("rotation", "rope", {{"base", test.real("b")}, {"fraction", test.real("partial_rotary_factor", share)}}, shape_of(test));
}

/// Plain frequencies and what an entry makes of them.
struct Scaled {
    std::vector<double> plain;
    Frequencies after;

    /// plain / after where `divided`, else after / plain; 1 for pairs that are not turned.
    [[nodiscard]] json ratios(bool divided) const {
        json all = json::array();
        for (std::size_t n = 0; n < plain.size(); ++n) all.push_back(divided ? plain[n] / after.inverse[n] : after.inverse[n] / plain[n]);
        return all;
    }
};

Scaled scaled_by(const ProbeInput& test, FrequencyScaling& module) {
    const auto rotation = rope(test);
    const auto plain = rotation->inverse_frequencies();
    return {plain, module.scale(plain, rotation->base(), test.integer("length", 0), test.integer("L", 0))};
}

std::shared_ptr<FrequencyScaling> entry(const ProbeInput& test, const std::string& id, const Params& params) {
    SlotShape shape = shape_of(test);
    shape.pairs = static_cast<std::int64_t>(rope(test)->inverse_frequencies().size());
    return make_entry<FrequencyScaling>("frequency", id, params, shape);
}

Scaled scaled(const ProbeInput& test, const std::string& id, const Params& params) { return scaled_by(test, *entry(test, id, params)); }
/// A factor of 0 is automatic in the entries, but no factor in a case.
Params named(const ProbeInput& test, const std::string& id, const Names& names = {}) {
    if (test.has("factor") && test.real("factor") <= 0) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("The factor is {}; it must be positive.", test.real("factor")));
    }
    return test.params_for("frequency", id, names);
}

json table(const Frequencies& frequencies) {
    return {{"inv_freq", array_of(at::tensor(frequencies.inverse, at::kDouble))}, {"attention_factor", frequencies.attention_factor}};
}
json table(const Rotation& rotation) { return table(Frequencies{rotation.inverse_frequencies(), 1}); }

json plain(const ProbeInput& test) { return table(*rope(test)); }
json linear(const ProbeInput& test) { return table(scaled(test, "linear", named(test, "linear")).after); }

/// NTK's results with the base that they belong to: b' = θ'_n^(-d/2n) of the slowest pair n.
json with_base(const ProbeInput& test, const Scaled& s) {
    auto computed = table(s.after);
    const auto pairs = static_cast<double>(s.plain.size());
    computed["base"] = pairs > 1 ? std::pow(s.after.inverse.back(), -pairs / (pairs - 1)) : test.real("b");
    return computed;
}

json ntk(const ProbeInput& test) { return with_base(test, scaled(test, "ntk", named(test, "ntk"))); }

/// The form's name and the factor's differ between programs.
Params dynamic_ntk_params(const ProbeInput& test) {
    static const std::map<std::string, std::string> forms = {
        {"hf", "continuous"}, {"emozilla", "continuous"}, {"original", "continuous"}, {"qwen1", "stepped"}};
    const auto form = forms.find(test.word("form", "hf"));
    if (form == forms.end()) throw UnknownCase(fmt::format("dynamic NTK has no form \"{}\" here", test.word("form")));
    auto params = named(test, "dynamic-ntk", {{"factor", test.has("alpha") ? "alpha" : "factor"}, {"form", ""}});
    params["form"] = form->second;
    return params;
}

json dynamic_ntk(const ProbeInput& test) {
    const auto s = scaled(test, "dynamic-ntk", dynamic_ntk_params(test));
    auto computed = with_base(test, s);
    computed["alpha"] = s.plain.back() / s.after.inverse.back();  // what the slowest pair was divided by
    return computed;
}

/// The share of each pair that stays, which no factor changes, from what the entry does with the factor 2.
json kept_shares(const ProbeInput& test, const std::string& id, Params params, bool harmonic) {
    params["factor"] = 2.0;
    const auto s = scaled(test, id, params);
    json keep = json::array();
    for (std::size_t n = 0; n < s.plain.size(); ++n) {
        keep.push_back(harmonic ? 2 - s.plain[n] / s.after.inverse[n] : 2 * s.after.inverse[n] / s.plain[n] - 1);
    }
    return keep;
}

/// The pair numbers between which a ramp runs. The library keeps equal ends 0.001 apart.
json range_of(const ProbeInput& test, const RangeEnds& ends) {
    const auto pairs = rope(test)->inverse_frequencies().size();
    const auto range = correction_range(ends, pairs, test.real("b"), test.real("L"));
    return {range.low, range.high - range.low < 0.0011 ? range.low : range.high};
}

json ntk_by_parts(const ProbeInput& test) {
    const auto params = named(test, "ntk-by-parts");
    auto computed = table(scaled(test, "ntk-by-parts", params).after);
    if (test.word("form", "paper") == "paper") computed["gamma"] = kept_shares(test, "ntk-by-parts", params, false);
    else computed.update({{"beta_range", range_of(test, kByPartsBeta)}, {"gamma_range", range_of(test, kByPartsGamma)}});
    return computed;
}

Params yarn_params(const ProbeInput& test) {
    auto params = named(test, "yarn", {{"clamp", ""}});
    if (test.has("clamp")) params["clamp"] = std::string(test.word("clamp") == "d-1" ? "head" : "pairs");
    return params;
}

json yarn(const ProbeInput& test) {
    const auto params = yarn_params(test);
    auto computed = table(scaled(test, "yarn", params).after);
    const auto ramp = test.word("ramp", "index");
    computed["keep"] = kept_shares(test, "yarn", params, ramp == "harmonic");
    if (ramp == "turns") return computed;
    const RangeEnds ends{test.real("beta_fast", 32), test.real("beta_slow", 1), test.flag("truncate", true), test.word("clamp", "d-1") != "d-1"};
    const auto pairs = rope(test)->inverse_frequencies().size();
    computed["corr_fast"] = pair_of_turns(ends.fast, pairs, test.real("b"), test.real("L"));
    computed["corr_slow"] = pair_of_turns(ends.slow, pairs, test.real("b"), test.real("L"));
    const auto range = range_of(test, ends);
    computed["low"] = range[0];
    computed["high"] = range[1];
    return computed;
}

json yarn_dynamic(const ProbeInput& test) {
    auto params = yarn_params(test);
    params["factor"] = 0.0;
    auto computed = table(scaled(test, "yarn", params).after);
    computed["factor"] = resolved_factor(0, test.integer("length"), test.integer("L"));
    return computed;
}

json longrope_form(const ProbeInput& test, const std::string& form) {
    auto params = named(test, "longrope");
    params["form"] = form;
    if (!test.has("factor") && test.has("max_position_embeddings")) params["factor"] = test.real("max_position_embeddings") / test.real("L");
    return table(scaled(test, "longrope", params).after);
}

json longrope(const ProbeInput& test) { return longrope_form(test, "switch"); }
json longrope_dynamic(const ProbeInput& test) { return longrope_form(test, "dynamic"); }

json llama3(const ProbeInput& test) {
    const auto s = scaled(test, "llama3", named(test, "llama3"));
    auto computed = table(s.after);
    computed["divisors"] = s.ratios(true);
    return computed;
}

json giraffe_power(const ProbeInput& test) { return table(scaled(test, "giraffe-power", named(test, "giraffe-power", {{"power", "k"}})).after); }

/// The largest frequency below which the entry does something else than at `high`, between 0 and `high`.
template <class Same>
double edge(double high, const Same& same) {
    double low = 0;
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (same(middle) ? high : low) = middle;
    }
    return high;
}

/// Where frequencies stop being kept, where they become 0, and the constant between, found from the entry itself.
json giraffe_truncated(const ProbeInput& test) {
    const auto module = entry(test, "giraffe-truncated", named(test, "giraffe-truncated", {{"truncate", "T"}}));
    auto computed = table(scaled_by(test, *module).after);
    const auto at = [&](double theta) { return module->scale({theta}, test.real("b"), 0, test.integer("L", 0)).inverse.front(); };
    const double kept = edge(2 * std::numbers::pi, [&](double theta) { return at(theta) == theta; });
    computed["b_hi"] = kept;
    computed["rho"] = at(kept * 0.75);
    computed["b_lo"] = edge(kept, [&](double theta) { return at(theta) > 0; });
    return computed;
}

json hope_floor(const ProbeInput& test) {
    return table(*make_entry<Rotation>("rotation", "hope", {{"base", test.real("b")}, {"length", test.integer("L")}}, shape_of(test)));
}

/// The scaling under it, with all its parameters: "truncate" of YaRN is "yarn_truncate" here.
Params resonance_params(const ProbeInput& test) {
    static const std::map<std::string, Params (*)(const ProbeInput&)> own_names = {{"yarn", yarn_params}, {"dynamic-ntk", dynamic_ntk_params}};
    const auto on = test.word("on", "default");
    if (on == "default") return {{"after", std::string("none")}};
    const auto& choices = find_entry("frequency", "resonance").info.params.front().choices;
    if (std::find(choices.begin(), choices.end(), on) == choices.end()) throw UnknownCase(fmt::format("Resonance does not run after \"{}\" here", on));
    const auto own = own_names.find(on);
    Params params{{"after", on}};
    for (const auto& [id, value] : complete_params(find_entry("frequency", on), own != own_names.end() ? own->second(test) : named(test, on))) {
        std::string name = id == "factor" ? id : on + "_" + id;
        std::replace(name.begin(), name.end(), '-', '_');
        params[name] = value;
    }
    return params;
}

json resonance(const ProbeInput& test) {
    const auto s = scaled(test, "resonance", resonance_params(test));
    auto computed = table(s.after);
    for (const double theta : s.after.inverse) computed["wavelengths"].push_back(2 * std::numbers::pi / theta);
    return computed;
}

json bojone_mix(const ProbeInput& test) {
    const auto s = scaled(test, "bojone-mix", named(test, "bojone-mix", {{"factor", "k"}}));
    auto computed = table(s.after);
    computed["multiplier"] = s.ratios(false);
    computed["a"] = -std::log(s.after.inverse.front() / s.plain.front());  // the first pair is multiplied by exp(-a)
    return computed;
}

/// CLEX at a given time: a text of so many training lengths, which are counted in millionths.
json clex(const ProbeInput& test) {
    constexpr std::int64_t kLength = 1'000'000;
    const double end = test.real("t_end");
    const auto up = test.array("up_proj"), down = test.array("down_proj");
    auto params = named(test, "clex");
    params["max_factor"] = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(end)));
    params["scale"] = std::string("exact");
    params["width_factor"] = up.size(1) / (2 * up.size(0));
    const auto module = entry(test, "clex", params);
    set_parameter(*module, "up", up);
    set_parameter(*module, "down", down);
    const auto rotation = rope(test);
    return table(module->scale(rotation->inverse_frequencies(), rotation->base(), std::llround(end * kLength), kLength));
}

json abf(const ProbeInput& test) { return table(scaled(test, "abf", named(test, "abf", {{"base", "new_base"}})).after); }

json proportional(const ProbeInput& test) {
    const auto rotation = make_entry<Rotation>("rotation", "p-rope", {{"base", test.real("b")}, {"p", test.real("partial_rotary_factor")}}, shape_of(test));
    const auto linear = make_entry<FrequencyScaling>("frequency", "linear", {{"factor", test.real("factor", 1)}}, shape_of(test));
    return table(linear->scale(rotation->inverse_frequencies(), rotation->base(), 0, 0));
}

}  // namespace

const ProbeHandlers& rope_scaling_probes() {
    static const ProbeHandlers all = [] {
        ProbeHandlers handlers = {
            {"default", plain},
            {"linear", linear},
            {"ntk", ntk},
            {"dynamic-ntk", dynamic_ntk},
            {"ntk-by-parts", ntk_by_parts},
            {"yarn", yarn},
            {"yarn-dynamic", yarn_dynamic},
            {"longrope", longrope},
            {"longrope-dynamic", longrope_dynamic},
            {"llama3", llama3},
            {"giraffe-power", giraffe_power},
            {"giraffe-truncated", giraffe_truncated},
            {"fope-floor", hope_floor},
            {"resonance", resonance},
            {"bojone-mix", bojone_mix},
            {"clex", clex},
            {"abf", abf},
            {"proportional", proportional},
        };
        handlers.insert(scaling_tables().begin(), scaling_tables().end());
        return handlers;
    }();
    return all;
}

}  // namespace lw
