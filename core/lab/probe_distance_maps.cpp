/// Probe group "distance_maps": mapped distances, what is visible, and the scores at them.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"
#include "core/position/cells.h"
#include "core/position/distance/self_extend.h"

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
json rerope(const ProbeInput& test) {
    test.not_below("w", 1);
    return by_entry(test, {{"window", "w"}});
}
json leaky_rerope(const ProbeInput& test) {
    test.not_below("w", 1);
    return by_entry(test, {{"window", "w"}, {"factor", "k"}});
}
json string_map(const ProbeInput& test) {
    test.not_below("S", 1);
    test.not_below("W", 1);
    const auto shift = test.integer("S"), window = test.integer("W");
    if (window > shift) throw Failure(ErrorKind::invalid_argument, fmt::format("W is {}; it must not be larger than S, which is {}.", window, shift));
    return by_entry(test, {{"shift", "S"}, {"window", "W"}});
}

json self_extend(const ProbeInput& test) {
    if (!test.gives("L_G_W")) {
        // No window is -1 there; its 0 is a quarter of L.
        test.not_below("W", 0);
        const auto window = test.integer("W");
        const Params params{{"group", test.integer("G")}, {"window", window == 0 ? std::int64_t{-1} : window}};
        return mapped(test, make_entry<DistanceMap>("distance", "self-extend", params, test.shape()));
    }
    json lengths = json::array();
    for (const auto& triple : test.input("L_G_W")) {
        lengths.push_back(tokens_served(triple.at(0).get<std::int64_t>(), triple.at(1).get<std::int64_t>(), triple.at(2).get<std::int64_t>()));
    }
    return {{"max_length", lengths}};
}

/// The entry takes chunk and window as shares of L, and only their lengths matter: L is one that suits its bounds.
std::shared_ptr<DistanceMap> dual_chunk(const ProbeInput& test) {
    const auto chunk = test.real("chunk_size"), local = test.real("local_window");
    SlotShape shape = test.shape();  // reads the case's own L, which changes no distance
    shape.train_length = std::llround(std::max(std::ceil(chunk / 0.9), std::ceil(std::min(local, chunk) / 0.7)));
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

json cells_of(const Visibility& pattern, const ProbeInput& test) { return array_of(pattern.visible(rows_of(test)).to(at::kDouble)); }

json lm_infinite(const ProbeInput& test) {
    test.not_below("ceiling", 1);
    test.not_below("n_local", 1);
    const Params sizes{{"global", test.integer("n_global")}, {"local", test.integer("n_local")}};
    const auto map = make_entry<DistanceMap>("distance", "lm-infinite", test.params_for("distance", "lm-infinite"), test.shape());
    const auto visibility = make_entry<Visibility>("visibility", "lambda", sizes, test.shape());
    auto computed = mapped(test, map, visibility);
    computed["visible"] = cells_of(*visibility, test);
    return computed;
}

/// ALiBi with one head at clipped distances.
json lm_infinite_alibi(const ProbeInput& test) {
    test.not_below("ceiling", 1);
    const auto map = make_entry<DistanceMap>("distance", "lm-infinite", test.params_for("distance", "lm-infinite"), test.shape());
    const auto alibi = alibi_of_slope(test.real("slope"));
    TileGeometry geometry;
    geometry.query_positions = test.array("delta");  // the key at 0: places are distances
    geometry.key_positions = at::zeros({1}, at::kDouble);
    return {{"bias", array_of(alibi->by_distance(map->distance(geometry).reshape({-1}), geometry)[0])}};
}

/// Sizes of StreamingLLM's cache. No recent keys are -1 there; its 0 fills the training length.
Params cache_of(const ProbeInput& test, const std::string& slot, const std::string& id) {
    auto params = test.params_for(slot, id, {{"includes_query", "recent_includes_query"}});
    test.not_below("recent", test.flag("recent_includes_query", false) ? 1 : 0);
    if (test.has("recent") && test.integer("recent") == 0) params["recent"] = std::int64_t{-1};
    return params;
}

/// In the cache keys stand at 0, 1, ...: the query stands as far after the first of them as the map says.
json streaming(const ProbeInput& test) {
    const auto map = make_entry<DistanceMap>("distance", "streaming", cache_of(test, "distance", "streaming"), test.shape());
    const auto visibility = make_entry<Visibility>("visibility", "sinks", cache_of(test, "visibility", "sinks"), test.shape());
    const auto geometry = rows_of(test);
    const auto visible = visibility->visible(geometry), f = map->distance(geometry);
    const auto whole = [](const at::Tensor& x) {
        const auto values = x.to(at::kLong).contiguous();
        return std::vector<std::int64_t>(values.const_data_ptr<std::int64_t>(), values.const_data_ptr<std::int64_t>() + values.numel());
    };
    json computed;
    if (test.gives("q")) computed["logits"] = mapped(test, map, visibility)["logits"];
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
json ratios_of(const DistanceMap& map) {
    TileGeometry geometry;
    geometry.query_positions = at::ones({1}, at::kDouble);
    geometry.key_positions = at::zeros({1}, at::kDouble);
    return array_of(1 / map.distance(geometry).reshape({-1})).at("data");
}

/// Ratios for several numbers of heads, or everything for one.
json ms_poe(const ProbeInput& test) {
    const auto map_of = [&](const SlotShape& shape) {
        return make_entry<DistanceMap>("distance", "ms-poe", {{"smallest", test.real("r_min")}, {"largest", test.real("r_max")}}, shape);
    };
    if (!test.gives("H")) {
        const auto map = map_of(test.shape());
        json computed{{"ratios", ratios_of(*map)}};
        if (test.gives("q") || test.gives("n")) computed.update(mapped(test, map));
        return computed;
    }
    json ratios = json::array();
    for (const double heads : test.numbers("H")) {
        SlotShape shape;
        shape.heads = static_cast<std::int64_t>(heads);
        ratios.push_back(ratios_of(*map_of(shape)));
    }
    return {{"ratios", ratios}};
}

json visibility(const ProbeInput& test, const Names& names = {}) {
    const auto id = test.word("method");
    return {{"visible", cells_of(*make_entry<Visibility>("visibility", id, test.params_for("visibility", id, names), test.shape()), test)}};
}
json pattern(const ProbeInput& test) { return visibility(test); }
json window(const ProbeInput& test) {
    test.not_below("window", 1);
    return visibility(test);
}
json blockwise(const ProbeInput& test) {
    test.not_below("block", 1);
    return visibility(test);
}
json lambda_mask(const ProbeInput& test) {
    test.not_below("n_local", 1);
    return visibility(test, {{"global", "n_global"}, {"local", "n_local"}});
}
json sinks(const ProbeInput& test) {
    return {{"visible", cells_of(*make_entry<Visibility>("visibility", "sinks", cache_of(test, "visibility", "sinks"), test.shape()), test)}};
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
        {"blockwise", blockwise},
        {"window", window},
        {"lambda", lambda_mask},
        {"sinks", sinks},
        {"causal", pattern},
        {"full", pattern},
    };
    return all;
}

}  // namespace lw
