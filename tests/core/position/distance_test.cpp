/// Distance maps: independent numbers, the slow oracle, and what each map claims.
#include "tests/core/position/claims.h"
#include "tests/core/position/golden.h"
#include "tests/core/position/oracle.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

/// Rows of the file, null as NaN, [rows, n].
at::Tensor matrix(const json& rows) {
    std::vector<at::Tensor> all;
    for (const auto& row : rows) all.push_back(tensor(row));
    return at::stack(all);
}

std::shared_ptr<DistanceMap> map_of(const std::string& id, const Params& params, std::int64_t train_length = 16, std::int64_t heads = 4) {
    SlotShape shape = probe_shape();
    shape.train_length = train_length;
    shape.heads = heads;
    return made<DistanceMap>("distance", id, params, shape);
}

std::int64_t whole(const json& p, const char* id) { return p.at(id).get<std::int64_t>(); }

/// How the file names each method's parameters.
std::shared_ptr<DistanceMap> map_from(const json& p) {
    const std::map<std::string, std::function<Params()>> names{
        {"rerope", [&] { return Params{{"window", whole(p, "w")}}; }},
        {"leaky-rerope", [&] { return Params{{"window", whole(p, "w")}, {"factor", p.at("k").get<double>()}}; }},
        {"self-extend", [&] { return Params{{"group", whole(p, "G")}, {"window", whole(p, "W")}}; }},
        {"dca", [&] { return Params{{"chunk", static_cast<double>(whole(p, "chunk_size")) / static_cast<double>(whole(p, "L"))},
                                    {"local", static_cast<double>(whole(p, "local_window")) / static_cast<double>(whole(p, "L"))}}; }},
        {"string", [&] { return Params{{"shift", whole(p, "S")}, {"window", whole(p, "W")}}; }},
        {"lm-infinite", [&] { return Params{{"ceiling", whole(p, "ceiling")}}; }}};
    const std::string method = p.at("method");
    return map_of(method, names.at(method)(), p.value("L", std::int64_t{16}));
}

/// Rows of the case: all of them, or the named ones, one by one.
TileGeometry rows_of(const json& test) {
    const auto n = whole(test["inputs"], "n");
    if (!test["inputs"].contains("rows")) return geometry_of(0, n, n);
    REQUIRE(test["inputs"]["rows"].size() == 1);
    return geometry_of(test["inputs"]["rows"][0].get<std::int64_t>(), 1, n);
}

void check_logits(const json& test, const DistanceMap& map, const TileGeometry& geometry) {
    const auto q = tensor(test["inputs"]["q"]).unsqueeze(0), k = tensor(test["inputs"]["k"]).unsqueeze(0);  // [1, n, D]
    check_close(test, oracle::branched_scores(map, q, k, geometry)[0], test["expect"]["logits"]);
    check_close(test, oracle::scores(map.distance(geometry), q, k)[0], test["expect"]["logits"]);
}

bool map_case(const json& test) {
    const auto map = map_from(test["params"]);
    const auto geometry = rows_of(test);
    const auto want = matrix(test["expect"]["distance"]);
    const auto got = map->distance(geometry);
    CHECK(largest_difference(got.masked_fill(want.isnan(), 0), want.nan_to_num()) < 1e-12);
    if (test["inputs"].contains("q")) check_logits(test, *map, geometry);
    return true;
}

bool identity_case(const json& test) {
    const auto q = tensor(test["inputs"]["q"]).unsqueeze(0), k = tensor(test["inputs"]["k"]).unsqueeze(0);
    const auto plain = matrix(test["expect"]["distance"]).nan_to_num();
    check_close(test, oracle::scores(plain, q, k)[0], test["expect"]["logits"]);
    return true;
}

