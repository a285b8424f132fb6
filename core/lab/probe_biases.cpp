/// Probe group "biases": terms added to the scores, from positions (here) or from the text (probe_text_biases.cpp).

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

using nlohmann::json;

/// A query's past as the case asks for it: everything where later keys count too.
at::Tensor shown(const ProbeInput& test, const at::Tensor& tile, bool both_sides) { return both_sides ? tile : causal_only(tile, test.geometry()); }

Params alibi_params(const ProbeInput& test) {
    auto params = test.params_for("bias", "alibi", {{"convention", "form"}});
    if (test.has("L_target")) params["factor"] = test.real("L_target") / test.real("L");
    if (test.flag("dynamic", false)) params["factor"] = 0.0;
    return params;
}

/// The slopes, whatever counts as distance and however the bias is divided.
at::Tensor slopes_of(const ProbeInput& test) {
    auto params = alibi_params(test);
    params.erase("convention");
    params.erase("scale");
    return -at_differences(*make_entry<Bias>("bias", "alibi", params, test.shape()), at::ones({1}, at::kDouble)).squeeze(1);
}

/// Places without padding, from a mask of the keys; 0 at pads.
at::Tensor unpadded_places(const at::Tensor& mask) {
    const auto map = make_entry<PositionMap>("positions", "shifted", {{"pad_token", std::int64_t{0}}}, {});
    const auto length = mask.numel();
    PositionContext context{.length = length, .train_length = length, .batch = 1};
    context.tokens = mask.to(at::kLong).unsqueeze(0);
    return map->map(at::arange(length, at::kDouble), context).relative.view({-1}) * mask;
}

/// As scores get it: Falcon's own tensor is not divided, but its scores are divided together with it.
std::shared_ptr<Bias> bias_in_scores(const ProbeInput& test) {
    auto params = alibi_params(test);
    if (test.word("convention") == "falcon") params["scale"] = std::string("inverse_sqrt_d");
    return make_entry<Bias>("bias", "alibi", params, test.shape());
}

/// At distances of either sign, [H, n]: of the two values one is 0.
at::Tensor signed_bias(Bias& bias, const at::Tensor& places) { return at_differences(bias, -places) - at_differences(bias, places); }

/// Programs that write a bias per key: BLOOM and Falcon m·j by places without padding, MPT m·(j - (T - 1)), which is the last query's row.
/// Their logits differ from ours by a constant per row, so their weights are ours.
json alibi_by_key(const ProbeInput& test, Bias& bias) {
    const auto divided = bias_in_scores(test);
    AttentionInputs inputs = test.attention();
    auto mask = at::ones_like(inputs.key_positions);
    if (test.gives("mask")) mask = test.array("mask");
    inputs.query_positions = inputs.key_positions = unpadded_places(mask);
    const auto places = test.word("convention") == "mpt" ? inputs.key_positions - inputs.key_positions.max() : inputs.key_positions;
    LayerScheme layer;
    auto parts = all_scores(layer, inputs);
    const auto order = at::arange(mask.numel(), at::kDouble);
    parts.visible = order.unsqueeze(0).le(order.unsqueeze(1)).logical_and(mask.gt(0).unsqueeze(0));
    parts.bias = signed_bias(*divided, places).unsqueeze(1);
    const auto logits = parts.masked_logit();
    parts.bias = divided->tile(parts.geometry);  // our own form
    return {{"key_bias", array_of(signed_bias(bias, places))},
            {"logits", first_of(logits)},
            {"softmax", first_of(weights_of(layer, parts.masked_logit(), parts.geometry))}};
}

json alibi(const ProbeInput& test) {
    const auto bias = make_entry<Bias>("bias", "alibi", alibi_params(test), test.shape());
    json computed{{"slopes", array_of(slopes_of(test))}};
    if (test.has("convention")) computed.update(alibi_by_key(test, *bias));
    else if (test.gives("positions_q")) computed["bias"] = array_of(shown(test, bias->tile(test.geometry()), test.has("form")));
    return computed;
}

/// Between segments; a bias per key as in alibi_by_key().
json bipe_alibi(const ProbeInput& test) {
    const auto bias = make_entry<Bias>("bias", "alibi", test.params_for("bias", "alibi"), test.shape());
    return {{"slopes", array_of(-at_differences(*bias, at::ones({1}, at::kDouble)).squeeze(1))},
            {"key_bias", array_of(-at_differences(*bias, test.array("segments")))}};
}

