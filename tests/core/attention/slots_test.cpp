/// Distance maps, temperatures, visibilities and normalisers inside attention: tiles, blocks of rows and decode rows agree.
#include "core/attention/attention.h"
#include "core/attention/part_tile.h"
#include "tests/core/position/oracle.h"
#include "tests/support/schemes.h"

using namespace lw;
using lw::test::InputSizes;
using lw::test::build;
using lw::test::random_inputs;
using lw::test::shape_for;

namespace {

const std::vector<std::string> kSlots{"distance", "temperature", "visibility", "normaliser"};

/// Every entry of the four slots, as {slot, id}.
std::vector<std::pair<std::string, std::string>> slot_entries() {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& slot : kSlots) {
        for (const auto& method : methods()) {
            if (method.slot == slot) all.emplace_back(slot, method.id);
        }
    }
    return all;
}

SchemeSpec rope_with(const std::string& slot, const std::string& id, const Params& params = {}) {
    return check_scheme({"", {{"rotation", {"rope", {}}}, {slot, {id, params}}}}).value();
}

std::shared_ptr<PositionScheme> double_scheme(const SchemeSpec& spec, const InputSizes& sizes) {
    auto scheme = build(spec, shape_for(sizes));
    scheme->to(at::kDouble);
    return scheme;
}

/// Plain queries and keys: rotation and row temperature happen inside the tile, whatever the scheme is.
AttentionInputs plain_inputs(const InputSizes& sizes) {
    auto inputs = random_inputs(sizes);
    inputs.rotated = false;
    return inputs;
}

double visible_difference(const at::Tensor& a, const at::Tensor& b, const at::Tensor& visible) {
    REQUIRE(a.sizes() == b.sizes());
    return (a - b).masked_fill(visible.logical_not(), 0).abs().max().item<double>();
}

/// The last query of the inputs alone.
AttentionInputs decode_row(const AttentionInputs& inputs) {
    auto one = inputs;
    one.q = inputs.q.slice(2, -1);
    one.query_positions = inputs.query_positions.slice(0, -1);
    return one;
}

const std::vector<InputSizes> kSizes{{.batch = 2, .heads = 4, .key_heads = 4, .queries = 40, .keys = 40},
                                     {.batch = 1, .heads = 4, .key_heads = 2, .queries = 7, .keys = 61},
                                     {.batch = 2, .heads = 6, .key_heads = 3, .queries = 1, .keys = 33}};

}  // namespace

TEST_CASE("scores of every distance map on RoPE equal the slow oracle, in any block and with shared key heads", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    for (const auto& [slot, id] : slot_entries()) {
        if (slot != "distance") continue;
        for (const auto& sizes : kSizes) {
            const auto scheme = double_scheme(rope_with(slot, id), sizes);
            const auto& layer = scheme->layer(0);
            const auto inputs = plain_inputs(sizes);
            const auto keys = repeated_to(inputs.k, sizes.heads);
            const double factor = std::pow(layer.frequencies(inputs.length, inputs.train_length).attention_factor, 2);
            for (const auto& [rows, columns] : {std::pair<Span, Span>{{0, sizes.queries}, {0, sizes.keys}}, {{0, 1}, {3, 20}}, {{sizes.queries / 2, sizes.queries}, {5, 6}}}) {
                const auto parts = score_parts(layer, inputs, rows, columns);
                const auto f = layer.distance->distance(geometry_of(inputs, rows, columns));
                for (std::int64_t b = 0; b < sizes.batch; ++b) {
                    const auto slow = oracle::scores(f, inputs.q[b].slice(1, rows.begin, rows.end), keys[b].slice(1, columns.begin, columns.end)) * factor;
                    CAPTURE(id, sizes.queries, rows.begin, columns.begin);
                    CHECK(visible_difference(parts.content[b], slow, parts.visible) < 1e-9);
                }
            }
        }
    }
}

TEST_CASE("distance biases read mapped distances, each head its own where the map has them", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 30, .keys = 50};
    for (const auto& [slot, id] : slot_entries()) {
        if (slot != "distance") continue;
        const auto scheme = double_scheme(check_scheme({"", {{"bias", {"alibi", {}}}, {slot, {id, {}}}}}).value(), sizes);
        const auto inputs = random_inputs(sizes);
        const auto parts = score_parts(scheme->layer(0), inputs, {0, 30}, {0, 50});
        const auto f = scheme->layer(0).distance->distance(parts.geometry);
        const auto slopes = at::exp2(-2 * at::arange(1, 5, at::kDouble)).view({4, 1, 1});
        CAPTURE(id);
        CHECK(visible_difference(parts.bias, -slopes * f.clamp_min(0).expand({4, 30, 50}), parts.visible) < 1e-12);
        CHECK(at::allclose(parts.content, content_scores(inputs.q, inputs.k)));
    }
}

