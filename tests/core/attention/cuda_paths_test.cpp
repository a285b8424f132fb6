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

/// What the fused path serves: static biases, DAPE's variants, DAPE v2 and DAPE without a bias.
std::vector<SchemeSpec> fused_schemes() {
    std::vector<SchemeSpec> specs;
    for (const auto* preset : {"alibi", "t5", "kerple-log", "kerple-power", "sandwich", "fire", "dape-fire", "dape-v2-kerple"}) specs.push_back(scheme(preset));
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) specs.push_back(scheme_with("dape-kerple", "adaptive", "variant", std::string(variant)));
    auto without_bias = find_scheme("dape-kerple").value();
    without_bias.slots.erase("bias");
    specs.push_back(check_scheme(without_bias).value());
    return specs;
}

/// Gradients of q, k, v and every parameter; on a GPU by the fused path, on the CPU by the plain one.
std::vector<at::Tensor> gradients_of(const SchemeSpec& spec, const InputSizes& sizes, at::ScalarType type, at::Device device) {
    const auto scheme = build(spec, shape_for(sizes));
    scheme->to(type);
    scheme->to(device);
    auto inputs = random_inputs(sizes, at::kFloat);
    for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = x->to(type);
    if (device.is_cuda()) inputs = on_gpu(inputs);
    std::vector<at::Tensor> leaves = scheme->parameters();
    for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) leaves.push_back(x->requires_grad_(true));
    const auto output = (device.is_cuda() ? kCudaPath.run(scheme->layer(0), inputs, false) : plain_attention(scheme->layer(0), inputs)).output;
    const auto weights = at::arange(output.numel(), output.options()).remainder(7).sub(3).view_as(output);
    return torch::autograd::grad({(output * weights).sum()}, leaves);
}

}  // namespace

TEST_CASE("paths on a GPU equal the plain path on the CPU", "[attention][cuda]") {
    LW_NEEDS_GPU
    const at::NoGradGuard no_gradient;
    for (const auto& preset : scheme_presets()) {
        if (preset.id == "tupe") continue;  // its table ends
        for (const auto& sizes : kSizes) {
            CHECK(compare_paths(check_scheme(preset.scheme).value(), sizes, at::kDouble, 1e-10) > 0);
            CHECK(compare_paths(check_scheme(preset.scheme).value(), sizes, at::kFloat, 2e-5) > 0);
        }
    }
}

TEST_CASE("the fused GPU path serves every static bias and every variant of DAPE", "[attention][cuda]") {
    LW_NEEDS_GPU
    REQUIRE(cuda_library().why_not() == "");
    const at::NoGradGuard no_gradient;
    for (const auto& spec : fused_schemes()) {
        for (const auto& sizes : kSizes) CHECK(compare_paths(spec, sizes, at::kFloat, 2e-5, "cuda") == 2);
    }
}

TEST_CASE("the fused GPU path's gradients equal the plain path's on the CPU in double", "[attention][cuda]") {
    LW_NEEDS_GPU
    REQUIRE(cuda_library().why_not() == "");
    for (const auto& spec : fused_schemes()) {
        for (const auto& sizes : kSizes) {
            const auto plain = gradients_of(spec, sizes, at::kDouble, at::kCPU), got = gradients_of(spec, sizes, at::kFloat, at::kCUDA);
            REQUIRE(plain.size() == got.size());
            for (std::size_t n = 0; n < plain.size(); ++n) {
                CAPTURE(spec.name, n, sizes.queries, sizes.keys);
                CHECK(largest_difference(got[n].cpu().to(at::kDouble), plain[n]) < 1e-4 * std::max(1.0, plain[n].abs().max().item<double>()));
            }
        }
    }
}

TEST_CASE("16-bit inputs and the general kernel give the plain path's numbers on a GPU", "[attention][cuda]") {
    LW_NEEDS_GPU
    REQUIRE(cuda_library().why_not() == "");
    const at::NoGradGuard no_gradient;
    for (const auto& spec : fused_schemes()) {
        for (const auto type : {at::kFloat, at::kHalf, at::kBFloat16}) {
            const auto scheme = build(spec, shape_for(kSizes.back()));
            auto inputs = random_inputs(kSizes.back(), at::kFloat);
            for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = x->to(type).to(at::kFloat);
            const auto plain = plain_attention(scheme->layer(0), inputs).output;
            scheme->to(at::Device(at::kCUDA));
            for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = x->to(type);
            for (const bool without_tensor_cores : {false, true}) {
                auto call = kernel_call(scheme->layer(0), on_gpu(inputs));
                call.settings.without_tensor_cores = without_tensor_cores;
                CAPTURE(spec.name, type, without_tensor_cores);
                const auto got = kernel_forward(cuda_library().kernels(), call).output.cpu().to(at::kFloat);
                CHECK(largest_difference(got, plain) < (type == at::kFloat ? 2e-5 : type == at::kHalf ? 5e-3 : 3e-2));
            }
        }
    }
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
