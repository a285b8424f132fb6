/// Static biases against independent numbers.
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

SlotShape heads(const json& p) {
    SlotShape shape;
    shape.heads = p.value("H", std::int64_t{8});
    return shape;
}

TileGeometry geometry_from(const json& test) {
    TileGeometry geometry;
    geometry.query_positions = tensor(test["inputs"]["positions_q"]);
    geometry.key_positions = tensor(test["inputs"]["positions_k"]);
    geometry.train_length = test["params"].value("L", std::int64_t{1});
    geometry.length = test["params"].value("length", geometry.train_length);
    return geometry;
}

/// Values at differences i - j of any sign, [H, n]: one query at 0.
at::Tensor at_differences(Bias& bias, const json& differences) {
    auto geometry = geometry_of(0, 1, 1);
    geometry.key_positions = -tensor(differences);
    return bias.tile(geometry).squeeze(1);
}

/// Key-only conventions of other programs: their logits differ by a constant per row, so their weights must be ours.
bool alibi_weights_case(const json& test, Bias& bias) {
    const auto& in = test["inputs"];
    const auto q = tensor(in["q"]), k = tensor(in["k"]);
    const auto geometry = geometry_of(0, q.size(1), k.size(1));
    const double scale = std::sqrt(test["params"]["D"].get<double>());
    auto logits = at::matmul(q, k.transpose(-2, -1)) / scale + bias.tile(geometry);
    logits = masked(logits, geometry, -std::numeric_limits<double>::infinity());
    if (in.contains("mask")) logits = logits.masked_fill(tensor(in["mask"]).eq(0), -std::numeric_limits<double>::infinity());
    check_close(test, at::softmax(logits, -1), test["expect"]["softmax"]);
    return true;
}

bool alibi_case(const json& test) {
    const auto& p = test["params"];
    Params params{{"max_bias", p.value("max_bias", 8.0)}, {"convention", p.value("form", std::string("causal"))}};
    if (p.contains("L_target")) params["factor"] = p["L_target"].get<double>() / p["L"].get<double>();
    if (p.value("dynamic", false)) params["factor"] = 0.0;
    const auto bias = made<Bias>("bias", "alibi", params, heads(p));
    if (p.contains("convention")) return alibi_weights_case(test, *bias);
    if (test["expect"].contains("slopes")) {
        check_close(test, -at_differences(*bias, json::array({1})).squeeze(1), test["expect"]["slopes"]);
        return true;
    }
    check_close(test, bias->tile(geometry_from(test)), test["expect"]["bias"]);
    return true;
}

bool t5_case(const json& test) {
    const auto& p = test["params"];
    const double multiplier = p.value("value_multiplier", 1.0);
    SlotShape shape = heads(p);
    shape.head_width = static_cast<std::int64_t>(multiplier * multiplier);
    const Params params{{"buckets", p["buckets"].get<std::int64_t>()},
                        {"max_distance", p["max_distance"].get<std::int64_t>()},
                        {"distance_scale", p.value("distance_scale", 1.0)},
                        {"bidirectional", p["bidirectional"].get<bool>()},
                        {"multiplier", std::string(multiplier == 1 ? "one" : "sqrt_d")}};
    const auto bias = made<Bias>("bias", "t5", params, shape);
    if (test["expect"].contains("bucket")) {
        // A table that holds its own row numbers shows the bucket.
        const auto rows = at::arange(p["buckets"].get<std::int64_t>(), at::kDouble).unsqueeze(1).expand({-1, shape.heads});
        set(*bias, "table", rows);
        check_close(test, at_differences(*bias, test["inputs"]["delta"])[0], test["expect"]["bucket"]);
        return true;
    }
    set(*bias, "table", tensor(test["inputs"]["table"]));
    check_close(test, bias->tile(geometry_from(test)), test["expect"]["bias"]);
    return true;
}

/// Slopes of BiPE; its key-only bias is ours and a constant per row.
bool bipe_case(const json& test) {
    const auto bias = made<Bias>("bias", "alibi", {{"slope_multiplier", test["params"]["slope_multiplier"].get<double>()}}, heads(test["params"]));
    check_close(test, -at_differences(*bias, json::array({1})).squeeze(1), test["expect"]["slopes"]);
    TileGeometry geometry = geometry_of(0, 1, 1);
    geometry.key_positions = tensor(test["inputs"]["segments"]);
    geometry.query_positions = geometry.key_positions.slice(0, geometry.key_positions.numel() - 1);
    const auto own = tensor(test["expect"]["key_bias"]).select(1, geometry.key_positions.numel() - 1);  // of the query's segment, [H]
    check_close(test, bias->tile(geometry).squeeze(1) + own.unsqueeze(1), test["expect"]["key_bias"]);
    return true;
}

