/// Rotations and frequency scalings against independent numbers.
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

std::shared_ptr<Rotation> rope_of(const json& p, const std::string& layout) {
    SlotShape shape;
    shape.head_width = p["D"];
    Params params{{"base", p["base"].get<double>()}, {"layout", layout}};
    if (p.contains("rotary_dim")) params["fraction"] = p["rotary_dim"].get<double>() / p["D"].get<double>();
    return made<Rotation>("rotation", "rope", params, shape);
}

at::Tensor scores(const at::Tensor& q, const at::Tensor& k) {
    const auto group = q.size(0) / k.size(0);
    return at::matmul(q, k.repeat_interleave(group, 0).transpose(-2, -1)) / std::sqrt(static_cast<double>(q.size(-1)));
}

void rope_rotation_case(const json& test) {
    const auto& in = test["inputs"];
    const auto& expect = test["expect"];
    const auto rope = rope_of(test["params"], test["params"]["layout"]);
    Frequencies frequencies{rope->inverse_frequencies(), test["params"].value("attention_factor", 1.0)};
    const auto rotated = [&](const char* x, const char* positions) {
        return rope->rotate(tensor(in[x]).unsqueeze(0), tensor(in[positions]), frequencies, Side::query).squeeze(0);
    };
    const auto q = rotated("q", "positions_q"), k = rotated("k", "positions_k");
    if (expect.contains("inv_freq")) check_close(test, at::tensor(frequencies.inverse, at::kDouble), expect["inv_freq"]);
    if (expect.contains("q_rot")) check_close(test, q, expect["q_rot"]);
    if (expect.contains("k_rot")) check_close(test, k, expect["k_rot"]);
    check_close(test, scores(q, k), expect["logits"]);
}

/// Both layouts give the same scores when the elements are permuted.
void rope_permutation_case(const json& test) {
    const auto& in = test["inputs"];
    const auto take = tensor(in["take"]).to(at::kLong);
    const auto positions = tensor(in["positions"]);
    for (const std::string layout : {"half_split", "interleaved"}) {
        const auto rope = rope_of(test["params"], layout);
        const Frequencies frequencies{rope->inverse_frequencies(), 1};
        const auto rotated = [&](const char* x) {
            auto value = tensor(in[x]);
            if (layout == "interleaved") value = value.index_select(-1, take);
            return rope->rotate(value.unsqueeze(0), positions, frequencies, Side::query).squeeze(0);
        };
        check_close(test, scores(rotated("q_half"), rotated("k_half")), test["expect"]["logits"]);
    }
}

bool rope_case(const json& test) {
    if (test["inputs"].contains("take")) rope_permutation_case(test);
    else rope_rotation_case(test);
    return true;
}

std::vector<double> plain_frequencies(const json& p) {
    SlotShape shape;
    shape.head_width = p["d"];
    return made<Rotation>("rotation", "rope", {{"base", p["b"].get<double>()}}, shape)->inverse_frequencies();
}

bool scaled_case(const json& test, const std::string& id, const Params& params) {
    const auto& p = test["params"];
    const auto module = made<FrequencyScaling>("frequency", id, params);
    const auto got = module->scale(plain_frequencies(p), p["b"], p.value("length", std::int64_t{0}), p.value("L", std::int64_t{0}));
    check_close(test, at::tensor(got.inverse, at::kDouble), test["expect"]["inv_freq"]);
    check_close(test, got.attention_factor, test["expect"]["attention_factor"]);
    return true;
}

bool default_case(const json& test) {
    const auto& p = test["params"];
    SlotShape shape;
    shape.head_width = p.value("head_dim", p["d"].get<std::int64_t>());
    const Params params{{"base", p["b"].get<double>()}, {"fraction", p.value("partial_rotary_factor", 1.0)}};
    const auto rope = made<Rotation>("rotation", "rope", params, shape);
    check_close(test, at::tensor(rope->inverse_frequencies(), at::kDouble), test["expect"]["inv_freq"]);
    return true;
}

bool factor_case(const json& test) { return scaled_case(test, test["params"]["kind"], {{"factor", test["params"]["factor"].get<double>()}}); }

bool dynamic_ntk_case(const json& test) {
    const bool stepped = test["params"]["form"] == "qwen1";
    return scaled_case(test, "dynamic-ntk",
                       {{"factor", test["params"].value("factor", 1.0)}, {"form", std::string(stepped ? "stepped" : "continuous")}});
}

bool yarn_case(const json& test) {
    const auto& p = test["params"];
    Params params{{"ramp", p["ramp"].get<std::string>()}, {"truncate", p["truncate"].get<bool>()}};
    params["clamp"] = std::string(p["clamp"] == "d-1" ? "head" : "pairs");
    for (const char* id : {"factor", "beta_fast", "beta_slow", "extrapolation_factor", "attention_factor", "mscale", "mscale_all_dim"}) {
        if (p.contains(id)) params[id] = p[id].get<double>();
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

}  // namespace

TEST_CASE("rotations give the independent numbers", "[encoding][golden]") { golden::run_group("rotary", {{"rope", rope_case}}, 13); }

TEST_CASE("frequency scalings give the independent numbers", "[encoding][golden]") {
    golden::run_group("rope_scaling",
                      {{"default", default_case},
                       {"linear", factor_case},
                       {"ntk", factor_case},
                       {"dynamic-ntk", dynamic_ntk_case},
                       {"yarn", yarn_case},
                       {"yarn-dynamic", yarn_dynamic_case},
                       {"yarn-mscale", yarn_magnitude_case}},
                      56);
}

}  // namespace lw