/// (L - W) G + W tokens are the most for which every mapped distance stays below L.
bool self_extend_case(const json& test) {
    if (!test["expect"].contains("max_length")) return map_case(test);
    const auto& rows = test["inputs"]["L_G_W"];
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const std::int64_t length = rows[n][0], longest = test["expect"]["max_length"][n];
        const auto map = map_of("self-extend", {{"group", rows[n][1].get<std::int64_t>()}, {"window", rows[n][2].get<std::int64_t>()}}, length);
        const auto farthest = [&](std::int64_t row) { return map->distance(geometry_of(row, 1, row + 1))[0][0].item<double>(); };
        CHECK(farthest(longest - 1) == static_cast<double>(length - 1));
        CHECK(farthest(longest) == static_cast<double>(length));
    }
    return true;
}

bool dca_case(const json& test) {
    if (!test["expect"].contains("mscale")) return map_case(test);
    const auto train_length = whole(test["params"], "L");
    const auto map = map_of("dca", {}, train_length), plain = map_of("dca", {{"mscale", false}}, train_length);
    const auto& lengths = test["inputs"]["length"];
    for (std::size_t n = 0; n < lengths.size(); ++n) {
        const Frequencies before{{1.0, 0.1}, 1.5};
        const auto after = map->adjusted(before, lengths[n].get<std::int64_t>(), train_length);
        check_close(test, after.attention_factor / 1.5, test["expect"]["mscale"][n].get<double>());
        CHECK(after.inverse == before.inverse);
        CHECK(plain->adjusted(before, lengths[n].get<std::int64_t>(), train_length).attention_factor == 1.5);
    }
    return true;
}

/// The file hides what the Λ mask hides.
bool lm_infinite_case(const json& test) {
    const auto& p = test["params"];
    const auto mask = made<Visibility>("visibility", "lambda", {{"global", whole(p, "n_global")}, {"local", whole(p, "n_local")}});
    CHECK(at::equal(mask->visible(rows_of(test)), matrix(test["expect"]["distance"]).isnan().logical_not()));
    return map_case(test);
}

/// ALiBi whose first of four heads has the slope 1/4, at the clipped distances.
bool clipped_alibi_case(const json& test) {
    SlotShape shape;
    shape.heads = 4;
    const auto alibi = made<Bias>("bias", "alibi", {}, shape);
    const auto map = map_of("lm-infinite", {{"ceiling", whole(test["params"], "ceiling")}});
    const auto n = tensor(test["inputs"]["delta"]).numel();
    const auto f = map->distance(geometry_of(n - 1, 1, n))[0].flip(0);  // δ = 0, 1, ..
    check_close(test, alibi->by_distance(f, geometry_of(n - 1, 1, n))[0], test["expect"]["bias"]);
    return true;
}

bool streaming_case(const json& test) {
    const auto& p = test["params"];
    const auto& expect = test["expect"];
    const Params params{{"sinks", whole(p, "sinks")}, {"recent", whole(p, "recent")}, {"includes_query", p["recent_includes_query"].get<bool>()}};
    const auto map = map_of("streaming", params);
    const auto mask = made<Visibility>("visibility", "sinks", params);
    const auto n = whole(test["inputs"], "n");
    const auto visible = mask->visible(geometry_of(0, n, n));
    const auto f = map->distance(geometry_of(0, n, n));
    for (std::int64_t i = 0; i < n; ++i) {
        const auto row = static_cast<std::size_t>(i);
        const auto keys = at::nonzero(visible[i]).squeeze(1);
        CHECK(at::equal(keys.to(at::kDouble), tensor(expect["visible"][row])));
        CHECK(at::equal(f[i].index_select(0, keys), tensor(expect["distance"][row])));
        // In the cache keys stand at 0, 1, ..: the query's place minus the distances.
        CHECK(at::equal(expect["query_position"][row].get<double>() - f[i].index_select(0, keys), tensor(expect["key_position"][row])));
    }
    return true;
}

