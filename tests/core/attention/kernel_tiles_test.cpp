/// The phases that the GPU kernels are made of, run on the CPU against the plain path in double.
#include "tests/support/catch_torch.h"

#include "tests/support/kernel_emulator.h"
#include "tests/support/schemes.h"

using namespace lw;
using namespace lw::test;

namespace {

/// A scheme's layer and inputs in float32, and the same in double.
struct Pair {
    std::shared_ptr<PositionScheme> single, twice;
    AttentionInputs inputs, double_inputs;

    Pair(const SchemeSpec& spec, const InputSizes& sizes) : single(build(spec, shape_for(sizes))), twice(build(spec, shape_for(sizes))) {
        twice->to(at::kDouble);
        inputs = random_inputs(sizes, at::kFloat);
        adopt();
    }
    /// Makes the double inputs those of now.
    void adopt() {
        double_inputs = inputs;
        for (auto* x : {&double_inputs.q, &double_inputs.k, &double_inputs.v}) *x = x->to(at::kDouble);
    }
    [[nodiscard]] const LayerScheme& layer() const { return single->layer(0); }
    [[nodiscard]] AttentionResult plain() const { return plain_attention(twice->layer(0), double_inputs, true); }
};

std::vector<at::Tensor> gradients_of(PositionScheme& scheme, AttentionInputs& inputs, const std::function<at::Tensor()>& output) {
    std::vector<at::Tensor> leaves;
    for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) leaves.push_back(x->detach_().requires_grad_(true));
    for (const auto& parameter : scheme.parameters()) leaves.push_back(parameter);
    const auto result = output();
    const SeedScope scope(5);
    const auto weights = at::randn(result.sizes(), at::kDouble).to(result.scalar_type());
    return torch::autograd::grad({(result * weights).sum()}, leaves, {}, std::nullopt, false, true);
}

/// Largest difference, as a share of the largest value or of 1.
double relative_difference(const at::Tensor& a, const at::Tensor& b) {
    return largest_difference(a.to(at::kDouble), b) / std::max(1.0, b.abs().max().item<double>());
}

void expect_forward(const Pair& pair, double tolerance = 2e-5) {
    const at::NoGradGuard no_gradient;
    const auto got = kernel_attention(emulated_kernels(), pair.layer(), pair.inputs);
    const auto expected = pair.plain();
    CHECK(relative_difference(got.output, expected.output) < tolerance);
    CHECK(relative_difference(got.log_normaliser, expected.log_normaliser) < tolerance);
}

void expect_gradients(Pair& pair, double tolerance = 1e-4) {
    const auto got = gradients_of(*pair.single, pair.inputs, [&] { return kernel_attention(emulated_kernels(), pair.layer(), pair.inputs).output; });
    const auto expected = gradients_of(*pair.twice, pair.double_inputs, [&] { return plain_attention(pair.twice->layer(0), pair.double_inputs).output; });
    REQUIRE(got.size() == expected.size());
    for (std::size_t n = 0; n < got.size(); ++n) {
        CAPTURE(n);
        REQUIRE(got[n].defined() == expected[n].defined());
        if (got[n].defined()) CHECK(relative_difference(got[n], expected[n]) < tolerance);
    }
}

void expect_equal(const SchemeSpec& spec, const InputSizes& sizes) {
    CAPTURE(spec.name, sizes.batch, sizes.heads, sizes.key_heads, sizes.queries, sizes.keys, sizes.width);
    Pair pair(spec, sizes);
    expect_forward(pair);
    expect_gradients(pair);
}

/// Puts the emulation back to its defaults.
struct EmulationScope {
    explicit EmulationScope(const Emulation& now) { emulation() = now; }
    ~EmulationScope() { emulation() = Emulation{}; }
};

const std::vector<const char*> kBiases{"alibi", "t5", "kerple-log", "kerple-power", "sandwich", "fire"};
const std::vector<const char*> kNetworks{"dape-alibi", "dape-kerple", "dape-fire", "dape-v2-kerple"};

}  // namespace

