/// Every attention path gives the numbers of the plain one, forward and gradient.
#include "tests/support/catch_torch.h"

#include "core/attention/attention.h"
#include "tests/support/schemes.h"

using namespace lw;
using namespace lw::test;

namespace {

const std::vector<InputSizes> kSizes{{.queries = 1, .keys = 1},
                                     {.queries = 17, .keys = 17},
                                     {.queries = 1, .keys = 23},
                                     {.queries = 5, .keys = 40},
                                     {.batch = 1, .heads = 4, .key_heads = 2, .queries = 33, .keys = 33},
                                     {.batch = 3, .heads = 6, .key_heads = 3, .queries = 9, .keys = 64}};

AttentionQuestion question_for(const InputSizes& sizes, bool gradient) {
    return {.batch = sizes.batch, .heads = sizes.heads, .queries = sizes.queries, .keys = sizes.keys, .head_width = sizes.width, .gradient = gradient, .double_precision = true};
}

/// Inputs with gradients asked for, and the output contracted with fixed weights.
struct GradientCase {
    AttentionInputs inputs;
    std::vector<at::Tensor> leaves;

    GradientCase(const InputSizes& sizes, const LayerScheme& layer) : inputs(random_inputs(sizes)) {
        for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) {
            x->requires_grad_(true);
            leaves.push_back(*x);
        }
        for (const auto& module : std::initializer_list<std::shared_ptr<torch::nn::Module>>{layer.bias, layer.adaptive}) {
            if (!module) continue;
            for (const auto& parameter : module->parameters()) leaves.push_back(parameter);
        }
    }
    [[nodiscard]] std::vector<at::Tensor> gradients(const AttentionResult& result) const {
        const SeedScope scope(5);
        const auto weights = at::randn_like(result.output);
        return torch::autograd::grad({(result.output * weights).sum()}, leaves, {}, std::nullopt, false, true);
    }
};

void expect_equal_gradients(const SchemeSpec& spec, const AttentionPath& path, const InputSizes& sizes) {
    auto scheme = build(spec, shape_for(sizes));
    scheme->to(at::kDouble);
    const auto& layer = scheme->layer(0);
    const GradientCase with(sizes, layer);
    const auto plain = with.gradients(plain_attention(layer, with.inputs));
    const auto got = with.gradients(path.run(layer, with.inputs, false));
    REQUIRE(plain.size() == got.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        CAPTURE(spec.name, path.id, i, sizes.queries, sizes.keys);
        REQUIRE(plain[i].defined() == got[i].defined());
        if (plain[i].defined()) CHECK(largest_difference(plain[i], got[i]) < 1e-10);
    }
}

}  // namespace

TEST_CASE("every path that serves a scheme gives the plain path's output", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto& preset : scheme_presets()) {
        if (preset.id == "tupe") continue;  // its table ends
        for (const auto& sizes : kSizes) {
            auto scheme = build(check_scheme(preset.scheme).value(), shape_for(sizes));
            scheme->to(at::kDouble);
            const auto& layer = scheme->layer(0);
            const auto inputs = inputs_for(layer, sizes);
            const auto plain = plain_attention(layer, inputs, true);
            for (const auto& path : attention_paths()) {
                if (!path.refusal(layer, question_for(sizes, false)).empty()) continue;
                CAPTURE(preset.id, path.id, sizes.queries, sizes.keys);
                CHECK(largest_difference(path.run(layer, inputs, false).output, plain.output) < 1e-10);
            }
        }
    }
}

TEST_CASE("log-normalisers agree between the plain, row-block and fused paths", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto* preset : {"alibi", "dape-kerple", "dape-v2-kerple"}) {
        const InputSizes sizes{.queries = 29, .keys = 41};
        auto scheme = build(lw::test::scheme(preset), shape_for(sizes));
        scheme->to(at::kDouble);
        const auto inputs = random_inputs(sizes);
        const auto plain = plain_attention(scheme->layer(0), inputs, true);
        CHECK(largest_difference(row_block_attention(scheme->layer(0), inputs, true).log_normaliser, plain.log_normaliser) < 1e-10);
        CHECK(largest_difference(attend(scheme->layer(0), inputs, true).log_normaliser, plain.log_normaliser) < 1e-10);
    }
}

TEST_CASE("the fused path's gradients equal autograd's for every variant of DAPE", "[attention]") {
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        for (const auto& sizes : kSizes) expect_equal_gradients(scheme_with("dape-kerple", "adaptive", "variant", std::string(variant)), kFusedDapePath, sizes);
    }
    for (const auto* preset : {"dape-alibi", "dape-fire"}) expect_equal_gradients(scheme(preset), kFusedDapePath, {.queries = 33, .keys = 33});
}

TEST_CASE("DAPE without a static bias reads the content alone, in the fused path too", "[attention]") {
    auto spec = find_scheme("dape-kerple").value();
    spec.slots.erase("bias");
    expect_equal_gradients(check_scheme(spec).value(), kFusedDapePath, {.queries = 33, .keys = 33});
}