bool ms_poe_case(const json& test) {
    const auto& heads = test["inputs"]["H"];
    for (std::size_t n = 0; n < heads.size(); ++n) {
        const auto map = map_of("ms-poe", {{"smallest", test["params"]["r_min"].get<double>()}, {"largest", test["params"]["r_max"].get<double>()}}, 16,
                                heads[n].get<std::int64_t>());
        const auto f = map->distance(geometry_of(7, 1, 1)).view({-1});  // δ = 7 in every head
        check_close(test, 7 / f, test["expect"]["ratios"][n]);
    }
    return true;
}

bool visibility_case(const json& test) {
    const auto& p = test["params"];
    const std::string method = p["method"];
    const auto mask = made<Visibility>("visibility", method, {{method == "window" ? "window" : "block", whole(p, method == "window" ? "window" : "block")}});
    const auto n = whole(test["inputs"], "n");
    CHECK(at::equal(mask->visible(geometry_of(0, n, n)).to(at::kDouble), matrix(test["expect"]["visible"])));
    return true;
}

at::Tensor visible_cells(const TileGeometry& g) { return g.key_positions.unsqueeze(0).le(g.query_positions.unsqueeze(1)); }

std::vector<TileGeometry> blocks() {
    TileGeometry inner = geometry_of(0, 50, 50), sparse = inner;
    inner.query_positions = positions_from(30, 9);
    inner.key_positions = positions_from(3, 31);
    sparse.query_positions = at::tensor({3.0, 20.0, 49.0}, at::kDouble);
    sparse.key_positions = at::tensor({0.0, 2.0, 7.0, 31.0, 44.0}, at::kDouble);
    return {geometry_of(0, 24, 24), geometry_of(33, 7, 40), geometry_of(90, 1, 91), inner, sparse};
}

}  // namespace

namespace claim_checks {

void equals_oracle(Probe& probe) {
    const auto& shape = probe.shape();
    for (const auto& g : blocks()) {
        const auto q = probe_vectors(g.query_positions, shape.heads, shape.head_width)[0], k = probe_vectors(g.key_positions, shape.heads, shape.head_width, 2)[0];
        const auto visible = visible_cells(g), f = probe.distance()->distance(g);
        const auto difference = oracle::branched_distance(*probe.distance(), g) - f;                      // [r, c] or [H, r, c]
        CHECK(difference.masked_fill(visible.logical_not(), 0).abs().max().item<double>() < 1e-9);
        const double factor = probe.distance()->adjusted({{1.0}, 1}, g.length, g.train_length).attention_factor;
        const auto slow = oracle::scores(f, q, k) * (factor * factor), fast = oracle::branched_scores(*probe.distance(), q, k, g);
        CHECK((slow - fast).masked_fill(visible.logical_not(), 0).abs().max().item<double>() < 1e-9);
    }
}

void identity_inside_window(Probe& probe) {
    const auto g = geometry_of(0, 100, 100);
    const auto f = probe.run(g), plain = g.query_positions.unsqueeze(1) - g.key_positions.unsqueeze(0);
    const auto near = plain.le(static_cast<double>(probe.shape().train_length / 8)).logical_and(plain.ge(0));
    CHECK(at::equal(f.masked_select(near), plain.masked_select(near)));
    CHECK_FALSE(at::equal(masked(f, g), masked(plain, g)));
}

void stays_trained(Probe& probe) {
    const auto length = 40 * probe.shape().train_length;
    const auto g = geometry_of(0, length, length);
    const auto f = masked(probe.run(g), g);
    CHECK(f.max().item<double>() < static_cast<double>(probe.shape().train_length));
    CHECK(f.min().item<double>() >= 0);
}

}  // namespace claim_checks