TEST_CASE("GPU phases give the plain path's numbers for static biases", "[attention]") {
    for (const auto* preset : kBiases) {
        for (const InputSizes& sizes : {InputSizes{.queries = 1, .keys = 1}, {.queries = 1, .keys = 23},
                                        {.batch = 1, .heads = 3, .key_heads = 1, .queries = 70, .keys = 129},
                                        {.batch = 2, .heads = 2, .key_heads = 2, .queries = 67, .keys = 67, .width = 20}}) {
            expect_equal(scheme(preset), sizes);
        }
    }
}

TEST_CASE("GPU phases give the plain path's numbers for DAPE on every bias and DAPE v2", "[attention]") {
    for (const auto* preset : kNetworks) {
        for (const InputSizes& sizes : {InputSizes{.queries = 1, .keys = 1}, {.queries = 2, .keys = 2}, {.heads = 5, .key_heads = 5, .queries = 1, .keys = 37},
                                        {.batch = 1, .heads = 8, .key_heads = 2, .queries = 41, .keys = 83},
                                        {.batch = 2, .heads = 1, .key_heads = 1, .queries = 33, .keys = 33, .width = 80}}) {
            expect_equal(scheme(preset), sizes);
        }
    }
}

TEST_CASE("GPU phases know every variant of DAPE", "[attention]") {
    const InputSizes sizes{.batch = 2, .heads = 3, .key_heads = 3, .queries = 19, .keys = 40};
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        for (const auto* preset : {"dape-kerple", "dape-v2-kerple"}) {
            CAPTURE(variant);
            expect_equal(scheme_with(preset, "adaptive", "variant", std::string(variant)), sizes);
            expect_equal(scheme_with(preset, "adaptive", "linear_bias", false), sizes);
        }
    }
    for (const auto* preset : {"dape-kerple", "dape-v2-kerple"}) {
        auto without_bias = find_scheme(preset).value();
        without_bias.slots.erase("bias");
        expect_equal(check_scheme(without_bias).value(), sizes);
    }
}

TEST_CASE("GPU phases fit any hidden width, kernel and number of heads", "[attention]") {
    for (const std::int64_t hidden : {1, 4, 10, 64}) {
        expect_equal(scheme_with("dape-fire", "adaptive", "hidden", hidden), {.batch = 1, .heads = 12, .key_heads = 4, .queries = 21, .keys = 50, .width = 16});
    }
    for (const std::int64_t kernel : {1, 5, 7}) {
        expect_equal(scheme_with("dape-v2-kerple", "adaptive", "kernel", kernel), {.batch = 1, .heads = 2, .key_heads = 2, .queries = 30, .keys = 61});
        const EmulationScope little({.shared_bytes = 9 * 1024});  // tiles of few keys: halos reach over several
        expect_equal(scheme_with("dape-v2-kerple", "adaptive", "kernel", kernel), {.batch = 1, .heads = 2, .key_heads = 2, .queries = 30, .keys = 61});
    }
}

TEST_CASE("GPU phases hold over a sweep of heads, widths and lengths", "[attention]") {
    expect_equal(scheme_with("dape-kerple", "adaptive", "hidden", std::int64_t{4}), {.batch = 1, .heads = 1, .key_heads = 1, .queries = 1000, .keys = 1000});
    expect_equal(scheme("fire"), {.batch = 1, .heads = 1, .key_heads = 1, .queries = 127, .keys = 128, .width = 128});
    expect_equal(scheme("dape-v2-kerple"), {.batch = 1, .heads = 16, .key_heads = 16, .queries = 17, .keys = 127, .width = 64});
    expect_equal(scheme("t5"), {.batch = 1, .heads = 16, .key_heads = 2, .queries = 128, .keys = 128, .width = 64});
}

TEST_CASE("GPU phases give the same numbers for any tile, number of threads and of slots", "[attention]") {
    const InputSizes sizes{.batch = 2, .heads = 4, .key_heads = 2, .queries = 40, .keys = 75};
    for (const auto& how : {Emulation{.threads = 1}, Emulation{.shared_bytes = 6 * 1024, .slots = 1}, Emulation{.shared_bytes = 200 * 1024, .slots = 1000}}) {
        const EmulationScope scope(how);
        for (const auto* preset : {"kerple-log", "fire", "dape-fire", "dape-v2-kerple"}) expect_equal(scheme(preset), sizes);
    }
}

