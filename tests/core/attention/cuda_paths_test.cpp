/// On a GPU every attention path gives the numbers that the plain path gives on the CPU.
#include "tests/support/catch_torch.h"

#include "core/attention/attention.h"
#include "core/attention/cuda_library.h"
#include "tests/support/gpu.h"
#include "tests/support/schemes.h"

using namespace lw;
using namespace lw::test;

namespace {

const std::vector<InputSizes> kSizes{{.queries = 1, .keys = 23},
                                     {.queries = 33, .keys = 33},
                                     {.batch = 3, .heads = 6, .key_heads = 3, .queries = 9, .keys = 64},
                                     {.batch = 1, .heads = 8, .key_heads = 2, .queries = 301, .keys = 517, .width = 16}};

AttentionInputs on_gpu(const AttentionInputs& inputs) {
    auto moved = inputs;
    for (auto* x : {&moved.q, &moved.k, &moved.v, &moved.query_positions, &moved.key_positions, &moved.key_state}) {
        if (x->defined()) *x = x->to(at::kCUDA);
    }
    return moved;
}

AttentionQuestion question_for(const InputSizes& sizes, at::ScalarType type) {
    return {.batch = sizes.batch, .heads = sizes.heads, .queries = sizes.queries, .keys = sizes.keys, .head_width = sizes.width, .on_gpu = true,
            .double_precision = type == at::kDouble};
}

/// Runs every path that serves the scheme on the GPU; returns how many did.
int compare_paths(const SchemeSpec& spec, const InputSizes& sizes, at::ScalarType type, double tolerance, const std::string& only = "") {
    auto scheme = build(spec, shape_for(sizes));
    scheme->to(type);
    const auto inputs = inputs_for(scheme->layer(0), sizes, type);
    const auto plain = plain_attention(scheme->layer(0), inputs, true);
    scheme->to(at::Device(at::kCUDA));
    int served = 0;
    for (const auto& path : attention_paths()) {
        if (!only.empty() && only != path.id) continue;
        for (const bool normaliser : {false, true}) {
            auto question = question_for(sizes, type);
            question.wants_normaliser = normaliser;
            if (!path.refusal(scheme->layer(0), question).empty()) continue;
            CAPTURE(spec.name, path.id, sizes.queries, sizes.keys, normaliser);
            const auto result = path.run(scheme->layer(0), on_gpu(inputs), normaliser);
            CHECK(largest_difference(result.output.cpu(), plain.output) < tolerance);
            if (normaliser) CHECK(largest_difference(result.log_normaliser.cpu(), plain.log_normaliser) < tolerance);
            ++served;
        }
    }
    return served;
}

}  // namespace

TEST_CASE("paths on a GPU equal the plain path on the CPU", "[attention][cuda]") {
    LW_NEEDS_GPU
    const at::NoGradGuard no_gradient;
    for (const auto& preset : scheme_presets()) {
        for (const auto& sizes : kSizes) {
            CHECK(compare_paths(check_scheme(preset.scheme).value(), sizes, at::kDouble, 1e-10) > 0);
            CHECK(compare_paths(check_scheme(preset.scheme).value(), sizes, at::kFloat, 2e-5) > 0);
        }
    }
}

TEST_CASE("the CUDA kernel computes every variant of DAPE", "[attention][cuda]") {
    LW_NEEDS_GPU
    REQUIRE(cuda_library().why_not() == "");
    const at::NoGradGuard no_gradient;
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        const auto spec = scheme_with("dape-kerple", "adaptive", "variant", std::string(variant));
        for (const auto& sizes : kSizes) CHECK(compare_paths(spec, sizes, at::kFloat, 2e-5, "cuda") == 2);
    }
    auto without_bias = find_scheme("dape-kerple").value();
    without_bias.slots.erase("bias");
    for (const auto& sizes : kSizes) CHECK(compare_paths(check_scheme(without_bias).value(), sizes, at::kFloat, 2e-5, "cuda") == 2);
}

TEST_CASE("a long text is served in blocks of rows on a GPU", "[attention][cuda]") {
    LW_NEEDS_GPU
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 8, .key_heads = 8, .queries = 4099, .keys = 4099, .width = 16};
    for (const auto* preset : {"alibi", "fire", "dape-kerple", "dape-v2-kerple"}) {
        auto layer_scheme = build(scheme(preset), shape_for(sizes));
        auto inputs = random_inputs(sizes, at::kFloat);
        inputs.length = sizes.keys;
        // The last rows alone on the CPU: they see every key.
        auto last = inputs;
        last.q = inputs.q.slice(2, sizes.queries - 5);
        last.query_positions = inputs.query_positions.slice(0, sizes.queries - 5);
        const auto plain = plain_attention(layer_scheme->layer(0), last).output;
        layer_scheme->to(at::Device(at::kCUDA));
        const auto got = attend(layer_scheme->layer(0), on_gpu(inputs)).output.slice(2, sizes.queries - 5).cpu();
        CAPTURE(preset);
        CHECK(largest_difference(got, plain) < 2e-5);
    }
}
