/// Probe group "distance_maps": mapped distances, what is visible, and the scores at them.

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

using Names = std::map<std::string, std::string>;

/// Queries 0 .. n - 1 (or the named rows) over keys 0 .. n - 1.
TileGeometry rows_of(const ProbeInput& test) {
    auto geometry = test.geometry();
    if (test.gives("rows")) geometry.query_positions = test.array("rows");
    return geometry;
}

/// The queries of the named rows, where all are given.
AttentionInputs chosen_rows(const ProbeInput& test, AttentionInputs inputs) {
    if (!test.gives("rows")) return inputs;
    inputs.query_positions = test.array("rows");
    if (inputs.q.size(2) != inputs.query_positions.numel()) inputs.q = inputs.q.index_select(2, inputs.query_positions.to(at::kLong));
    return inputs;
}

/// The layer with RoPE at mapped distances; only visible cells are given.
json mapped(const ProbeInput& test, const std::shared_ptr<DistanceMap>& map, const std::shared_ptr<Visibility>& visibility = nullptr) {
    const auto geometry = rows_of(test);
    const auto hidden = (visibility ? visibility->visible(geometry) : causal_cells(geometry)).logical_not();
    const auto distance = map ? map->distance(geometry) : position_differences(geometry);
    json computed{{"distance", array_of(distance.masked_fill(hidden, std::numeric_limits<double>::quiet_NaN()))}};
    if (!test.gives("q")) return computed;
    LayerScheme layer;
    layer.rotation = make_entry<Rotation>("rotation", "rope", test.params_for("rotation", "rope"), test.shape());
    layer.distance = map;
    layer.visibility = visibility;
    auto logits = all_scores(layer, chosen_rows(test, test.attention())).masked_logit()[0];
    if (test.array("q").dim() == 2) logits = logits[0];
    computed["logits"] = array_of(logits);
    return computed;
}

json by_entry(const ProbeInput& test, const Names& names) {
    const auto id = test.word("method");
    return mapped(test, make_entry<DistanceMap>("distance", id, test.params_for("distance", id, names), test.shape()));
}

json identity(const ProbeInput& test) { return mapped(test, nullptr); }
json rerope(const ProbeInput& test) { return by_entry(test, {{"window", "w"}}); }
json leaky_rerope(const ProbeInput& test) { return by_entry(test, {{"window", "w"}, {"factor", "k"}}); }
json string_map(const ProbeInput& test) { return by_entry(test, {{"shift", "S"}, {"window", "W"}}); }

/// The longest text whose farthest distance stays below L, by doubling and halving.
std::int64_t longest_served(const DistanceMap& map, std::int64_t trained) {
    const auto serves = [&](std::int64_t length) {
        TileGeometry geometry;
        geometry.query_positions = at::full({1}, static_cast<double>(length - 1), at::kDouble);
        geometry.key_positions = at::zeros({1}, at::kDouble);
        return map.distance(geometry).item<double>() < static_cast<double>(trained);
    };
    std::int64_t low = 1, high = 2;
    while (serves(high)) low = high, high *= 2;
    while (high - low > 1) {
        const auto middle = low + (high - low) / 2;
        (serves(middle) ? low : high) = middle;
    }
    return low;
}

json self_extend(const ProbeInput& test) {
    if (!test.gives("L_G_W")) return by_entry(test, {{"group", "G"}, {"window", "W"}});
    json lengths = json::array();
    for (const auto& triple : test.input("L_G_W")) {
        const auto trained = triple.at(0).get<std::int64_t>();
        const Params params{{"group", triple.at(1).get<std::int64_t>()}, {"window", triple.at(2).get<std::int64_t>()}};
        SlotShape shape;
        shape.train_length = trained;
        lengths.push_back(longest_served(*make_entry<DistanceMap>("distance", "self-extend", params, shape), trained));
    }
    return {{"max_length", lengths}};
}

/// The entry takes chunk and window as shares of L, and only their lengths matter: L is the given one, or another that suits its bounds.
std::shared_ptr<DistanceMap> dual_chunk(const ProbeInput& test) {
    const auto chunk = test.real("chunk_size"), local = test.real("local_window");
    SlotShape shape = test.shape();
    if (!test.has("L")) shape.train_length = std::llround(chunk / 0.75);
    const auto trained = static_cast<double>(shape.train_length);
    return make_entry<DistanceMap>("distance", "dca", {{"chunk", chunk / trained}, {"local", local / trained}, {"mscale", false}}, shape);
}