TEST_CASE("no GPU thread needs what another does in the same phase", "[attention]") {
    const InputSizes sizes{.batch = 1, .heads = 4, .key_heads = 2, .queries = 40, .keys = 75};
    for (const auto* preset : {"kerple-log", "dape-kerple", "dape-v2-kerple"}) {
        Pair pair(scheme(preset), sizes);
        const auto run = [&] { return gradients_of(*pair.single, pair.inputs, [&] { return kernel_attention(emulated_kernels(), pair.layer(), pair.inputs).output; }); };
        const auto forwards = run();
        const EmulationScope scope({.backwards = true});
        const auto backwards = run();
        for (std::size_t n = 0; n < forwards.size(); ++n) CHECK(at::equal(forwards[n], backwards[n]));
    }
}

TEST_CASE("tensor cores' fragments give the same numbers, lane by lane", "[attention]") {
    const EmulationScope scope({.tensor_cores = true});
    // Up to 32 heads DAPE's hidden values stay in registers; with more they pass through shared memory.
    expect_equal(scheme_with("dape-kerple", "adaptive", "hidden", std::int64_t{10}), {.batch = 1, .heads = 40, .key_heads = 8, .queries = 9, .keys = 21});
    expect_equal(scheme_with("dape-kerple", "adaptive", "hidden", std::int64_t{64}), {.batch = 1, .heads = 32, .key_heads = 8, .queries = 9, .keys = 21});
    for (const auto* variant : {"concat", "add_residual", "bias_only"}) {
        expect_equal(scheme_with("dape-kerple", "adaptive", "variant", std::string(variant)), {.batch = 1, .heads = 9, .key_heads = 9, .queries = 20, .keys = 31});
    }
    for (const auto* preset : {"kerple-log", "fire", "dape-kerple", "dape-v2-kerple"}) {
        for (const InputSizes& sizes : {InputSizes{.batch = 1, .heads = 8, .key_heads = 2, .queries = 41, .keys = 83, .width = 32},
                                        {.heads = 5, .key_heads = 5, .queries = 3, .keys = 37, .width = 20}}) {
            expect_equal(scheme(preset), sizes);
        }
    }
}

TEST_CASE("with 16-bit inputs tensor cores round what is no input to 11 bits", "[attention]") {
    const EmulationScope scope({.tensor_cores = true, .one_pass = true});
    // Slope 1: rounding moves a hidden unit over the kink now and then, which says nothing about the sums.
    for (const auto& spec : {scheme("alibi"), scheme_with("dape-kerple", "adaptive", "slope", 1.0)}) {
        Pair pair(spec, {.batch = 1, .heads = 8, .key_heads = 8, .queries = 41, .keys = 83, .width = 32});
        for (auto* x : {&pair.inputs.q, &pair.inputs.k, &pair.inputs.v}) *x = x->to(at::kBFloat16).to(at::kFloat);
        pair.adopt();
        expect_forward(pair, 2e-3);
        expect_gradients(pair, 5e-3);
    }
}

TEST_CASE("tensor products of any shape are sums of products, for both kinds of fragments", "[attention]") {
    const SeedScope seed(7);
    for (const kernels::ProductShape& shape : {kernels::ProductShape{1, 1, 1, 1, 1}, {2, 17, 9, 3, 5}, {1, 16, 32, 1, 8}, {3, 40, 70, 2, 20}}) {
        // Small whole numbers: every kind of rounding leaves them as they are.
        const auto left = at::randint(-8, 9, {shape.batch, shape.segments, shape.rows, shape.depth}, at::kFloat);
        const auto right = at::randint(-8, 9, {shape.batch, shape.segments, shape.depth, shape.columns}, at::kFloat);
        const auto expected = at::matmul(left, right).sum(1);  // [batch, rows, columns]
        const auto *a = left.const_data_ptr<float>(), *b = right.const_data_ptr<float>();
        const auto left_line = [&](int batch, int segment, int m) { return kernels::line(a + ((batch * shape.segments + segment) * shape.rows + m) * shape.depth); };
        const auto right_line = [&](int batch, int segment, int n) {
            return kernels::line(b + (batch * shape.segments + segment) * shape.depth * shape.columns + n, shape.columns);
        };
        const auto compare = [&](const auto& product) {
            const auto got = at::full_like(expected, -1e9);
            auto* out = got.data_ptr<float>();
            const auto store = [&](int batch, int m, int n, float value) { out[(batch * shape.rows + m) * shape.columns + n] = value; };
            for (int thread = 0; thread < 64; ++thread) product(kernels::Worker{thread, 64}, store);
            CHECK(at::equal(got, expected));
        };
        compare([&](const auto& worker, const auto& store) { kernels::plain_product(worker, shape, left_line, right_line, store); });
        compare([&](const auto& worker, const auto& store) { kernels::tensor_product<true, false>(worker, shape, left_line, right_line, store); });
        compare([&](const auto& worker, const auto& store) { kernels::tensor_product<false, false>(worker, shape, left_line, right_line, store); });
        compare([&](const auto& worker, const auto& store) { kernels::tensor_product<false, true>(worker, shape, left_line, right_line, store); });
    }
}

