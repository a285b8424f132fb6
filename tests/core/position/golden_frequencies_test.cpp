/// Frequency scalings against independent numbers, and what the formulas promise at their ends.
#include "tests/core/position/golden.h"

#include "core/position/frequency/correction_range.h"

#include <fmt/ranges.h>

#include <numbers>

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

std::vector<double> plain_frequencies(double width, double base) {
    SlotShape shape;
    shape.head_width = static_cast<std::int64_t>(width);
    return made<Rotation>("rotation", "rope", {{"base", base}}, shape)->inverse_frequencies();
}

std::string list_of(const json& numbers) { return fmt::format("{}", fmt::join(numbers.get<std::vector<double>>(), ", ")); }

/// Parameters of the same name in the case and here.
Params taken(const json& p, const std::vector<std::string>& ids) {
    Params params;
    for (const auto& id : ids) {
        if (p.contains(id)) params[id] = p[id].get<double>();
    }
    return params;
}

void check_frequencies(const json& test, const Frequencies& got) {
    check_close(test, at::tensor(got.inverse, at::kDouble), test["expect"]["inv_freq"]);
    check_close(test, got.attention_factor, test["expect"]["attention_factor"]);
}

bool scaled_case(const json& test, const std::string& id, const Params& params) {
    const auto& p = test["params"];
    const auto module = made<FrequencyScaling>("frequency", id, params);
    check_frequencies(test, module->scale(plain_frequencies(p["d"], p["b"]), p["b"], p.value("length", std::int64_t{0}), p.value("L", std::int64_t{0})));
    return true;
}

bool default_case(const json& test) {
    const auto& p = test["params"];
    SlotShape shape;
    shape.head_width = p.value("head_dim", p["d"].get<std::int64_t>());
    const double base = p["b"];
    const auto rope = made<Rotation>("rotation", "rope", {{"base", base}, {"fraction", p.value("partial_rotary_factor", 1.0)}}, shape);
    check_close(test, at::tensor(rope->inverse_frequencies(), at::kDouble), test["expect"]["inv_freq"]);
    // The same table from any other base by changing it.
    const auto moved = made<FrequencyScaling>("frequency", "abf", {{"base", base}})->scale(plain_frequencies(p["d"], 3000), 3000, 0, 0);
    check_frequencies(test, moved);
    return true;
}

bool proportional_case(const json& test) {
    const auto& p = test["params"];
    SlotShape shape;
    shape.head_width = p["head_dim"];
    const auto rope = made<Rotation>("rotation", "p-rope", {{"base", p["b"].get<double>()}, {"p", p["partial_rotary_factor"].get<double>()}}, shape);
    check_frequencies(test, {rope->inverse_frequencies(), 1});
    return true;
}

bool floor_case(const json& test) {
    const auto& p = test["params"];
    SlotShape shape;
    shape.head_width = p["d"];
    shape.train_length = p["L"];
    check_frequencies(test, {made<Rotation>("rotation", "hope", {{"base", p["b"].get<double>()}}, shape)->inverse_frequencies(), 1});
    return true;
}

bool factor_case(const json& test) { return scaled_case(test, test["params"]["kind"], taken(test["params"], {"factor"})); }

bool dynamic_ntk_case(const json& test) {
    auto params = taken(test["params"], {"factor"});
    params["form"] = std::string(test["params"]["form"] == "qwen1" ? "stepped" : "continuous");
    return scaled_case(test, "dynamic-ntk", params);
}

bool by_parts_case(const json& test) {
    const auto& p = test["params"];
    auto params = taken(p, {"factor", "alpha", "beta", "ntk_factor", "extrapolation_factor"});
    params["form"] = p["form"].get<std::string>();
    const auto range = [&](const RangeEnds& ends) { return correction_range(ends, p["d"].get<std::size_t>() / 2, p["b"], p["L"]); };
    if (test["expect"].contains("beta_range")) {
        CHECK(range({1.25, 0.75}).low == test["expect"]["beta_range"][0].get<double>());
        CHECK(range({1.25, 0.75}).high == test["expect"]["beta_range"][1].get<double>());
        CHECK(range({16, 2}).low == test["expect"]["gamma_range"][0].get<double>());
        CHECK(range({16, 2}).high == test["expect"]["gamma_range"][1].get<double>());
    }
    return scaled_case(test, "ntk-by-parts", params);
}

bool yarn_case(const json& test) {
    const auto& p = test["params"];
    auto params = taken(p, {"factor", "beta_fast", "beta_slow", "extrapolation_factor", "attention_factor", "mscale", "mscale_all_dim"});
    params["ramp"] = p["ramp"].get<std::string>();
    params["truncate"] = p["truncate"].get<bool>();
    params["clamp"] = std::string(p["clamp"] == "d-1" ? "head" : "pairs");
    const auto corr = [&](const char* turns) { return pair_of_turns(p[turns], p["d"].get<std::size_t>() / 2, p["b"], p["L"]); };
    if (test["expect"].contains("corr_fast")) {
        check_close(test, corr("beta_fast"), test["expect"]["corr_fast"]);
        check_close(test, corr("beta_slow"), test["expect"]["corr_slow"]);
    }
    return scaled_case(test, "yarn", params);
}