TEST_CASE("a distance map is refused beside terms that it cannot change", "[attention][slots]") {
    const auto refusal = [](const std::map<std::string, SlotChoice>& others) {
        auto slots = others;
        slots["distance"] = {"rerope", {}};
        const auto checked = check_scheme({"", slots});
        return checked.ok() ? std::string() : checked.error().message;
    };
    CHECK_THAT(refusal({{"input", {"sinusoidal", {}}}}), Catch::Contains("rerope") && Catch::Contains("neither"));
    CHECK_THAT(refusal({{"bias", {"fire", {}}}}), Catch::Contains("rerope") && Catch::Contains("fire"));
    CHECK_THAT(refusal({{"bias", {"fire", {}}}, {"rotation", {"rope", {}}}}), Catch::Contains("rerope") && Catch::Contains("fire"));
    CHECK(refusal({{"bias", {"t5", {}}}}).empty());
    CHECK(refusal({{"bias", {"alibi", {}}}, {"rotation", {"rope", {}}}}).empty());
}

TEST_CASE("blocks of rows give the plain path's numbers for every entry of the slots", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 3, .heads = 4, .key_heads = 2, .queries = 300, .keys = 700};
    for (const auto& [slot, id] : slot_entries()) {
        const auto scheme = double_scheme(rope_with(slot, id), sizes);
        const auto& layer = scheme->layer(0);
        const auto inputs = plain_inputs(sizes);
        REQUIRE(rows_per_block(layer, {.batch = 3, .heads = 4, .queries = 300, .keys = 700, .head_width = 8}) < 300);
        const auto plain = plain_attention(layer, inputs, true), blocks = row_block_attention(layer, inputs, true);
        CAPTURE(slot, id);
        CHECK(test::largest_difference(plain.output, blocks.output) < 1e-10);
        CHECK(plain.output.isfinite().all().item<bool>());
        REQUIRE(plain.log_normaliser.defined() == has_log_normaliser(layer));
        REQUIRE(blocks.log_normaliser.defined() == has_log_normaliser(layer));
        if (has_log_normaliser(layer)) CHECK(test::largest_difference(plain.log_normaliser, blocks.log_normaliser) < 1e-10);
    }
}

TEST_CASE("the last row of the full pass is the decode row for every entry of the slots", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 2, .heads = 4, .key_heads = 2, .queries = 45, .keys = 45};
    for (const auto& [slot, id] : slot_entries()) {
        const auto scheme = double_scheme(rope_with(slot, id), sizes);
        const auto inputs = plain_inputs(sizes);
        const auto full = plain_attention(scheme->layer(0), inputs).output, step = plain_attention(scheme->layer(0), decode_row(inputs)).output;
        CAPTURE(slot, id);
        CHECK(test::largest_difference(full.slice(2, -1), step) < 1e-10);
    }
}

TEST_CASE("a later key never changes an earlier row, unless the mask is open", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.queries = 40, .keys = 40};
    for (const auto& [slot, id] : slot_entries()) {
        const auto scheme = double_scheme(rope_with(slot, id), sizes);
        auto inputs = plain_inputs(sizes), changed = inputs;
        changed.k = inputs.k.clone();
        changed.v = inputs.v.clone();
        changed.k.narrow(2, 23, 17).add_(3.0);
        changed.v.narrow(2, 23, 17).mul_(-2.0);
        const auto before = plain_attention(scheme->layer(0), inputs).output.narrow(2, 0, 23), after = plain_attention(scheme->layer(0), changed).output.narrow(2, 0, 23);
        CAPTURE(slot, id);
        CHECK(at::equal(before, after) == !sees_future(scheme->layer(0)));
    }
}