TEST_CASE("distance maps and visibilities give the independent numbers", "[encoding][golden]") {
    golden::run_group("distance_maps",
                      {{"identity", identity_case},
                       {"rerope", map_case},
                       {"leaky-rerope", map_case},
                       {"self-extend", self_extend_case},
                       {"dca", dca_case},
                       {"string", map_case},
                       {"lm-infinite", lm_infinite_case},
                       {"lm-infinite-alibi", clipped_alibi_case},
                       {"streaming", streaming_case},
                       {"ms-poe", ms_poe_case},
                       {"blockwise", visibility_case},
                       {"window", visibility_case}},
                      26);
}

TEST_CASE("distance maps whose setting changes nothing are plain distances", "[encoding]") {
    const auto g = geometry_of(0, 60, 60);
    const auto plain = g.query_positions.unsqueeze(1) - g.key_positions.unsqueeze(0);
    const std::int64_t far = 100;
    const std::vector<std::pair<std::string, Params>> settings{{"rerope", {{"window", far}}},
                                                               {"leaky-rerope", {{"factor", 1.0}}},
                                                               {"self-extend", {{"group", std::int64_t{1}}}},
                                                               {"string", {{"shift", std::int64_t{9}}, {"window", std::int64_t{9}}}},
                                                               {"string", {{"shift", std::int64_t{9}}, {"window", far}}},
                                                               {"lm-infinite", {{"ceiling", far}}},
                                                               {"streaming", {{"recent", far}}},
                                                               {"ms-poe", {{"smallest", 1.0}, {"largest", 1.0}}}};
    for (const auto& [id, params] : settings) {
        INFO(id);
        const auto f = map_of(id, params)->distance(g);
        CHECK(largest_difference(masked(f.dim() == 3 ? f[2] : f, g), masked(plain, g)) < 1e-12);
    }
}

TEST_CASE("0 in a window stands for a share of the training length", "[encoding]") {
    const auto row = geometry_of(999, 1, 1000, 64);
    const auto farthest = [&](const std::string& id) { return map_of(id, {}, 64)->distance(row)[0][0].item<double>(); };
    CHECK(farthest("rerope") == 16);
    CHECK(farthest("leaky-rerope") == 8 + (999 - 8) / 16.0);
    CHECK(farthest("self-extend") == 249 + 16 - 4);
    CHECK(farthest("string") == 999 - 21 + 10);
    CHECK(farthest("lm-infinite") == 64);
    CHECK(farthest("streaming") == 63);
    CHECK(farthest("dca") == 48);
}

TEST_CASE("Self-Extend without a window groups every key, and says how many tokens it serves", "[encoding]") {
    const auto g = geometry_of(0, 7, 7);
    const auto f = map_of("self-extend", {{"group", std::int64_t{3}}, {"window", std::int64_t{-1}}})->distance(g);
    CHECK(at::equal(masked(f, g), masked(at::floor(g.query_positions / 3).unsqueeze(1) - at::floor(g.key_positions / 3).unsqueeze(0), g)));
    const auto& entry = find_entry("distance", "self-extend");
    ModelShape shape;
    shape.train_length = 2048;
    CHECK(entry.values(complete("distance", "self-extend", {{"group", std::int64_t{4}}, {"window", std::int64_t{512}}}), shape) == "W = 512, serves 6,656 tokens");
}

TEST_CASE("Dual Chunk Attention refuses a local window as long as a chunk", "[encoding]") {
    const Params params{{"chunk", 0.5}, {"local", 0.5}};
    CHECK_THROWS_WITH(complete("distance", "dca", params), Catch::Contains("local") && Catch::Contains("0.5"));
}

TEST_CASE("STRING's offered factor sharpens cos and sin at every length", "[encoding]") {
    const Frequencies before{{1.0}, 2};
    CHECK(map_of("string", {})->adjusted(before, 99, 16).attention_factor == 2);
    CHECK(map_of("string", {{"sharpen", true}})->adjusted(before, 9, 16).attention_factor == Approx(2 * (0.1 * std::log(2.0) + 1)).epsilon(1e-15));
}

}  // namespace lw