bool yarn_dynamic_case(const json& test) { return scaled_case(test, "yarn", {{"factor", 0.0}}); }

/// Factors below 1 do not exist here; the others give the attention factor.
bool yarn_magnitude_case(const json& test) {
    const auto& s = test["inputs"]["s"];
    for (std::size_t n = 0; n < s.size(); ++n) {
        if (s[n].get<double>() < 1) continue;
        const auto yarn = made<FrequencyScaling>("frequency", "yarn", {{"factor", s[n].get<double>()}});
        check_close(test, yarn->scale({1, 0.1}, 10000, 0, 2048).attention_factor, test["expect"]["mscale"][n]);
    }
    return true;
}

bool longrope_case(const json& test) {
    const auto& p = test["params"];
    auto params = taken(p, {"factor", "attention_factor"});
    for (const char* id : {"short_factor", "long_factor"}) {
        if (p.contains(id)) params[id] = list_of(p[id]);
    }
    if (p["kind"] == "longrope-dynamic") params["form"] = std::string("dynamic");
    return scaled_case(test, "longrope", params);
}

bool longrope_magnitude_case(const json& test) {
    const auto& rows = test["inputs"]["s_L"];
    for (std::size_t n = 0; n < rows.size(); ++n) {
        if (rows[n][0].get<double>() < 1) continue;
        const auto longrope = made<FrequencyScaling>("frequency", "longrope", {{"factor", rows[n][0].get<double>()}});
        check_close(test, longrope->scale({1, 0.1}, 10000, 1, rows[n][1]).attention_factor, test["expect"]["attention_factor"][n]);
    }
    return true;
}

/// Divisors are what a table of one's own takes, too.
bool llama3_case(const json& test) {
    const auto& divisors = test["expect"]["divisors"];
    const auto list = list_of(divisors.is_object() ? divisors["data"] : divisors);
    return scaled_case(test, "llama3", taken(test["params"], {"factor", "low_freq_factor", "high_freq_factor"})) &&
           scaled_case(test, "custom", {{"values", list}}) &&
           scaled_case(test, "custom", {{"kind", std::string("frequencies")}, {"values", list_of(test["expect"]["inv_freq"]["data"])}});
}

bool power_case(const json& test) { return scaled_case(test, "giraffe-power", {{"power", test["params"]["k"].get<double>()}}); }
bool truncated_case(const json& test) { return scaled_case(test, "giraffe-truncated", {{"truncate", test["params"]["T"].get<std::int64_t>()}}); }
bool mix_case(const json& test) { return scaled_case(test, "bojone-mix", {{"factor", test["params"]["k"].get<double>()}}); }

bool resonance_case(const json& test) {
    auto params = taken(test["params"], {"factor"});
    params["after"] = std::string(test["params"]["on"] == "default" ? "none" : test["params"]["on"]);
    const auto wavelengths = 2 * std::numbers::pi / tensor(test["expect"]["inv_freq"]);
    check_close(test, wavelengths, test["expect"]["wavelengths"]);
    return scaled_case(test, "resonance", params);
}

bool clex_case(const json& test) {
    const auto& p = test["params"];
    SlotShape shape;
    shape.pairs = p["d"].get<std::int64_t>() / 2;
    const auto clex = made<FrequencyScaling>("frequency", "clex", {}, shape);
    set(*clex, "up", tensor(test["inputs"]["up_proj"]));
    set(*clex, "down", tensor(test["inputs"]["down_proj"]));
    const auto got = clex->scale(plain_frequencies(p["d"], p["b"]), p["b"], static_cast<std::int64_t>(100 * p["t_end"].get<double>()), 100);
    check_frequencies(test, got);
    check_close(test, got.learned.detach(), test["expect"]["inv_freq"]);
    return true;
}

bool critical_case(const json& test) {
    const auto& rows = test["inputs"]["d_b_L"];
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const double got = 2 * std::ceil(pair_of_turns(1, rows[n][0].get<std::size_t>() / 2, rows[n][1], rows[n][2]));
        check_close(test, got, test["expect"]["critical_dimension"][n]);
    }
    return true;
}

}  // namespace

TEST_CASE("frequency scalings give the independent numbers", "[encoding][golden]") {
    golden::run_group("rope_scaling",
                      {{"default", default_case},
                       {"proportional", proportional_case},
                       {"fope-floor", floor_case},
                       {"linear", factor_case},
                       {"ntk", factor_case},
                       {"dynamic-ntk", dynamic_ntk_case},
                       {"ntk-by-parts", by_parts_case},
                       {"yarn", yarn_case},
                       {"yarn-dynamic", yarn_dynamic_case},
                       {"yarn-mscale", yarn_magnitude_case},
                       {"longrope", longrope_case},
                       {"longrope-dynamic", longrope_case},
                       {"longrope-factor", longrope_magnitude_case},
                       {"llama3", llama3_case},
                       {"giraffe-power", power_case},
                       {"giraffe-truncated", truncated_case},
                       {"resonance", resonance_case},
                       {"bojone-mix", mix_case},
                       {"clex", clex_case},
                       {"critical-dimension", critical_case}},
                      87);
}

}  // namespace lw