TEST_CASE("GPU phases stand huge logits and let NaN through", "[attention]") {
    for (const auto* preset : {"alibi", "dape-kerple", "dape-v2-kerple"}) {
        const InputSizes sizes{.batch = 1, .heads = 4, .key_heads = 4, .queries = 35, .keys = 35};
        Pair pair(scheme(preset), sizes);
        pair.inputs.q = pair.inputs.q * 1e4;
        pair.adopt();
        CAPTURE(preset);
        expect_forward(pair, 1e-4);
        pair.inputs.q[0][1][7][0] = std::numeric_limits<float>::quiet_NaN();
        pair.adopt();
        const at::NoGradGuard no_gradient;
        const auto got = kernel_attention(emulated_kernels(), pair.layer(), pair.inputs).output, expected = pair.plain().output;
        CHECK(at::equal(got.isnan(), expected.isnan()));
    }
}

TEST_CASE("GPU phases never let a later key change an earlier row", "[attention]") {
    const at::NoGradGuard no_gradient;
    for (const auto* preset : {"fire", "dape-kerple", "dape-v2-kerple"}) {
        Pair pair(scheme(preset), {.batch = 1, .heads = 2, .key_heads = 2, .queries = 30, .keys = 30});
        const auto before = kernel_attention(emulated_kernels(), pair.layer(), pair.inputs).output.slice(2, 0, 12);
        pair.inputs.k.slice(2, 12).add_(3.0);
        pair.inputs.v.slice(2, 12).mul_(-7.0);
        CHECK(at::equal(before, kernel_attention(emulated_kernels(), pair.layer(), pair.inputs).output.slice(2, 0, 12)));
    }
}

TEST_CASE("a row that sees no key is NaN, as in the plain path, and adds to no gradient", "[attention]") {
    KernelCall call;
    call.tensors[kQ] = at::randn({1, 2, 5, 8});
    call.tensors[kK] = at::randn({1, 2, 3, 8});
    call.tensors[kV] = at::randn({1, 2, 3, 8});
    call.tensors[kTable] = at::randn({2, 3});
    const auto result = kernel_forward(emulated_kernels(), call);
    CHECK(result.output.slice(2, 0, 2).isnan().all().item<bool>());
    CHECK(result.output.slice(2, 2).isfinite().all().item<bool>());
    CHECK(result.log_normaliser.slice(2, 0, 2).isneginf().all().item<bool>());
    const auto gradients = kernel_backward(emulated_kernels(), call, result, at::ones_like(result.output));
    CHECK(gradients[kK].isfinite().all().item<bool>());
    CHECK(gradients[kTable].isfinite().all().item<bool>());
}

TEST_CASE("schemes that the GPU kernels cannot compute are named", "[attention]") {
    const InputSizes sizes;
    const auto reason = [&](const char* preset) { return beyond_kernels(build(scheme(preset), shape_for(sizes))->layer(0)); };
    CHECK(reason("dape-v2-kerple").empty());
    CHECK(reason("fire").empty());
    CHECK(reason("rope").empty());
    CHECK_FALSE(reason("cope").empty());
    auto inputs = random_inputs(sizes);
    CHECK(positions_are_plain(inputs));
    inputs.key_positions = inputs.key_positions * 0.5;
    CHECK_FALSE(positions_are_plain(inputs));
    inputs.steps = PositionSteps::by_one;  // what is known is not read again
    CHECK(positions_are_plain(inputs));
    inputs.steps = PositionSteps::other;
    CHECK_FALSE(positions_are_plain(inputs));
}