bool tisa_case(const json& test) {
    const auto bias = made<Bias>("bias", "tisa", {{"bumps", test["params"]["bumps"].get<std::int64_t>()}}, heads(test["params"]));
    for (const char* name : {"a", "b", "c"}) set(*bias, name, tensor(test["inputs"][name]));
    check_close(test, bias->tile(geometry_from(test)), test["expect"]["bias"]);
    return true;
}

bool kerple_case(const json& test) {
    const auto bias = made<Bias>("bias", test["params"]["method"], {}, heads(test["params"]));
    set(*bias, "p", tensor(test["inputs"]["p"]));
    set(*bias, "a", tensor(test["inputs"]["a"]));
    bias->eval();
    check_close(test, bias->tile(geometry_from(test)), test["expect"]["bias"]);
    return true;
}

bool sandwich_case(const json& test) {
    const auto& p = test["params"];
    const Params params{{"width", p["dbar"].get<std::int64_t>()},
                        {"first_k", p["first_k"].get<std::int64_t>()},
                        {"subtract_half", p.value("subtract_half", false)}};
    const auto bias = made<Bias>("bias", "sandwich", params, heads(p));
    const auto values = at_differences(*bias, test["inputs"]["delta"]);
    // With 8 heads the first one's compression ratio is 1: its bias is the raw sum.
    if (test["expect"].contains("raw")) check_close(test, values[0], test["expect"]["raw"]);
    else check_close(test, values, test["expect"]["bias_by_delta"]);
    return true;
}

/// FIRE whose network is the identity, so that the bias is the argument itself.
std::shared_ptr<Bias> fire_argument(double threshold, double c, double multiplier) {
    SlotShape shape;
    shape.heads = 1;
    const auto bias = made<Bias>("bias", "fire", {{"hidden", std::int64_t{1}}, {"threshold", static_cast<std::int64_t>(threshold)}}, shape);
    for (const char* name : {"first.weight", "second.weight"}) set(*bias, name, at::ones({1}));
    for (const char* name : {"first.bias", "second.bias"}) set(*bias, name, at::zeros({1}));
    set(*bias, "c", at::full({}, c, at::kDouble));
    set(*bias, "multiplier", at::full({}, multiplier, at::kDouble));
    return bias;
}

bool fire_table_case(const json& test) {
    const auto& rows = test["inputs"]["i_delta_L0"];
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const double i = rows[n][0], delta = rows[n][1];
        TileGeometry geometry;
        geometry.query_positions = at::full({1}, i, at::kDouble);
        geometry.key_positions = at::full({1}, i - delta, at::kDouble);
        const auto got = fire_argument(rows[n][2], test["params"]["c"], 1)->tile(geometry).item<double>();
        check_close(test, got, test["expect"]["argument"][n]);
    }
    return true;
}

bool fire_case(const json& test) {
    if (test["inputs"].contains("i_delta_L0")) return fire_table_case(test);
    const auto& p = test["params"];
    const auto& in = test["inputs"];
    const Params params{{"hidden", p["width"].get<std::int64_t>()},
                        {"threshold", p["L0"].get<std::int64_t>()},
                        {"activation", p["activation"].get<std::string>()}};
    const auto bias = made<Bias>("bias", "fire", params, heads(p));
    set(*bias, "first.weight", tensor(in["W1"]));
    set(*bias, "first.bias", tensor(in["b1"]));
    set(*bias, "second.weight", tensor(in["W2"]));
    set(*bias, "second.bias", tensor(in["b2"]));
    set(*bias, "c", at::full({}, p["c"].get<double>(), at::kDouble));
    set(*bias, "multiplier", at::full({}, p["multiplier"].get<double>(), at::kDouble));
    const auto geometry = geometry_from(test);
    check_close(test, bias->tile(geometry), test["expect"]["bias"]);
    {
        const at::NoGradGuard no_grad;  // evaluation takes another way: the network as a piecewise linear function
        check_close(test, bias->tile(geometry), test["expect"]["bias"]);
    }
    const auto argument = fire_argument(p["L0"], p["c"], p["multiplier"])->tile(geometry)[0];
    check_close(test, argument, test["expect"]["argument"]);
    return true;
}

}  // namespace

TEST_CASE("static biases give the independent numbers", "[encoding][golden]") {
    golden::run_group("biases",
                      {{"alibi", alibi_case},
                       {"t5", t5_case},
                       {"kerple-log", kerple_case},
                       {"kerple-power", kerple_case},
                       {"sandwich", sandwich_case},
                       {"fire", fire_case},
                       {"tisa", tisa_case},
                       {"bipe-alibi", bipe_case}},
                      52);
}

}  // namespace lw