TEST_CASE("a temperature on content folded into turned queries equals multiplying the scores", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.queries = 11, .keys = 50};
    for (const auto& [slot, id] : slot_entries()) {
        if (slot != "temperature") continue;
        const auto scheme = double_scheme(rope_with(slot, id), sizes);
        const auto& layer = scheme->layer(0);
        const auto plain = plain_inputs(sizes);
        const auto factor = row_factor(layer, geometry_of(plain, {0, 11}, {0, 50}));
        if (!factor.defined()) continue;
        auto folded = plain;
        folded.rotated = true;
        folded.q = layer.rotate(plain.q, plain.query_positions, plain.length, plain.train_length, Side::query) * factor.unsqueeze(-1);
        folded.k = layer.rotate(plain.k, plain.key_positions, plain.length, plain.train_length, Side::key);
        const auto bare = double_scheme(check_scheme({"", {{"rotation", {"rope", {}}}}}).value(), sizes);
        const auto scores = score_parts(bare->layer(0), plain, {0, 11}, {0, 50}).content * factor.unsqueeze(-1);
        CAPTURE(id);
        CHECK(test::largest_difference(score_parts(layer, folded, {0, 11}, {0, 50}).content, scores) < 1e-12);
        CHECK(test::largest_difference(score_parts(layer, plain, {0, 11}, {0, 50}).content, scores) < 1e-12);
        CHECK(test::largest_difference(attend(layer, folded).output, plain_attention(layer, plain).output) < 1e-10);
        CHECK((factor - 1).abs().max().item<double>() > 1e-3);
    }
}

TEST_CASE("a temperature on whole logits reaches bias and adaptive term too", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.queries = 20, .keys = 20};
    const auto scheme = double_scheme(check_scheme({"", {{"bias", {"alibi", {}}}, {"temperature", {"ssmax", {}}}}}).value(), sizes);
    const auto parts = score_parts(scheme->layer(0), random_inputs(sizes), {0, 20}, {0, 20});
    const auto rows = 0.43F * at::log(at::arange(1, 21, at::kDouble)).view({1, 1, 20, 1});
    CHECK(test::largest_difference(parts.logit(), (parts.content + parts.bias) * rows) < 1e-6);
}

TEST_CASE("tiles of probabilities come out the same in a corner as in the whole, for every entry of the slots", "[attention][slots]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 40, .keys = 40};
    for (const auto& [slot, id] : slot_entries()) {
        const auto scheme = double_scheme(rope_with(slot, id), sizes);
        const auto& layer = scheme->layer(0);
        const auto inputs = plain_inputs(sizes);
        const auto result = plain_attention(layer, inputs, true);
        const auto scores = scores_of(layer, inputs, result.log_normaliser);
        const auto whole = part_values(scores, ScorePart::probability, {0, 40}, {0, 40}), corner = part_values(scores, ScorePart::probability, {20, 31}, {2, 29});
        const auto expected = whole.slice(1, 20, 31).slice(2, 2, 29);
        CAPTURE(slot, id);
        CHECK(at::allclose(corner, expected, 1e-10, 1e-12, true));
        CHECK(test::largest_difference(at::matmul(whole.nan_to_num(), inputs.v[0]), result.output[0]) < 1e-10);
        // One cell per pixel: the middle cells of the whole.
        const TileRequest request{.part = ScorePart::probability, .queries = {0, 40}, .keys = {0, 40}, .max_rows = 8, .max_columns = 10, .sampled = true};
        const auto pixels = part_tile(scores, request, [] {});
        REQUIRE(pixels.sizes() == at::IntArrayRef({4, 8, 10}));
        if (result.log_normaliser.defined()) CHECK(at::allclose(pixels, whole.slice(1, 2, 40, 5).slice(2, 2, 40, 4), 1e-10, 1e-12, true));
    }
}

TEST_CASE("gradients reach queries, keys and learned values through every entry of the slots", "[attention][slots]") {
    const InputSizes sizes{.batch = 1, .queries = 24, .keys = 24};
    for (const auto& [slot, id] : slot_entries()) {
        const auto scheme = double_scheme(rope_with(slot, id), sizes);
        auto inputs = plain_inputs(sizes);
        for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) x->requires_grad_(true);
        const auto output = plain_attention(scheme->layer(0), inputs).output;
        (output * output).sum().backward();
        CAPTURE(slot, id);
        for (const auto& x : {inputs.q, inputs.k, inputs.v}) {
            REQUIRE(x.grad().defined());
            CHECK(x.grad().isfinite().all().item<bool>());
            CHECK(x.grad().abs().max().item<double>() > 0);
        }
        for (const auto& parameter : scheme->parameters()) CHECK((parameter.grad().defined() && parameter.grad().abs().max().item<double>() > 0));
    }
}
