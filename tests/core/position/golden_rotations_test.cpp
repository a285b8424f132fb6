/// Rotations against independent numbers, and what they promise.
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

std::shared_ptr<Rotation> rotation_of(const json& p, const Params& more) {
    SlotShape shape;
    shape.head_width = p["D"];
    shape.train_length = p.value("L", shape.train_length);
    Params params{{"base", p["base"].get<double>()}};
    if (p.contains("layout")) params["layout"] = p["layout"].get<std::string>();
    params.insert(more.begin(), more.end());
    return made<Rotation>("rotation", p["method"], params, shape);
}

at::Tensor scores(const at::Tensor& q, const at::Tensor& k) {
    const auto group = q.size(0) / k.size(0);
    return at::matmul(q, k.repeat_interleave(group, 0).transpose(-2, -1)) / std::sqrt(static_cast<double>(q.size(-1)));
}

bool rotated_case(const json& test, const Rotation& rotation) {
    const auto& in = test["inputs"];
    const auto& expect = test["expect"];
    const Frequencies frequencies{rotation.inverse_frequencies(), test["params"].value("attention_factor", 1.0)};
    const auto rotated = [&](const char* x, const char* positions, Side side) {
        return rotation.rotate(tensor(in[x]).unsqueeze(0), tensor(in[positions]), frequencies, side).squeeze(0);
    };
    const auto q = rotated("q", "positions_q", Side::query), k = rotated("k", "positions_k", Side::key);
    if (expect.contains("inv_freq")) check_close(test, at::tensor(frequencies.inverse, at::kDouble), expect["inv_freq"]);
    if (expect.contains("q_rot")) check_close(test, q, expect["q_rot"]);
    if (expect.contains("k_rot")) check_close(test, k, expect["k_rot"]);
    check_close(test, scores(q, k), expect["logits"]);
    return true;
}

/// Both layouts give the same scores when the elements are permuted.
bool rope_permutation_case(const json& test) {
    const auto& in = test["inputs"];
    const auto take = tensor(in["take"]).to(at::kLong);
    const auto positions = tensor(in["positions"]);
    for (const std::string layout : {"half_split", "interleaved"}) {
        const auto rope = rotation_of(test["params"], {{"layout", layout}});
        const auto rotated = [&](const char* x) {
            auto value = tensor(in[x]);
            if (layout == "interleaved") value = value.index_select(-1, take);
            return rope->rotate(value.unsqueeze(0), positions, {rope->inverse_frequencies(), 1}, Side::query).squeeze(0);
        };
        check_close(test, scores(rotated("q_half"), rotated("k_half")), test["expect"]["logits"]);
    }
    return true;
}

bool rope_case(const json& test) {
    if (test["inputs"].contains("take")) return rope_permutation_case(test);
    const auto& p = test["params"];
    return rotated_case(test, *rotation_of(p, {{"fraction", p["rotary_dim"].get<double>() / p["D"].get<double>()}}));
}

bool p_rope_case(const json& test) {
    const auto rotation = rotation_of(test["params"], {{"p", test["params"]["p"].get<double>()}});
    const auto theta = rotation->inverse_frequencies();
    CHECK(std::count_if(theta.begin(), theta.end(), [](double value) { return value > 0; }) == test["params"]["rotated_pairs"].get<int>());
    return rotated_case(test, *rotation);
}

bool hope_case(const json& test) {
    const auto rotation = rotation_of(test["params"], {});
    const auto theta = rotation->inverse_frequencies();
    CHECK(std::count_if(theta.begin(), theta.end(), [](double value) { return value > 0; }) == test["expect"]["kept_pairs"].get<int>());
    return rotated_case(test, *rotation);
}

bool xpos_case(const json& test) {
    const auto& p = test["params"];
    const auto rotation = rotation_of(p, {{"gamma", p["gamma"].get<double>()}, {"scale_base", p["scale_base"].get<double>()}, {"centre", p["centre"].get<double>()}});
    if (test["expect"].contains("zeta")) {
        check_close(test, at::tensor(rotation->decay(), at::kDouble).pow(p["scale_base"].get<double>()), test["expect"]["zeta"]);
    }
    return rotated_case(test, *rotation);
}

bool pope_case(const json& test) {
    const auto& p = test["params"];
    SlotShape shape;
    shape.head_width = p["D"];
    shape.heads = tensor(test["inputs"]["q"]).size(0);
    const auto pope = made<Rotation>("rotation", "pope", {{"base", p["base"].get<double>()}}, shape);
    set(*pope, "phase", tensor(test["inputs"]["phase"]));
    pope->eval();
    const auto positions = tensor(test["inputs"]["positions"]);
    const Frequencies frequencies{pope->inverse_frequencies(), 1};
    const auto q = pope->rotate(tensor(test["inputs"]["q"]).unsqueeze(0), positions, frequencies, Side::query).squeeze(0);
    const auto k = pope->rotate(tensor(test["inputs"]["k"]).unsqueeze(0), positions, frequencies, Side::key).squeeze(0).detach();
    check_close(test, q, test["expect"]["q_rot"]);
    check_close(test, k, test["expect"]["k_rot"]);
    check_close(test, at::matmul(q, k.transpose(-2, -1)), test["expect"]["dot_unscaled"]);
    return true;
}

bool path_case(const json& test) {
    const auto& in = test["inputs"];
    const auto q = tensor(in["q"]), k = tensor(in["k"]);
    SlotShape shape;
    shape.heads = 1;
    shape.head_width = shape.width = q.size(1);
    const auto path = made<Rotation>("rotation", "path", {{"convolution", std::int64_t{1}}}, shape);
    const auto state = at::cat({tensor(in["w"]), tensor(in["beta"]).unsqueeze(1)}, 1).unsqueeze(0).unsqueeze(0);
    const auto got = path->scores(q.unsqueeze(0).unsqueeze(0), k.unsqueeze(0).unsqueeze(0), state, 0, test["params"]["scale"])[0][0];
    check_close(test, got, test["expect"]["logits"]);
    return true;
}

}  // namespace

TEST_CASE("rotations give the independent numbers", "[encoding][golden]") {
    golden::run_group("rotary", {{"rope", rope_case}, {"p-rope", p_rope_case}, {"xpos", xpos_case}, {"hope", hope_case}, {"pope", pope_case}}, 25);
}

TEST_CASE("PaTH gives the independent numbers", "[encoding][golden]") { golden::run_group("biases", {{"path", path_case}}, 2); }

}  // namespace lw
