/// Probe group "temperature": factors on rows of scores, and the weights that follow.

#include "core/lab/probe_handlers.h"
#include "core/position/temperature_alignment.h"

#include <ATen/ATen.h>

#include <limits>

namespace lw {

namespace {

using nlohmann::json;

/// Rows at the given places: only they decide a row's factor.
TileGeometry rows_at(const ProbeInput& test) {
    auto geometry = test.geometry();
    geometry.key_positions = at::zeros({1}, at::kDouble);
    return geometry;
}

/// Scores of plain queries and keys under a temperature, and their softmax.
json attention(const ProbeInput& test, const std::shared_ptr<Temperature>& temperature) {
    LayerScheme layer;
    layer.temperature = temperature;
    const auto parts = all_scores(layer, test.attention());
    const auto logits = parts.masked_logit();
    return {{"logits", first_of(logits)}, {"softmax", first_of(causal_only(weights_of(layer, logits, parts.geometry), parts.geometry))}};
}

json heated(const ProbeInput& test, const std::string& id, const std::map<std::string, std::string>& names) {
    SlotShape shape = test.shape();
    if (test.gives("s")) shape.heads = test.array("s").numel();
    const auto temperature = make_entry<Temperature>("temperature", id, test.params_for("temperature", id, names), shape);
    if (test.gives("s")) set_parameter(*temperature, "s", test.array("s"));
    json computed = test.gives("q") ? attention(test, temperature) : json::object();
    if (test.gives("positions")) computed["tau"] = array_of(temperature->content_factor(rows_at(test)));
    return computed;
}

json log_n(const ProbeInput& test) {
    test.not_below("L", 2);
    return heated(test, "log-n", {{"reference", "L"}});
}
json ssmax(const ProbeInput& test) {
    if (test.gives("b")) throw UnknownCase("the library has SSMax without the offset \"b\"");
    return heated(test, "ssmax", {});
}
json constant(const ProbeInput& test) { return heated(test, "constant", {}); }
/// mscale_all_dim counts only beside mscale, which is 1 in the entry where a case does not give it.
json yarn(const ProbeInput& test) { return heated(test, "yarn", {{"mscale_all_dim", test.has("mscale") ? "mscale_all_dim" : ""}}); }
json llama4(const ProbeInput& test) { return heated(test, "llama4", {{"scale", "attn_scale"}, {"step", "floor_scale"}}); }

/// Logits of 0 and 1 show the shift and the factor.
json scale_invariant(const ProbeInput& test) {
    const auto temperature = make_entry<Temperature>("temperature", "scale-invariant", test.params_for("temperature", "scale-invariant"), {});
    if (test.gives("q")) return attention(test, temperature);
    TileGeometry geometry;
    geometry.query_positions = test.array("delta");  // the key at 0: places are distances
    geometry.key_positions = at::zeros({1}, at::kDouble);
    const auto zeros = at::zeros({1, 1, geometry.query_positions.numel(), 1}, at::kDouble);
    const auto shift = temperature->apply(zeros, geometry);
    return {{"m", array_of(shift.reshape({-1}))}, {"a", array_of((temperature->apply(zeros + 1, geometry) - shift).reshape({-1}))}};
}

at::Tensor causal_logits(const at::Tensor& logits) {
    const auto hidden = at::ones_like(logits, at::kBool).triu(1);
    return logits.masked_fill(hidden, -std::numeric_limits<double>::infinity());
}

json alignment(const ProbeInput& test) {
    test.only("rows", "all causal rows");
    const auto trained = causal_logits(test.array("logits_train")), longer = causal_logits(test.array("logits_long"));
    json computed;
    for (const std::string measure : {"max_probability", "entropy"}) {
        computed[measure] = {{"target", mean_sharpness(trained, 1, measure)},
                             {"untuned", mean_sharpness(longer, 1, measure)},
                             {"temperature", aligned_temperature(trained, longer, measure)}};
    }
    return computed;
}

/// STRING's factor on cos and sin.
json string_factor(const ProbeInput& test) {
    const auto map = make_entry<DistanceMap>("distance", "string", {{"sharpen", true}}, test.shape());
    return {{"factor", map->adjusted({{1.0}, 1}, 1, 1).attention_factor}};
}

/// A factor up to 1 is the automatic one of a text not longer than L.
json softmax_scale(const ProbeInput& test) {
    json multipliers = json::array();
    TileGeometry geometry;
    geometry.query_positions = geometry.key_positions = at::zeros({1}, at::kDouble);
    geometry.length = geometry.train_length = 1;
    for (const auto& pair : test.input("s_m")) {
        const double s = pair.at(0).get<double>();
        const Params params{{"factor", s < 1 ? 0.0 : s}, {"mscale", pair.at(1).get<double>()}};
        multipliers.push_back(make_entry<Temperature>("temperature", "yarn", params, {})->content_factor(geometry)[0].item<double>());
    }
    return {{"multiplier", multipliers}};
}

}  // namespace

const ProbeHandlers& temperature_probes() {
    static const ProbeHandlers all = {
        {"log-n", log_n},
        {"ssmax", ssmax},
        {"constant", constant},
        {"yarn", yarn},
        {"llama4", llama4},
        {"scale-invariant", scale_invariant},
        {"t5-alignment", alignment},
        {"string", string_factor},
        {"yarn-softmax-scale", softmax_scale},
    };
    return all;
}

}  // namespace lw
