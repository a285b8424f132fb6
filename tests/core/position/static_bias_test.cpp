/// Conventions and limits of static biases, and mistakes that other programs made with them.
#include "core/position/distance_bias.h"
#include "tests/core/position/made.h"

namespace lw {

namespace {

std::shared_ptr<Bias> alibi(const Params& params, std::int64_t heads = 4, std::int64_t head_width = 16) {
    SlotShape shape;
    shape.heads = heads;
    shape.head_width = head_width;
    return made<Bias>("bias", "alibi", params, shape);
}

/// Buckets of an encoder's T5 bias at i - j.
std::vector<std::int64_t> encoder_buckets(const std::vector<double>& differences, const Params& more = {}) {
    Params params{{"multiplier", std::string("one")}, {"bidirectional", true}};
    params.insert(more.begin(), more.end());
    SlotShape shape;
    shape.heads = 1;
    const auto bias = made<Bias>("bias", "t5", params, shape);
    set(*bias, "table", at::arange(bias->named_parameters()["table"].size(0), at::kDouble));
    TileGeometry geometry = geometry_of(0, 1, 1);
    geometry.key_positions = -at::tensor(differences, at::kDouble);
    const auto values = bias->tile(geometry).flatten().to(at::kLong);
    return {values.const_data_ptr<std::int64_t>(), values.const_data_ptr<std::int64_t>() + values.numel()};
}

}  // namespace

TEST_CASE("ALiBi's conventions agree on what a causal model sees, but for the half step", "[encoding]") {
    const auto geometry = geometry_of(0, 12, 12);
    const auto causal = alibi({})->tile(geometry), symmetric = alibi({{"convention", std::string("symmetric")}})->tile(geometry),
               deepmind = alibi({{"convention", std::string("deepmind")}})->tile(geometry);
    CHECK(at::equal(masked(causal, geometry), masked(symmetric, geometry)));
    CHECK(at::equal(symmetric, symmetric.transpose(1, 2)));
    const auto slopes = -causal.select(1, 1).select(1, 0).view({-1, 1, 1});
    const auto past = geometry.key_positions.unsqueeze(0).lt(geometry.query_positions.unsqueeze(1)).to(at::kDouble);
    CHECK(largest_difference(deepmind, symmetric + 0.5 * slopes * past) < 1e-12);
    CHECK(causal.triu(0).abs().max().item<double>() == 0);
}

TEST_CASE("ALiBi as in Falcon is divided by the root of the head width, as in BiPE multiplied", "[encoding]") {
    const auto geometry = geometry_of(3, 5, 8);
    const auto plain = alibi({})->tile(geometry);
    CHECK(largest_difference(alibi({{"scale", std::string("inverse_sqrt_d")}})->tile(geometry), plain / 4) < 1e-12);
    CHECK(largest_difference(alibi({{"slope_multiplier", 96.0}})->tile(geometry), plain * 96) < 1e-12);
}

TEST_CASE("ALiBi's learned slopes start as the fixed ones and get a gradient", "[encoding]") {
    const auto geometry = geometry_of(0, 6, 6);
    const auto learned = alibi({{"learned_slopes", true}}, 6), fixed = alibi({}, 6);
    CHECK(fixed->parameters().empty());
    CHECK(at::equal(learned->tile(geometry), fixed->tile(geometry)));
    set(*learned, "slopes", at::arange(6, at::kDouble));
    const auto tile = learned->tile(geometry);
    CHECK(tile[3][5][1].item<double>() == -12);
    tile.sum().backward();
    CHECK(learned->named_parameters()["slopes"].grad()[2].item<double>() == -(5 + 2 * 4 + 3 * 3 + 4 * 2 + 5));
}

TEST_CASE("ALiBi as in BLOOM or MPT, from key positions alone, gives the same weights in single precision", "[encoding][field]") {
    const auto bias = alibi({}, 8);
    bias->to(at::kFloat);
    for (const std::int64_t first : {0, 30}) {  // a full pass, and rows after a cache
        const auto geometry = geometry_of(first, 10, first + 10);
        const auto content = at::randn({8, 10, first + 10});
        const auto slopes = -bias->by_distance(at::ones({1}, at::kDouble), geometry).view({8, 1, 1});
        const double infinity = std::numeric_limits<double>::infinity();
        const auto ours = at::softmax(masked(content + bias->tile(geometry), geometry, -infinity), -1);
        const auto key_only = at::softmax(masked(content + slopes * geometry.key_positions.to(at::kFloat), geometry, -infinity), -1);
        CHECK(largest_difference(ours, key_only) < 1e-5);
    }
}

TEST_CASE("ALiBi's factor follows the text only past the training length", "[encoding]") {
    const auto dynamic = alibi({{"factor", 0.0}});
    CHECK(dynamic->length_dependent());
    auto geometry = geometry_of(0, 16, 16);
    CHECK(at::equal(dynamic->tile(geometry), alibi({})->tile(geometry)));
    geometry = geometry_of(0, 64, 64);
    CHECK(largest_difference(dynamic->tile(geometry), alibi({{"factor", 4.0}})->tile(geometry)) < 1e-12);
    CHECK_THROWS_WITH(alibi({{"factor", 0.5}}), Catch::Contains("factor"));
}

TEST_CASE("an encoder's T5 buckets start at the published distances, later keys in the upper half", "[encoding][field]") {
    const std::vector<double> starts = {8, 12, 16, 23, 32, 46, 64, 91};
    for (std::size_t n = 0; n < starts.size(); ++n) {
        const auto number = 8 + static_cast<std::int64_t>(n);
        CHECK(encoder_buckets({starts[n], starts[n] - 1, -starts[n], 1 - starts[n]}) == std::vector<std::int64_t>{number, number - 1, number + 16, number + 15});
    }
    CHECK(encoder_buckets({0, 1, -1, 1e6, -1e6}) == std::vector<std::int64_t>{0, 1, 17, 15, 31});
    CHECK(encoder_buckets({7, -7}, {{"distance_scale", 2.0}}) == std::vector<std::int64_t>{3, 19});
}

TEST_CASE("T5 refuses buckets that cannot be split", "[encoding]") {
    CHECK_THROWS_WITH(encoder_buckets({0}, {{"buckets", std::int64_t{30}}}), Catch::Contains("30") && Catch::Contains("multiple of 4"));
    CHECK_THROWS_WITH(encoder_buckets({0}, {{"buckets", std::int64_t{32}}, {"max_distance", std::int64_t{8}}}), Catch::Contains("max_distance"));
}

TEST_CASE("T5's decode row is the last row of the full pass", "[encoding][field]") {
    for (const bool bidirectional : {false, true}) {
        const auto bias = made<Bias>("bias", "t5", {{"bidirectional", bidirectional}});
        const auto full = bias->tile(geometry_of(0, 200, 200));
        CHECK(largest_difference(bias->tile(geometry_of(199, 1, 200)), full.slice(1, 199)) == 0);
    }
}

TEST_CASE("TISA's curves stand where their centres say", "[encoding]") {
    SlotShape shape;
    shape.heads = 1;
    const auto bias = made<Bias>("bias", "tisa", {{"bumps", std::int64_t{1}}}, shape);
    set(*bias, "a", at::full({1}, 2.0));
    set(*bias, "b", at::full({1}, -0.5));  // its size alone counts
    set(*bias, "c", at::full({1}, -3.0));
    const auto values = bias->by_distance(positions_from(0, 8), geometry_of(0, 1, 1))[0];
    CHECK(values.argmax().item<std::int64_t>() == 3);
    CHECK(values[3].item<double>() == 2);
    CHECK(values[4].item<double>() == Approx(2 * std::exp(-0.5)));
    CHECK(values[2].item<double>() == Approx(2 * std::exp(-0.5)));
}

TEST_CASE("a row's own window of values equals the cells they stand for", "[encoding]") {
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 7}, {5, 1}, {2, 2}, {4, 9}, {9, 4}}) {
        TileGeometry geometry;
        geometry.query_positions = positions_from(3, rows);
        geometry.key_positions = positions_from(0, columns);
        const auto weights = positions_from(1, rows).view({1, rows, 1});
        const auto windows = sliding_rows(weights * sliding_differences(geometry), columns);
        const auto expected = weights * (geometry.query_positions.unsqueeze(1) - geometry.key_positions.unsqueeze(0));
        CHECK(at::equal(windows, expected));
    }
}

}  // namespace lw
