/// Probe group "rotary": rotated queries and keys, and their scores; position maps are in probe_positions.cpp.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace lw {

namespace {

using nlohmann::json;

/// Both sides turned, and their scores divided by √D.
json turned(const Rotation& rotation, const Frequencies& frequencies, const AttentionInputs& inputs) {
    const auto q = rotation.rotate(inputs.q, inputs.query_positions, frequencies, Side::query);  // [1, H, Tq, d']
    const auto k = rotation.rotate(inputs.k, inputs.key_positions, frequencies, Side::key);      // [1, Hkv, Tk, d']
    return {{"q_rot", first_of(q)},
            {"k_rot", first_of(k)},
            {"logits", first_of(content_scores(q, k, inputs.score_scale()))},
            {"inv_freq", array_of(at::tensor(frequencies.inverse, at::kDouble))}};
}

Frequencies plain(const ProbeInput& test, const Rotation& rotation) { return {rotation.inverse_frequencies(), test.real("attention_factor", 1)}; }

Params rope_params(const ProbeInput& test) {
    auto params = test.params_for("rotation", "rope");
    if (!test.has("rotary_dim")) return params;
    const auto turned = test.integer("rotary_dim"), width = test.integer("D");
    if (turned % 2 != 0 || turned < 2 || turned > width) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("rotary_dim is {}{}; pairs of elements are turned, at least one and at most all {} elements.", turned,
                                  turned % 2 != 0 ? " (odd)" : "", width));
    }
    params["fraction"] = static_cast<double>(turned) / static_cast<double>(width);
    return params;
}

/// The same vectors in both layouts: the interleaved ones are the half-split ones, taken in another order.
json rope_layouts(const ProbeInput& test) {
    const auto take = test.array("take").to(at::kLong);
    json computed;
    for (const std::string layout : {"half_split", "interleaved"}) {
        auto params = rope_params(test);
        params["layout"] = layout;
        const auto rope = make_entry<Rotation>("rotation", "rope", params, test.shape());
        const auto side = [&](const char* name) {
            auto x = test.array(name);
            if (layout == "interleaved") x = x.index_select(-1, take);
            return x.unsqueeze(0);
        };
        AttentionInputs inputs;
        inputs.q = side("q_half");
        inputs.k = side("k_half");
        inputs.query_positions = inputs.key_positions = test.array("positions");
        computed["logits_" + layout] = turned(*rope, plain(test, *rope), inputs)["logits"];
    }
    computed["logits"] = computed["logits_interleaved"];
    return computed;
}

json rope(const ProbeInput& test) {
    if (test.gives("take")) return rope_layouts(test);
    const auto rotation = make_entry<Rotation>("rotation", "rope", rope_params(test), test.shape());
    return turned(*rotation, plain(test, *rotation), test.attention());
}

json rotated_by(const ProbeInput& test, const std::string& id) {
    const auto rotation = make_entry<Rotation>("rotation", id, test.params_for("rotation", id), test.shape());
    return turned(*rotation, plain(test, *rotation), test.attention());
}

json count_turned(json computed, const char* key) {
    std::int64_t count = 0;
    for (const auto& theta : computed.at("inv_freq").at("data")) count += theta.get<double>() > 0 ? 1 : 0;
    computed[key] = count;
    return computed;
}

json p_rope(const ProbeInput& test) {
    auto computed = count_turned(rotated_by(test, "p-rope"), "rotated_pairs");
    test.only("rotated_pairs", computed["rotated_pairs"]);
    return computed;
}
json hope(const ProbeInput& test) { return count_turned(rotated_by(test, "hope"), "kept_pairs"); }

/// ζ from the decay per token of distance: ζ^(1/B).
json xpos(const ProbeInput& test) {
    const auto rotation = make_entry<Rotation>("rotation", "xpos", test.params_for("rotation", "xpos"), test.shape());
    auto computed = turned(*rotation, plain(test, *rotation), test.attention());
    const auto decay = at::tensor(rotation->decay(), at::kDouble);
    computed["zeta"] = array_of(decay.pow(test.real("scale_base", 512)));
    return computed;
}

/// Products are given without a scale.
json pope(const ProbeInput& test) {
    const auto rotation = make_entry<Rotation>("rotation", "pope", test.params_for("rotation", "pope"), test.shape());
    set_parameter(*rotation, "phase", test.array("phase"));
    const auto inputs = test.attention();
    auto computed = turned(*rotation, plain(test, *rotation), inputs);
    const auto unscaled = tensor_of(computed["logits"]) / inputs.score_scale();
    computed["dot_unscaled"] = array_of(unscaled);
    return computed;
}

}  // namespace

const ProbeHandlers& rotary_probes() {
    static const ProbeHandlers all = {
        {"rope", rope},
        {"p-rope", p_rope},
        {"xpos", xpos},
        {"hope", hope},
        {"pope", pope},
        {"position_map", mapped_positions},
    };
    return all;
}

}  // namespace lw
