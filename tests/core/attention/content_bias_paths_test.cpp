/// Biases that read the text, inside attention: every path, every tile and the maps give the plain path's numbers.
#include "tests/support/catch_torch.h"

#include "core/attention/attention.h"
#include "core/attention/part_tile.h"
#include "tests/support/schemes.h"

using namespace lw;
using namespace lw::test;

namespace {

struct Case {
    const char* id;
    Params params;
};

/// Every bias that reads the text, where it does not start at 0, and with everything it can do switched on.
const std::vector<Case> kCases{{"shaw", {{"clip", std::int64_t{5}}, {"values", true}}},
                               {"transformer-xl", {}},
                               {"cope", {{"initial", 0.5}, {"places", std::int64_t{9}}}},
                               {"fox", {{"initial_bias", 1.0}}},
                               {"cable", {}}};

SchemeSpec spec_of(const Case& test, bool rope) {
    SchemeSpec spec{test.id, {{"bias", {test.id, test.params}}}};
    if (rope) spec.slots["rotation"] = {"rope", {}};
    return check_scheme(spec).value();
}

std::shared_ptr<PositionScheme> double_scheme(const Case& test, bool rope, const InputSizes& sizes) {
    auto scheme = build(spec_of(test, rope), shape_for(sizes));
    scheme->to(at::kDouble);
    return scheme;
}

const std::vector<InputSizes> kSizes{{.queries = 1, .keys = 1},
                                     {.queries = 1, .keys = 23},
                                     {.batch = 1, .heads = 4, .key_heads = 2, .queries = 33, .keys = 33},
                                     {.batch = 3, .heads = 4, .key_heads = 2, .queries = 300, .keys = 700}};  // several blocks of rows

}  // namespace

TEST_CASE("the list of text-reading biases is complete", "[attention]") {
    std::size_t count = 0;
    for (const auto& method : methods()) {
        if (method.slot != "bias") continue;
        for (const auto& claim : method.claims) count += claim.id == "content-dependent" ? 1 : 0;
    }
    CHECK(count == kCases.size());
}

TEST_CASE("blocks of rows give the plain path's output and normaliser with every text-reading bias", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto& test : kCases) {
        for (const bool rope : {false, true}) {
            for (const auto& sizes : kSizes) {
                const auto scheme = double_scheme(test, rope, sizes);
                const auto& layer = scheme->layer(0);
                const auto inputs = inputs_for(layer, sizes);
                CAPTURE(test.id, rope, sizes.queries, sizes.keys);
                CHECK_FALSE(inputs.rotated);
                const auto plain = plain_attention(layer, inputs, true), blocks = row_block_attention(layer, inputs, true);
                CHECK(largest_difference(blocks.output, plain.output) < 1e-10);
                CHECK(largest_difference(blocks.log_normaliser, plain.log_normaliser) < 1e-10);
            }
        }
    }
}

TEST_CASE("the last rows alone equal the last rows of a full pass with every text-reading bias", "[attention]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 2, .heads = 4, .key_heads = 2, .queries = 40, .keys = 40};
    for (const auto& test : kCases) {
        for (const bool rope : {false, true}) {
            const auto scheme = double_scheme(test, rope, sizes);
            const auto inputs = inputs_for(scheme->layer(0), sizes);
            const auto full = plain_attention(scheme->layer(0), inputs).output;
            for (const std::int64_t rows : {1, 7}) {
                auto last = inputs;
                last.q = inputs.q.slice(2, 40 - rows);
                last.query_positions = inputs.query_positions.slice(0, 40 - rows);
                CAPTURE(test.id, rope, rows);
                CHECK(largest_difference(plain_attention(scheme->layer(0), last).output, full.slice(2, 40 - rows)) < 1e-10);
            }
        }
    }
}