/// T5: a table that holds its own row numbers shows the bucket.
json t5(const ProbeInput& test) {
    const double multiplier = test.real("value_multiplier", 1);
    SlotShape shape = test.shape();
    shape.head_width = std::llround(multiplier * multiplier);
    auto params = test.params_for("bias", "t5");
    params["multiplier"] = std::string(multiplier == 1 ? "one" : "sqrt_d");
    const auto bias = make_entry<Bias>("bias", "t5", params, shape);
    json computed;
    if (test.gives("delta")) {
        refuse_size("buckets", test.integer("buckets"), static_cast<double>(test.integer("buckets")) * static_cast<double>(shape.heads));
        set_parameter(*bias, "table", at::arange(test.integer("buckets"), at::kDouble).unsqueeze(1).expand({-1, shape.heads}));
        computed["bucket"] = array_of(at_differences(*bias, test.array("delta"))[0] / multiplier);
    }
    if (test.gives("table")) {
        set_parameter(*bias, "table", test.array("table"));
        computed["bias"] = array_of(shown(test, bias->tile(test.geometry()), test.flag("bidirectional", false)));
    }
    return computed;
}

json kerple(const ProbeInput& test) {
    const auto bias = bias_with(test.word("method"), json::object(), {{"p", test.input("p")}, {"a", test.input("a")}}, test.shape());
    return {{"bias", array_of(shown(test, bias->tile(test.geometry()), false))}};
}

/// With 8 heads the first one's compression ratio is 1: its bias is the raw sum.
json sandwich(const ProbeInput& test) {
    auto params = test.params_for("bias", "sandwich", {{"width", "dbar"}});
    if (!test.has("subtract_half")) params["subtract_half"] = false;
    const auto bias = make_entry<Bias>("bias", "sandwich", params, test.shape());
    json computed;
    if (test.gives("positions_q")) computed["bias"] = array_of(shown(test, bias->tile(test.geometry()), false));
    if (!test.gives("delta")) return computed;
    computed["bias_by_delta"] = array_of(at_differences(*bias, test.array("delta")));
    params["subtract_half"] = false;
    computed["raw"] = array_of(at_differences(*make_entry<Bias>("bias", "sandwich", params, {}), test.array("delta"))[0]);
    return computed;
}

/// FIRE whose network is the identity, so that the bias is the argument itself.
std::shared_ptr<Bias> fire_argument(double c, double multiplier, double threshold) {
    SlotShape shape;
    shape.heads = 1;
    const json settings{{"width", 1}, {"L0", static_cast<std::int64_t>(threshold)}};
    const json one = json::array({1}), zero = json::array({0});
    return bias_with("fire", settings, json{{"W1", one}, {"b1", zero}, {"W2", one}, {"b2", zero}, {"c", c}, {"multiplier", multiplier}}, shape);
}

json fire_table(const ProbeInput& test) {
    json arguments = json::array();
    for (const auto& row : test.input("i_delta_L0")) {
        const double i = row.at(0).get<double>(), delta = row.at(1).get<double>();
        TileGeometry geometry;
        geometry.query_positions = at::full({1}, i, at::kDouble);
        geometry.key_positions = at::full({1}, i - delta, at::kDouble);
        const auto bias = fire_argument(test.real("c"), test.real("multiplier", 1), row.at(2).get<double>());
        arguments.push_back(bias->tile(geometry).item<double>());
    }
    return {{"argument", arguments}};
}

json fire(const ProbeInput& test) {
    test.only("eps", 1e-6);
    if (test.gives("i_delta_L0")) return fire_table(test);
    const auto bias = bias_with("fire", test, fire_values(test), test.shape());
    const auto argument = fire_argument(test.real("c"), test.real("multiplier", 1), test.real("L0"))->tile(test.geometry())[0];
    return {{"bias", array_of(shown(test, bias->tile(test.geometry()), false))}, {"argument", array_of(shown(test, argument, false))}};
}

json tisa(const ProbeInput& test) {
    const json values{{"a", test.input("a")}, {"b", test.input("b")}, {"c", test.input("c")}};
    return {{"bias", array_of(bias_with("tisa", test, values, test.shape())->tile(test.geometry()))}};
}

}  // namespace

const ProbeHandlers& biases_probes() {
    static const ProbeHandlers all = [] {
        ProbeHandlers handlers = {
            {"alibi", alibi},
            {"bipe-alibi", bipe_alibi},
            {"t5", t5},
            {"kerple-log", kerple},
            {"kerple-power", kerple},
            {"sandwich", sandwich},
            {"fire", fire},
            {"tisa", tisa},
        };
        handlers.insert(text_biases().begin(), text_biases().end());
        return handlers;
    }();
    return all;
}

}  // namespace lw