json dca(const ProbeInput& test) {
    if (!test.gives("length")) return mapped(test, dual_chunk(test));
    const auto map = make_entry<DistanceMap>("distance", "dca", {}, test.shape());
    json factors = json::array();
    for (const double length : test.numbers("length")) {
        factors.push_back(map->adjusted({{1.0}, 1}, static_cast<std::int64_t>(length), test.integer("L")).attention_factor);
    }
    return {{"mscale", factors}};
}

json lm_infinite(const ProbeInput& test) {
    const Params sizes{{"global", test.integer("n_global")}, {"local", test.integer("n_local")}};
    const auto map = make_entry<DistanceMap>("distance", "lm-infinite", test.params_for("distance", "lm-infinite"), test.shape());
    return mapped(test, map, make_entry<Visibility>("visibility", "lambda", sizes, test.shape()));
}

/// ALiBi with one head, whose slope 2^-8 is multiplied to the given one, at clipped distances.
json lm_infinite_alibi(const ProbeInput& test) {
    const auto map = make_entry<DistanceMap>("distance", "lm-infinite", test.params_for("distance", "lm-infinite"), test.shape());
    SlotShape shape;
    shape.heads = 1;
    const auto alibi = make_entry<Bias>("bias", "alibi", {{"max_bias", 8.0}, {"slope_multiplier", 256 * test.real("slope")}}, shape);
    TileGeometry geometry;
    geometry.query_positions = test.array("delta");  // the key at 0: places are distances
    geometry.key_positions = at::zeros({1}, at::kDouble);
    return {{"bias", array_of(alibi->by_distance(map->distance(geometry).reshape({-1}), geometry)[0])}};
}

/// In the cache keys stand at 0, 1, ...: the query stands as far after the first of them as the map says.
json streaming(const ProbeInput& test) {
    const Names names{{"includes_query", "recent_includes_query"}};
    const auto map = make_entry<DistanceMap>("distance", "streaming", test.params_for("distance", "streaming", names), test.shape());
    const auto visibility = make_entry<Visibility>("visibility", "sinks", test.params_for("visibility", "sinks", names), test.shape());
    const auto geometry = rows_of(test);
    const auto visible = visibility->visible(geometry), f = map->distance(geometry);
    const auto whole = [](const at::Tensor& x) {
        const auto values = x.to(at::kLong).contiguous();
        return std::vector<std::int64_t>(values.const_data_ptr<std::int64_t>(), values.const_data_ptr<std::int64_t>() + values.numel());
    };
    json computed;
    for (std::int64_t row = 0; row < f.size(0); ++row) {
        const auto keys = at::nonzero(visible[row]).squeeze(1), distances = f[row].index_select(0, keys);
        const auto query = distances[0].item<double>();
        computed["visible"].push_back(whole(keys));
        computed["distance"].push_back(whole(distances));
        computed["key_position"].push_back(whole(query - distances));
        computed["query_position"].push_back(query);
    }
    return computed;
}

/// A distance of 1 shows each head's ratio.
json ms_poe(const ProbeInput& test) {
    json ratios = json::array();
    for (const double heads : test.numbers("H")) {
        SlotShape shape;
        shape.heads = static_cast<std::int64_t>(heads);
        const Params params{{"smallest", test.real("r_min")}, {"largest", test.real("r_max")}};
        TileGeometry geometry;
        geometry.query_positions = at::ones({1}, at::kDouble);
        geometry.key_positions = at::zeros({1}, at::kDouble);
        ratios.push_back(array_of(1 / make_entry<DistanceMap>("distance", "ms-poe", params, shape)->distance(geometry).reshape({-1})).at("data"));
    }
    return {{"ratios", ratios}};
}

json visibility(const ProbeInput& test) {
    const auto id = test.word("method");
    const auto pattern = make_entry<Visibility>("visibility", id, test.params_for("visibility", id), test.shape());
    return {{"visible", array_of(pattern->visible(rows_of(test)).to(at::kDouble))}};
}

}  // namespace

const ProbeHandlers& distance_maps_probes() {
    static const ProbeHandlers all = {
        {"identity", identity},
        {"rerope", rerope},
        {"leaky-rerope", leaky_rerope},
        {"self-extend", self_extend},
        {"dca", dca},
        {"string", string_map},
        {"lm-infinite", lm_infinite},
        {"lm-infinite-alibi", lm_infinite_alibi},
        {"streaming", streaming},
        {"ms-poe", ms_poe},
        {"blockwise", visibility},
        {"window", visibility},
        {"causal", visibility},
        {"full", visibility},
    };
    return all;
}

}  // namespace lw
