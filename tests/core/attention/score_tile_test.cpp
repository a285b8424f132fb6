/// Tiles: parts add up, a corner equals the corner of the whole, pooling is what it says.
#include "tests/support/catch_torch.h"

#include "core/attention/part_tile.h"
#include "tests/support/schemes.h"

#include <limits>

using namespace lw;
using namespace lw::test;

TEST_CASE("a tile of any scheme equals that corner of the whole matrix", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto& preset : scheme_presets()) {
        if (preset.id == "tupe") continue;  // its table ends
        const InputSizes sizes{.batch = 1, .queries = 40, .keys = 40};
        auto scheme = build(check_scheme(preset.scheme).value(), shape_for(sizes));
        scheme->to(at::kDouble);
        const auto inputs = inputs_for(scheme->layer(0), sizes);
        const auto whole = score_parts(scheme->layer(0), inputs, {0, 40}, {0, 40}).masked_logit();
        for (const auto& [rows, columns] : {std::pair<Span, Span>{{0, 40}, {0, 40}}, {{7, 19}, {3, 11}}, {{30, 40}, {0, 1}}, {{5, 6}, {5, 6}}}) {
            const auto tile = score_parts(scheme->layer(0), inputs, rows, columns).masked_logit();
            const auto expected = whole.slice(2, rows.begin, rows.end).slice(3, columns.begin, columns.end);
            CAPTURE(preset.id, rows.begin, columns.begin);
            CHECK(at::allclose(tile, expected, 1e-10, 1e-10));
        }
    }
}

TEST_CASE("probabilities of a tile come from the whole row's normaliser and sum to one", "[attention]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 40, .keys = 40};
    auto scheme = build(lw::test::scheme("dape-kerple"), shape_for(sizes));
    scheme->to(at::kDouble);
    const auto inputs = random_inputs(sizes);
    const auto normaliser = at::logsumexp(score_parts(scheme->layer(0), inputs, {0, 40}, {0, 40}).masked_logit(), -1)[0];
    const LayerScores scores{scheme->layer(0), inputs, normaliser};
    const auto probability = part_values(scores, ScorePart::probability, {0, 40}, {0, 40});
    CHECK(largest_difference(at::nansum(probability, -1), at::ones({4, 40}, at::kDouble)) < 1e-10);
    CHECK(probability[0][3][4].isnan().item<bool>());
    const auto corner = part_values(scores, ScorePart::probability, {20, 30}, {2, 9});
    CHECK(largest_difference(corner, probability.slice(1, 20, 30).slice(2, 2, 9)) < 1e-12);
}

TEST_CASE("pooling keeps isolated extremes, their sign, and masked pixels", "[attention]") {
    auto values = at::zeros({1, 4, 6});
    values[0][1][2] = -5.0;
    values[0][3][5] = 2.0;
    values.slice(2, 0, 2).fill_(std::numeric_limits<double>::quiet_NaN());
    const auto signed_pixels = pool_cells(values, 2, 2, Reducer::signed_max_abs);
    REQUIRE(signed_pixels.sizes() == at::IntArrayRef({1, 2, 3}));
    CHECK(signed_pixels[0][0][0].isnan().item<bool>());
    CHECK(signed_pixels[0][0][1].item<double>() == -5.0);
    CHECK(signed_pixels[0][1][2].item<double>() == 2.0);
    CHECK(pool_cells(values, 2, 2, Reducer::max)[0][0][1].item<double>() == 0.0);
    CHECK(pool_cells(values, 2, 2, Reducer::mean)[0][0][1].item<double>() == Approx(-1.25));
    CHECK(pool_cells(values, 4, 4, Reducer::mean)[0][0][0].item<double>() == Approx(-5.0 / 8));
    CHECK(pool_cells(values, 3, 4, Reducer::max).sizes() == at::IntArrayRef({1, 2, 2}));
}

TEST_CASE("a pooled tile computed block by block equals pooling the whole matrix", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto* preset : {"dape-kerple", "dape-v2-kerple", "alibi", "rope"}) {
        const InputSizes sizes{.batch = 1, .queries = 90, .keys = 90};
        auto scheme = build(lw::test::scheme(preset), shape_for(sizes));
        const auto inputs = random_inputs(sizes, at::kFloat);
        const auto normaliser = at::logsumexp(score_parts(scheme->layer(0), inputs, {0, 90}, {0, 90}).masked_logit(), -1)[0];
        const LayerScores scores{scheme->layer(0), inputs, normaliser};
        for (const auto part : {ScorePart::content, ScorePart::logit, ScorePart::probability, ScorePart::bias_adaptive}) {
            const TileRequest request{.part = part, .queries = {0, 90}, .keys = {0, 90}, .max_rows = 20, .max_columns = 30};
            const auto whole = pool_cells(part_values(scores, part, {0, 90}, {0, 90}), 5, 3, request.reducer);
            CAPTURE(preset, score_part_name(part));
            CHECK(at::allclose(part_tile(scores, request, [] {}), whole, 1e-5, 1e-6, true));
            auto coarse = request;
            coarse.sampled = true;
            const auto middle = part_values(scores, part, {0, 90}, {0, 90}).slice(1, 2, 90, 5).slice(2, 1, 90, 3);
            CHECK(at::allclose(part_tile(scores, coarse, [] {}), middle, 1e-5, 1e-6, true));
        }
    }
}
