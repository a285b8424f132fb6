/// Probe group "dape": network output, scores, weights, gradients and sizes of DAPE and DAPE v2.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

#include <cmath>
#include <limits>

namespace lw {

namespace {

using nlohmann::json;

/// Everything of one case, with the bias from our own entry.
struct Scores {
    std::shared_ptr<Bias> base;
    std::shared_ptr<Adaptive> adaptive;
    at::Tensor content;  // [1, H, Tq, Tk]
    ScoreParts parts;
    at::Tensor weights;  // [1, H, Tq, Tk]
};

std::string variant_of(const ProbeInput& test) { return test.word("variant", "concat_residual"); }

/// A case's base bias; null without one. FIRE's values come in an object of their own, with its settings.
std::shared_ptr<Bias> base_of(const ProbeInput& test, const SlotShape& shape) {
    const std::string base = test.word("base");
    if (base == "none") return nullptr;
    json values = test.gives("base_parameters") ? test.input("base_parameters") : json::object();
    // Given slopes take the place of computed ones as learned ones do.
    if (base == "alibi" && values.contains("slopes")) return bias_with(base, json{{"learned_slopes", true}}, values, shape);
    if (base != "fire") return bias_with(base, test, values, shape);
    const json fire{{"params", values.at("fire")}, {"inputs", values.at("fire")}};
    const ProbeInput input(fire, fire);
    input.only("eps", 1e-6);
    return bias_with("fire", input, fire_values(input), shape);
}

/// Both layers' weights and biases as the case names them, "W1" or "C1".
std::vector<std::string> network_values(const ProbeInput& test) {
    if (variant_of(test) == "static") return {};
    const bool convolves = test.word("method") == "dape-v2";
    std::vector<std::string> names{convolves ? "C1" : "W1", convolves ? "C2" : "W2"};
    if (test.gives("b1")) names.insert(names.end(), {"b1", "b2"});
    return names;
}

/// Null for the variant "static", which is the bias alone.
std::shared_ptr<Adaptive> adaptive_of(const ProbeInput& test, const SlotShape& shape) {
    const std::string method = test.word("method"), variant = variant_of(test);
    if (variant == "static") return nullptr;
    auto params = test.params_for("adaptive", method, {{"hidden", "D"}, {"variant", ""}});
    // Without a static bias every variant reads the content alone.
    params["variant"] = variant == "no_position" || variant == "on_rope" ? "concat_residual" : variant;
    params["linear_bias"] = test.gives("b1");
    const auto module = make_entry<Adaptive>("adaptive", method, params, shape);
    json values;
    for (const auto& name : network_values(test)) values[name] = test.input(name);
    set_values(*module, values);
    return module;
}

Scores scores_of(const ProbeInput& test, const at::Tensor& content, const TileGeometry& geometry) {
    SlotShape shape;
    shape.heads = test.integer("H");
    shape.has_bias = test.word("base") != "none";
    Scores s{base_of(test, shape), adaptive_of(test, shape), content, {}, {}};
    s.parts.content = content;
    if (s.base) s.parts.bias = s.base->tile(geometry);
    if (s.adaptive) s.parts.adaptive = s.adaptive->tile(content, s.parts.bias, geometry);
    s.parts.adds_bias = !s.adaptive || s.adaptive->adds_bias();
    s.parts.visible = geometry.key_positions.unsqueeze(0).le(geometry.query_positions.unsqueeze(1));
    s.parts.geometry = geometry;
    s.weights = weights_of({}, s.parts.masked_logit(), geometry);
    return s;
}

/// Scaled scores of rotated queries and keys, where the case gives them: they must be its S.
void add_rope_content(const ProbeInput& test, json& computed) {
    LayerScheme layer;
    SlotShape shape;
    shape.head_width = test.array("q").size(-1);
    // "base" is the static bias's name in this group.
    layer.rotation = make_entry<Rotation>("rotation", "rope", test.params_for("rotation", "rope", {{"base", "rope_base"}}), shape);
    computed["S"] = first_of(all_scores(layer, test.attention()).content);
}

/// Gradients of Σ weights · loss_weights, by the case's names.
json gradients_of(const ProbeInput& test, const Scores& s) {
    json gradients{{"S", first_of(s.content.grad())}};
    const auto grad = [](torch::nn::Module& module, const std::string& name) { return module.named_parameters()[parameter_name(name)].grad(); };
    for (const auto& name : network_values(test)) {
        gradients[name] = array_of(grad(*s.adaptive, name).view(test.array(name).sizes()));  // convolutions keep an axis of 1
    }
    if (!s.base) return gradients;
    const bool network = test.word("base") == "fire";
    for (const auto& parameter : s.base->named_parameters()) gradients[parameter.key()] = array_of(parameter->grad());
    for (const char* name : {"W1", "b1", "W2", "b2"}) {
        if (!network) break;
        gradients[std::string("fire_") + name] = gradients[parameter_name(name)];
        gradients.erase(parameter_name(name));
    }
    return gradients;
}

json scores(const ProbeInput& test) {
    const auto geometry = test.geometry();
    const bool asks_gradients = test.gives("loss_weights");
    const at::AutoGradMode gradients(asks_gradients);
    const auto s = scores_of(test, test.array("S").unsqueeze(0).requires_grad_(asks_gradients), geometry);
    json computed{{"logits", first_of(s.parts.masked_logit())}, {"softmax", first_of(causal_only(s.weights, geometry))}};
    if (s.adaptive) computed["f"] = first_of(causal_only(s.parts.adaptive, geometry));
    if (s.base && test.gives("B")) computed["B"] = array_of(s.parts.bias);
    if (test.gives("q")) add_rope_content(test, computed);
    if (!asks_gradients) return computed;
    const auto loss = (s.weights * test.array("loss_weights")).masked_fill(s.parts.visible.logical_not(), 0).sum();
    loss.backward();
    computed["loss"] = loss.item<double>();
    computed["gradients"] = gradients_of(test, s);
    return computed;
}

/// The bound of a layer's uniform initial values by its fan-in; null unless the values drawn keep to it and come near it.
json initial_bound(const torch::nn::Module& module, const std::string& layer) {
    const auto weight = module.named_parameters()[layer + ".weight"];
    const double bound = 1 / std::sqrt(static_cast<double>(weight.numel() / weight.size(0)));
    const double largest = weight.abs().max().item<double>();
    return largest <= bound * (1 + 1e-6) && largest > bound / 2 ? json(bound) : json();
}

/// Numbers of parameters and initial bounds, from (H, D, k) triples.
json sizes(const ProbeInput& test) {
    json computed;
    for (const auto& triple : test.input("H_D_k")) {
        SlotShape shape;
        shape.heads = triple.at(0).get<std::int64_t>();
        const auto kernel = triple.at(2).get<std::int64_t>();
        Params params{{"hidden", triple.at(1).get<std::int64_t>()}};
        if (kernel > 1) params["kernel"] = kernel;
        for (const bool has_bias : {true, false}) {
            shape.has_bias = has_bias;
            const auto module = make_entry<Adaptive>("adaptive", kernel > 1 ? "dape-v2" : "dape", params, shape);
            std::int64_t count = 0;
            for (const auto& parameter : module->parameters()) count += parameter.numel();
            computed[has_bias ? "with_bias" : "base_none"].push_back(count);
            if (!has_bias) continue;
            computed["init_bound_first"].push_back(initial_bound(*module, "first"));
            computed["init_bound_second"].push_back(initial_bound(*module, "second"));
        }
    }
    return computed;
}

/// The same for queries that stand behind all keys: no cell is above the diagonal, so nothing is set to 0 before the convolutions.
at::Tensor without_triangle(const Scores& s, const at::Tensor& content) {
    TileGeometry geometry = s.parts.geometry;
    geometry.query_positions = geometry.query_positions + geometry.key_positions.max() + 1;
    return s.adaptive->tile(content, s.parts.bias, geometry);
}

/// Largest change of visible cells when the scores of hidden ones change: with the triangle that hides them from f, and without it.
json leak(const ProbeInput& test) {
    const auto source = test.other(test.word("same_as"));
    if (source.has("kernel")) test.only("kernel", source.params().at("kernel"));
    const auto geometry = source.geometry();
    const auto content = source.array("S").unsqueeze(0);
    const auto hidden = geometry.key_positions.unsqueeze(0).gt(geometry.query_positions.unsqueeze(1));
    const auto changed = content + hidden.to(at::kDouble) * test.real("added_above_diagonal");
    const auto before = scores_of(source, content, geometry), after = scores_of(source, changed, geometry);
    const auto change = [&](const at::Tensor& a, const at::Tensor& b) { return (a - b).masked_fill(hidden, 0).abs().max().item<double>(); };
    const auto leaking = without_triangle(before, changed);
    return {{"max_change", change(after.parts.adaptive, before.parts.adaptive)},
            {"max_change_without_tril_vs_f_with_tril", change(leaking, before.parts.adaptive)},
            {"max_change_without_tril_vs_without_tril_original_S", change(leaking, without_triangle(before, content))}};
}

json dape(const ProbeInput& test) {
    if (test.has("same_as")) return leak(test);
    return test.gives("H_D_k") ? sizes(test) : scores(test);
}

}  // namespace

const ProbeHandlers& dape_probes() {
    static const ProbeHandlers all = {
        {"dape", dape},
        {"dape-v2", dape},
    };
    return all;
}

}  // namespace lw