TEST_CASE("a bias as a sliding mask gives the plain path's numbers, forward and gradient, over several blocks", "[attention]") {
    const InputSizes sizes{.batch = 2, .heads = 4, .key_heads = 2, .queries = 300, .keys = 340};
    expect_equal_gradients(scheme("alibi"), kStockBiasPath, sizes);
    expect_equal_gradients(scheme("sandwich"), kStockBiasPath, sizes);
    const at::NoGradGuard no_gradient;
    for (const auto* preset : {"alibi", "t5", "kerple-log", "kerple-power", "fire", "sandwich"}) {
        auto layer_scheme = build(scheme(preset), shape_for(sizes));
        layer_scheme->to(at::kDouble);
        auto inputs = random_inputs(sizes);
        const auto compare = [&] {
            CAPTURE(preset);
            CHECK(largest_difference(kStockBiasPath.run(layer_scheme->layer(0), inputs, false).output, plain_attention(layer_scheme->layer(0), inputs).output) < 1e-10);
        };
        compare();
        inputs.key_positions = inputs.key_positions * 1.5;  // no unit steps: the mask is built in full
        inputs.query_positions = inputs.query_positions * 1.5;
        compare();
    }
}

TEST_CASE("positions known to rise by one give the numbers that reading them gives", "[attention]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 4, .key_heads = 2, .queries = 130, .keys = 177};
    for (const auto* preset : {"alibi", "t5", "kerple-log", "fire", "dape-fire", "transformer-xl"}) {
        auto layer_scheme = build(scheme(preset), shape_for(sizes));
        layer_scheme->to(at::kDouble);
        const auto& layer = layer_scheme->layer(0);
        auto read = inputs_for(layer, sizes);
        read.key_positions = read.key_positions + 5;
        read.query_positions = read.query_positions + 5;
        auto known = read;
        known.steps = PositionSteps::by_one;
        known.first_position = 5;
        CAPTURE(preset);
        CHECK(at::equal(plain_attention(layer, known).output, plain_attention(layer, read).output));
        CHECK(at::equal(row_block_attention(layer, known).output, row_block_attention(layer, read).output));
        CHECK(at::equal(attend(layer, known).output, attend(layer, read).output));
    }
}

TEST_CASE("gradients are the same with one block of rows and with many", "[attention]") {
    // One sequence makes blocks of many rows; 3 sequences of 700 keys make several blocks.
    expect_equal_gradients(scheme("dape-kerple"), kFusedDapePath, {.batch = 2, .heads = 2, .key_heads = 1, .queries = 150, .keys = 700});
}

TEST_CASE("stock attention serves rotations in double and refuses biases, saying why", "[attention]") {
    const InputSizes sizes;
    const auto rope = build(scheme("rope"), shape_for(sizes)), alibi = build(scheme("alibi"), shape_for(sizes)), kerple = build(scheme("kerple-log"), shape_for(sizes)),
               dape = build(scheme("dape-kerple"), shape_for(sizes));
    CHECK(plan(rope->layer(0), question_for(sizes, true)).path->id == std::string("stock"));
    const auto in_double = question_for(sizes, true);
    auto in_float = in_double;
    in_float.double_precision = false;
    CHECK(plan(alibi->layer(0), in_double).path->id == std::string("stock+mask"));
    CHECK(plan(kerple->layer(0), in_double).path->id == std::string("plain"));
    CHECK(plan(dape->layer(0), in_double).path->id == std::string("fused-dape"));
    CHECK_THAT(plan(kerple->layer(0), in_double).why, Catch::Contains("no gradient to a learned bias"));
    for (const auto& any : {rope, alibi, kerple, dape}) CHECK(plan(any->layer(0), in_float).path->id == std::string("fused-cpu-training"));
    CHECK(plan(rope->layer(0), {.queries = 64, .keys = 64}).path->id == std::string("fused-cpu"));
    CHECK(plan(rope->layer(0), {.queries = 1, .keys = 64}).path->id == std::string("stock"));  // decoding
    CHECK(plan(kerple->layer(0), {.queries = 16384, .keys = 16384, .double_precision = true}).path->id == std::string("stock+mask"));
    CHECK(plan(kerple->layer(0), {.queries = 16384, .keys = 16384, .wants_normaliser = true, .double_precision = true}).path->id == std::string("row-block"));
}

TEST_CASE("changing later keys leaves earlier rows bit for bit the same", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto& preset : scheme_presets()) {
        if (preset.id == "tupe") continue;  // its table ends
        const InputSizes sizes{.queries = 24, .keys = 24};
        auto scheme = build(check_scheme(preset.scheme).value(), shape_for(sizes));
        const auto inputs = inputs_for(scheme->layer(0), sizes, at::kFloat);
        auto changed = inputs;
        changed.k = inputs.k.clone();
        changed.v = inputs.v.clone();
        changed.k.narrow(2, 12, 12).add_(3.0);
        changed.v.narrow(2, 12, 12).mul_(-2.0);
        const auto before = plain_attention(scheme->layer(0), inputs).output.narrow(2, 0, 12);
        const auto after = plain_attention(scheme->layer(0), changed).output.narrow(2, 0, 12);
        CAPTURE(preset.id);
        CHECK(at::equal(before, after));
    }
}
