/// The part of the probe group "biases" that reads the text, normalisers, and PaTH.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"
#include "core/position/cells.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace lw {

namespace {

using nlohmann::json;

/// Shaw's table row of every cell: vectors that hold their own numbers along one element, met by queries that are 1 there.
at::Tensor shaw_rows(const ProbeInput& test, Bias& bias, const AttentionInputs& inputs) {
    const auto vectors = test.array("table_k");
    const auto numbers = at::arange(vectors.size(0), at::kDouble).unsqueeze(1);
    set_parameter(bias, "keys", at::cat({numbers, at::zeros_like(vectors).slice(1, 1)}, 1));
    LayerScheme layer;
    AttentionInputs asked = inputs;
    asked.q = at::zeros_like(inputs.q);
    asked.q.select(-1, 0).fill_(1 / inputs.score_scale());
    const ContentView view{asked.q, asked.k, content_scores(asked.q, asked.k), {}, inputs.k.size(2) - inputs.q.size(2), 0};
    return bias.content_tile(view, test.geometry())[0][0];
}

json shaw(const ProbeInput& test) {
    auto params = test.params_for("bias", "shaw");
    params["values"] = test.gives("table_v");
    LayerScheme layer;
    layer.bias = make_entry<Bias>("bias", "shaw", params, test.shape());
    if (!test.flag("causal", true)) layer.visibility = make_entry<Visibility>("visibility", "full", {}, {});
    set_parameter(*layer.bias, "keys", test.array("table_k"));
    if (test.gives("table_v")) set_parameter(*layer.bias, "values", test.array("table_v"));
    const auto inputs = test.attention();
    const auto parts = all_scores(layer, inputs);
    json computed{{"logits", first_of(parts.masked_logit())}};
    if (test.gives("v")) computed["output"] = first_of(mixed_output(layer, parts.masked_logit(), parts.geometry, inputs.v));
    computed["table_index"] = array_of(shaw_rows(test, *layer.bias, inputs));
    return computed;
}

/// The projection's columns meet all sines, then all cosines; where they alternate in the case they are taken in that order.
at::Tensor projection_of(const ProbeInput& test) {
    const auto w = test.array("W_r");  // [H d, E]
    const auto layout = test.word("layout", "concatenated");
    if (layout == "concatenated") return w;
    if (layout != "interleaved") throw UnknownCase(fmt::format("layout is \"{}\"; the library has concatenated and interleaved", layout));
    return at::cat({w.slice(-1, 0, std::nullopt, 2), w.slice(-1, 1, std::nullopt, 2)}, -1);
}

json transformer_xl(const ProbeInput& test) {
    LayerScheme layer;
    layer.bias = make_entry<Bias>("bias", "transformer-xl", test.params_for("bias", "transformer-xl"), test.shape());
    set_values(*layer.bias, {{"u", test.input("u")}, {"v", test.input("v")}, {"projection", array_of(projection_of(test))}});
    AttentionInputs inputs = test.attention();
    inputs.v = at::Tensor();  // "v" is a vector of the method here
    return {{"logits", first_of(all_scores(layer, inputs).masked_logit())}};
}

std::shared_ptr<Bias> cope_with(const at::Tensor& table) {
    SlotShape shape;
    shape.head_width = table.size(1);
    const auto bias = make_entry<Bias>("bias", "cope", {{"places", table.size(0)}}, shape);
    set_parameter(*bias, "table", table);
    return bias;
}

/// A table on which z(m) = m shows the counted places, [H, r, c].
at::Tensor counted_places(ContentView view, std::int64_t count, const TileGeometry& geometry) {
    view.q = at::ones({1, view.content.size(1), view.content.size(2), 1}, at::kDouble);
    return cope_with(at::arange(count, at::kDouble).unsqueeze(1))->content_tile(view, geometry)[0];
}

/// Bias, places and gates of one view. A gate is what its key adds to the count, where the count is not stopped.
json cope_numbers(const ContentView& view, Bias& bias, std::int64_t count, const TileGeometry& geometry) {
    refuse_size("npos", count, static_cast<double>(count));
    const auto free = counted_places(view, std::max<std::int64_t>(2, view.content.size(3) + 2), geometry);
    const auto gates = free - at::constant_pad_nd(free.slice(-1, 1), {0, 1});
    return {{"bias", array_of(causal_only(bias.content_tile(view, geometry)[0], geometry))},
            {"position", array_of(causal_only(counted_places(view, count, geometry), geometry))},
            {"gate", array_of(causal_only(gates, geometry))}};
}

/// One row: scores and z(m) are given instead of vectors.
json cope_row(const ProbeInput& test) {
    ContentView view;
    view.content = test.array("logits").view({1, 1, 1, -1});
    view.q = at::ones({1, 1, 1, 1}, at::kDouble);
    TileGeometry geometry;
    geometry.key_positions = at::arange(view.content.size(3), at::kDouble);
    geometry.query_positions = geometry.key_positions.slice(0, -1);
    auto computed = cope_numbers(view, *cope_with(test.array("z").unsqueeze(1)), test.integer("npos"), geometry);
    for (auto& value : computed) value = array_of(tensor_of(value).view({-1}));
    return computed;
}

json cope(const ProbeInput& test) {
    if (test.gives("z")) return cope_row(test);
    LayerScheme layer;
    layer.bias = cope_with(test.array("table"));
    const auto inputs = test.attention();
    const auto parts = all_scores(layer, inputs);
    const ContentView view{inputs.q, inputs.k, parts.content, {}, inputs.k.size(2) - inputs.q.size(2), 0};
    auto computed = cope_numbers(view, *layer.bias, test.integer("npos"), parts.geometry);
    computed["logits"] = first_of(parts.masked_logit());
    return computed;
}

/// Biases that add up gates: the linear layer is the identity, so that the given numbers z [H, T] are the gate's.
json gate_sum(const std::string& id, const at::Tensor& z, const at::Tensor& weight, const at::Tensor& offset) {
    SlotShape shape;
    shape.heads = shape.width = z.size(0);
    const auto bias = make_entry<Bias>("bias", id, {}, shape);
    set_values(*bias, {{"weight", array_of(weight)}, {"bias", array_of(offset)}});
    const auto length = z.size(1);
    ContentView view;
    view.q = view.k = at::zeros({1, shape.heads, length, 1}, at::kDouble);
    view.content = at::zeros({1, shape.heads, length, length}, at::kDouble);
    view.state = bias->token_state(z.t().unsqueeze(0));                                   // [1, H, T, 1]
    TileGeometry geometry;
    geometry.query_positions = geometry.key_positions = at::arange(length, at::kDouble);
    return {{"log_f", array_of(view.state[0].squeeze(-1))}, {"bias", array_of(causal_only(bias->content_tile(view, geometry)[0], geometry))}};
}

json plain_gates(const std::string& id, const at::Tensor& z) { return gate_sum(id, z, at::eye(z.size(0), at::kDouble), at::zeros({z.size(0)}, at::kDouble)); }

/// Gates that no text changes: log f = -1 / T, which is ALiBi with the slope 1 / T.
json fixed_gates(const ProbeInput& test) {
    const auto times = test.array("T_h");
    const auto heads = times.numel();
    const auto offset = -at::log(at::expm1(1 / times));
    const auto computed = gate_sum("fox", at::ones({heads, 2}, at::kDouble), at::zeros({heads, heads}, at::kDouble), offset);
    const auto log_f = tensor_of(computed["log_f"]).select(1, 0), tile = tensor_of(computed["bias"]);
    return {{"gate_bias", array_of(offset)}, {"log_f", array_of(log_f)}, {"slope", array_of(-tile.select(1, 1).select(1, 0))}};
}

json fox(const ProbeInput& test) { return test.gives("T_h") ? fixed_gates(test) : plain_gates("fox", test.array("gate_logits")); }
json cable(const ProbeInput& test) { return plain_gates("cable", test.array("projection")); }

/// Weights of causal logits, [T, T] or [H, T, T], and what a row leaves.
json normalised(const ProbeInput& test, const std::string& id, const Params& params = {}) {
    const auto logits = test.array("logits");
    TileGeometry geometry;
    geometry.key_positions = at::arange(logits.size(-1), at::kDouble);
    geometry.query_positions = at::arange(logits.size(-1) - logits.size(-2), logits.size(-1), at::kDouble);
    const auto hidden = causal_cells(geometry).logical_not();
    const auto masked = logits.masked_fill(hidden, -std::numeric_limits<double>::infinity()).view({1, -1, logits.size(-2), logits.size(-1)});
    SlotShape shape;
    shape.heads = masked.size(1);
    const auto normaliser = make_entry<Normaliser>("normaliser", id, params, shape);
    if (test.gives("sinks")) set_parameter(*normaliser, "sinks", test.array("sinks"));
    const auto weights = normaliser->weights(masked, geometry).view(logits.sizes());
    return {{"weights", array_of(causal_only(weights, geometry))}, {"remainder", array_of(1 - weights.sum(-1))}};
}

json stick_breaking(const ProbeInput& test) { return normalised(test, "stick-breaking", {{"inclusive", !test.flag("strict", true)}}); }
json off_by_one(const ProbeInput& test) { return normalised(test, "off-by-one"); }
json learned_sink(const ProbeInput& test) { return normalised(test, "learned-sink"); }

/// PaTH's forget gate: FoX's sums beside the products, before the scale. [H, Tk, Tk]; undefined without gates.
at::Tensor forgotten(const ProbeInput& test) {
    if (!test.flag("forget_gate", test.gives("log_f")) || !test.gives("log_f")) return {};
    const auto log_f = test.array("log_f");
    const auto z = -at::log(at::expm1(-log_f));  // whose log-sigmoid log f is
    return tensor_of(plain_gates("fox", z.dim() == 1 ? z.unsqueeze(0) : z)["bias"]);
}

/// Directions and strengths are given, so the entry's projections and convolution are left out.
json path(const ProbeInput& test) {
    const auto with_heads = [](const at::Tensor& x) { return x.dim() == 2 ? x.view({1, 1, x.size(0), x.size(1)}) : x.unsqueeze(0); };
    const auto q = with_heads(test.array("q")), k = with_heads(test.array("k")), w = with_heads(test.array("w"));
    const auto beta = test.array("beta");
    const auto strengths = beta.view({1, -1, beta.size(-1), 1}).expand({1, w.size(1), -1, 1});
    SlotShape shape;
    shape.heads = q.size(1);
    shape.kv_heads = k.size(1);
    shape.head_width = q.size(3);
    const auto rotation = make_entry<Rotation>("rotation", "path", {{"convolution", std::int64_t{1}}}, shape);
    const auto scale = test.real("scale", 1 / std::sqrt(static_cast<double>(q.size(3))));
    auto logits = rotation->scores(q, k, at::cat({w, strengths}, -1), k.size(2) - q.size(2), scale)[0];
    if (const auto sums = forgotten(test); sums.defined()) logits = logits + scale * sums.slice(1, k.size(2) - q.size(2));
    logits = causal_only(logits, test.geometry());
    return {{"logits", array_of(test.array("q").dim() == 2 ? logits[0] : logits)}};
}

}  // namespace

const ProbeHandlers& text_biases() {
    static const ProbeHandlers all = {
        {"shaw", shaw}, {"transformer-xl", transformer_xl}, {"cope", cope},
        {"fox", fox},   {"cable", cable},                   {"stick-breaking", stick_breaking},
        {"softmax-off-by-one", off_by_one},                 {"learned-sink", learned_sink},
        {"path", path},
    };
    return all;
}

}  // namespace lw
