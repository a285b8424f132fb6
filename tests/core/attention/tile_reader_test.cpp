/// The map kernel: pixels straight from q and k equal the plain score parts, pooled.
#include "tests/support/catch_torch.h"

#include "core/attention/part_tile.h"
#include "tests/support/schemes.h"

#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

struct Layer {
    std::shared_ptr<PositionScheme> owner;
    LayerScores plain, read;  // without and with a reader
};

Layer layer_of(const SchemeSpec& spec, const InputSizes& sizes) {
    auto owner = build(spec, shape_for(sizes));
    const auto& layer = owner->layer(0);
    const auto inputs = inputs_for(layer, sizes, at::kFloat);
    const auto logit = score_parts(layer, inputs, {0, sizes.queries}, {0, sizes.keys}).masked_logit();
    const auto normaliser = has_log_normaliser(layer) ? log_normaliser_of(layer, logit) : at::Tensor();
    const auto plain = scores_of(layer, inputs, normaliser);
    auto read = plain;
    read.reader = TileReader::of(plain.layer, plain.inputs, plain.log_normaliser);
    return {owner, plain, read};
}

constexpr std::array kParts{ScorePart::content, ScorePart::bias, ScorePart::adaptive, ScorePart::bias_adaptive, ScorePart::logit, ScorePart::probability};
constexpr std::array kReducers{Reducer::mean, Reducer::max, Reducer::signed_max_abs};

/// Pixels of odd places and sizes, by the reader and by pooling what the plain score parts say.
void check_pixels(const std::string& name, const Layer& layer, Span rows, Span columns, PixelSize size) {
    for (const auto part : kParts) {
        const auto values = part_values(layer.plain, part, rows, columns);
        for (const auto reducer : kReducers) {
            CAPTURE(name, score_part_name(part), reducer_name(reducer), rows.begin, columns.begin, size.row_cells, size.column_cells);
            const TileRequest request{.part = part, .queries = {rows.begin, rows.end}, .keys = {columns.begin, columns.end}, .reducer = reducer};
            const auto pixels = part_pixels(layer.read, request, size, [] {});
            CHECK(at::allclose(pixels, pool_cells(values, size.row_cells, size.column_cells, reducer), 1e-4, 2e-6, true));
        }
    }
}

}  // namespace

TEST_CASE("every scheme's pixels equal its score parts pooled, with a reader or without", "[attention][tiles]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 90, .keys = 90};
    for (const auto& preset : scheme_presets()) {
        const auto layer = layer_of(check_scheme(preset.scheme).value(), sizes);
        check_pixels(preset.id, layer, {0, 90}, {0, 90}, {4, 8});
        check_pixels(preset.id, layer, {17, 64}, {5, 83}, {7, 3});
    }
}

TEST_CASE("the demo schemes have a reader, and pixels are right where units, blocks and vectors end", "[attention][tiles]") {
    const at::NoGradGuard no_gradient;
    for (const auto* preset : {"kerple", "dape-kerple", "dape-fire", "fire", "rope", "nope", "alibi"}) {
        for (const auto& sizes : {InputSizes{.batch = 1, .heads = 8, .key_heads = 8, .queries = 600, .keys = 600}, InputSizes{.batch = 1, .heads = 3, .key_heads = 3, .queries = 77, .keys = 77},
                                  InputSizes{.batch = 1, .heads = 12, .key_heads = 4, .queries = 66, .keys = 66}}) {
            const auto layer = layer_of(lw::test::scheme(preset), sizes);
            REQUIRE(layer.read.reader != nullptr);
            const auto name = std::string(preset) + ", heads " + std::to_string(sizes.heads);
            const auto n = sizes.queries;
            check_pixels(name, layer, {0, n}, {0, n}, {64, 64});
            check_pixels(name, layer, {n / 2, n}, {1, n}, {1, 1});
            check_pixels(name, layer, {n - 33, n}, {0, n - 5}, {33, 1});
        }
    }
}

TEST_CASE("every variant of DAPE comes out of the reader as out of its module", "[attention][tiles]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 8, .key_heads = 8, .queries = 70, .keys = 70};
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        const auto layer = layer_of(scheme_with("dape-kerple", "adaptive", "variant", std::string(variant)), sizes);
        REQUIRE(layer.read.reader != nullptr);
        check_pixels(variant, layer, {0, 70}, {0, 70}, {2, 16});
    }
}

TEST_CASE("one head asked for equals that head among all", "[attention][tiles]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 8, .key_heads = 4, .queries = 70, .keys = 70};
    for (const auto* preset : {"kerple", "dape-kerple"}) {
        const auto layer = layer_of(lw::test::scheme(preset), sizes);
        for (const auto part : kParts) {
            TileRequest request{.part = part, .queries = {10, 70}, .keys = {0, 70}, .max_rows = 15, .max_columns = 9};
            const auto all = part_tile(layer.read, request, [] {});
            request.head = 5;
            const auto one = part_tile(layer.read, request, [] {});
            REQUIRE(one.size(0) == 1);
            CHECK(at::allclose(one[0], all[5], 1e-6, 1e-7, true));
        }
    }
}

TEST_CASE("a sampled tile shows the middle cell of every pixel, also where the term reads neighbouring keys", "[attention][tiles]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .queries = 96, .keys = 96};
    for (const auto* preset : {"kerple", "dape-kerple", "dape-v2-kerple"}) {
        const auto layer = layer_of(lw::test::scheme(preset), sizes);
        for (const std::int64_t cells : {2, 8, 32}) {
            const TileRequest request{.part = ScorePart::logit, .queries = {0, 96}, .keys = {0, 96}, .sampled = true};
            const auto samples = part_pixels(layer.read, request, {cells, cells}, [] {});
            const auto values = part_values(layer.plain, ScorePart::logit, {0, 96}, {0, 96});
            CAPTURE(preset, cells);
            CHECK(at::allclose(samples, values.slice(1, cells / 2, 96, cells).slice(2, cells / 2, 96, cells), 1e-5, 1e-6, true));
        }
    }
}

TEST_CASE("the reader stops when asked to", "[attention][tiles]") {
    const at::NoGradGuard no_gradient;
    const auto layer = layer_of(lw::test::scheme("dape-kerple"), {.batch = 1, .queries = 70, .keys = 70});
    std::stop_source stop;
    stop.request_stop();
    const TileRequest request{.queries = {0, 70}, .keys = {0, 70}};
    CHECK_THROWS_AS(part_tile(layer.read, request, [] {}, stop.get_token()), Failure);
}

TEST_CASE("a row of pixels from pieces equals the same cells pooled at once", "[attention][tiles]") {
    auto values = at::randn({3, 23, 31}, at::kDouble);
    values.masked_fill_(at::rand({3, 23, 31}).lt(0.4), std::numeric_limits<double>::quiet_NaN());
    values.slice(2, 8, 12).fill_(std::numeric_limits<double>::quiet_NaN());  // a pixel without any visible cell
    for (const auto reducer : kReducers) {
        for (const std::int64_t piece : {1, 5, 23}) {
            PixelRow row(4, reducer);
            for (std::int64_t at = 0; at < 23; at += piece) row.add(values.slice(1, at, std::min<std::int64_t>(at + piece, 23)));
            CAPTURE(reducer_name(reducer), piece);
            CHECK(at::allclose(row.pixels(), pool_cells(values, 23, 4, reducer), 1e-12, 1e-12, true));
        }
    }
}