TEST_CASE("a tile of scores and the maps show a text-reading bias as attention uses it", "[attention]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 2, .queries = 40, .keys = 40};
    for (const auto& test : kCases) {
        const auto scheme = double_scheme(test, true, sizes);
        const auto& layer = scheme->layer(0);
        const auto inputs = inputs_for(layer, sizes);
        const auto whole = score_parts(layer, inputs, {0, 40}, {0, 40});
        const auto normaliser = at::logsumexp(whole.masked_logit(), -1);
        CAPTURE(test.id);
        for (const auto& [rows, columns] : {std::pair<Span, Span>{{7, 19}, {3, 11}}, {{30, 40}, {0, 1}}, {{5, 6}, {5, 6}}}) {
            const auto tile = score_parts(layer, inputs, rows, columns).masked_logit();
            CHECK(at::allclose(tile, whole.masked_logit().slice(2, rows.begin, rows.end).slice(3, columns.begin, columns.end), 1e-10, 1e-10));
        }
        const auto scores = scores_of(layer, inputs, normaliser);
        const auto bias = part_values(scores, ScorePart::bias, {10, 20}, {0, 30});
        const auto expected = whole.bias_of(0).slice(1, 10, 20).slice(2, 0, 30).masked_fill(whole.visible.slice(0, 10, 20).slice(1, 0, 30).logical_not(), 0);
        CHECK(largest_difference(at::nan_to_num(bias, 0), expected) < 1e-10);
        const auto probability = part_values(scores, ScorePart::probability, {0, 40}, {0, 40});
        CHECK(largest_difference(at::nansum(probability, -1), at::ones({4, 40}, at::kDouble)) < 1e-10);
        const TileRequest coarse{.part = ScorePart::bias, .queries = {0, 40}, .keys = {0, 40}, .max_rows = 10, .max_columns = 10, .sampled = true};
        CHECK(part_tile(scores, coarse, [] {}).sizes() == at::IntArrayRef({4, 10, 10}));
    }
}

TEST_CASE("gradients of a text-reading bias are the same in blocks of rows", "[attention]") {
    const InputSizes sizes{.batch = 3, .heads = 4, .key_heads = 2, .queries = 200, .keys = 700};
    for (const auto& test : kCases) {
        const auto scheme = double_scheme(test, false, sizes);
        const auto& layer = scheme->layer(0);
        const auto gradients = [&](bool blocks) {
            auto inputs = inputs_for(layer, sizes);
            for (auto* x : {&inputs.q, &inputs.k}) x->requires_grad_(true);
            const auto result = blocks ? row_block_attention(layer, inputs) : plain_attention(layer, inputs);
            auto leaves = layer.bias->parameters();
            leaves.insert(leaves.end(), {inputs.q, inputs.k});
            return torch::autograd::grad({at::sin(result.output).sum()}, leaves);
        };
        const auto plain = gradients(false), blocks = gradients(true);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            CAPTURE(test.id, i);
            CHECK(plain[i].abs().max().item<double>() > 0);
            CHECK(largest_difference(plain[i], blocks[i]) < 1e-9);
        }
    }
}

TEST_CASE("text-reading biases are served by the exact paths, which say why", "[attention]") {
    const InputSizes sizes;
    for (const auto& test : kCases) {
        const auto scheme = double_scheme(test, false, sizes);
        const auto small = plan(scheme->layer(0), {.queries = 16, .keys = 16}), large = plan(scheme->layer(0), {.queries = 16384, .keys = 16384});
        CHECK(small.path->id == std::string("plain"));
        CHECK(large.path->id == std::string("row-block"));
        CHECK_THAT(large.why, Catch::Contains("the bias reads the text"));
    }
}

TEST_CASE("combinations that a text-reading bias cannot stand in are refused", "[attention]") {
    for (const auto& test : kCases) {
        CAPTURE(test.id);
        const auto under_dape = check_scheme({"", {{"bias", {test.id, {}}}, {"adaptive", {"dape", {}}}}});
        REQUIRE_FALSE(under_dape.ok());
        CHECK_THAT(under_dape.error().message, Catch::Contains("reads the text"));
        CHECK_FALSE(check_scheme({"", {{"bias", {test.id, {}}}, {"distance", {"rerope", {}}}}}).ok());
        CHECK(check_scheme({"", {{"bias", {test.id, {}}}, {"rotation", {"rope", {}}}, {"distance", {"rerope", {}}}}}).ok());
    }
    const auto fire = check_scheme({"", {{"bias", {"fire", {}}}, {"rotation", {"rope", {}}}, {"distance", {"rerope", {}}}}});
    REQUIRE_FALSE(fire.ok());
    CHECK_THAT(fire.error().message, Catch::Contains("fire") && Catch::Contains("rerope"));
}
