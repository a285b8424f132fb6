/// The fused training path: its gradients, in float32, are autograd's through the plain path in double.
#include "tests/support/parallel.h"

#include "core/attention/attention.h"
#include "core/attention/kernels/cpu/targets.h"
#include "tests/support/schemes.h"

#include <algorithm>

using namespace lw;
using namespace lw::test;

namespace {

/// An attention of one layer whose output is contracted with fixed weights.
struct Attention {
    std::shared_ptr<PositionScheme> scheme;
    AttentionInputs inputs;
    std::vector<at::Tensor> leaves;

    Attention(const SchemeSpec& spec, const InputSizes& sizes, at::ScalarType type) : scheme(build(spec, shape_for(sizes))), inputs(random_inputs(sizes)) {
        scheme->to(type);
        for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) {
            *x = x->to(type).requires_grad_(true);
            leaves.push_back(*x);
        }
        for (const auto& module : std::initializer_list<std::shared_ptr<torch::nn::Module>>{layer().bias, layer().adaptive}) {
            if (!module) continue;
            for (const auto& parameter : module->parameters()) leaves.push_back(parameter);
        }
    }
    [[nodiscard]] const LayerScheme& layer() const { return scheme->layer(0); }
    [[nodiscard]] at::Tensor loss(const AttentionResult& result) const {
        const SeedScope scope(5);
        return (result.output * at::randn(result.output.sizes(), at::kDouble).to(result.output.scalar_type())).sum();
    }
    [[nodiscard]] std::vector<at::Tensor> gradients(bool fused) const {
        const auto result = fused ? kFusedCpuTrainingPath.run(layer(), inputs, false) : plain_attention(layer(), inputs);
        return torch::autograd::grad({loss(result)}, leaves, {}, std::nullopt, false, true);
    }
};

/// The largest difference, as a part of the largest gradient. Where a row sees one key its weights cannot change, and gradients are rounding.
double relative_difference(const at::Tensor& expected, const at::Tensor& got) {
    return largest_difference(expected, got.to(at::kDouble)) / std::max(expected.abs().max().item<double>(), 0.1);
}

void expect_plain_gradients(const SchemeSpec& spec, const InputSizes& sizes) {
    const auto expected = Attention(spec, sizes, at::kDouble).gradients(false), got = Attention(spec, sizes, at::kFloat).gradients(true);
    REQUIRE(expected.size() == got.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(spec.name, i, sizes.heads, sizes.key_heads, sizes.queries, sizes.keys, sizes.width);
        REQUIRE(expected[i].defined() == got[i].defined());
        if (expected[i].defined()) CHECK(relative_difference(expected[i], got[i]) < 1e-4);
    }
}

SchemeSpec dape(std::int64_t hidden, const std::string& variant = "concat_residual", const std::string& preset = "dape-kerple") {
    auto spec = find_scheme(preset).value();
    spec.slots.at("adaptive").params["hidden"] = hidden;
    spec.slots.at("adaptive").params["variant"] = variant;
    return check_scheme(spec).value();
}

/// DAPE v2 over the bias of another scheme, or over none.
SchemeSpec dape_v2(const std::string& preset, std::int64_t kernel, const std::string& variant = "concat_residual") {
    auto spec = find_scheme(preset).value();
    spec.slots["adaptive"] = {"dape-v2", {{"kernel", kernel}, {"variant", variant}, {"hidden", std::int64_t{12}}}};
    return check_scheme(spec).value();
}

/// As many threads as asked for, as long as it lives.
struct Threads {
    int before = at::get_num_threads();
    explicit Threads(int count) { at::set_num_threads(count); }
    ~Threads() { at::set_num_threads(before); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
};

}  // namespace

TEST_CASE("fused training gives the plain path's gradients for any number of heads, widths and lengths", "[attention]") {
    const std::vector<std::int64_t> heads{1, 2, 3, 5, 8, 12, 16, 32}, hidden{1, 4, 10, 32, 64}, widths{8, 16, 32, 64, 80, 128}, lengths{1, 2, 17, 127, 128, 129};
    // Lists of coprime lengths step together, so that pairs of sizes vary; large ones with short texts.
    for (std::size_t i = 0; i < 24; ++i) {
        const auto h = heads[i % heads.size()], d = widths[(i * 5 + i / 6) % widths.size()];
        const auto length = h * d > 512 ? std::min<std::int64_t>(lengths[(i + i / 8) % lengths.size()], 17) : lengths[(i + i / 8) % lengths.size()];
        const InputSizes sizes{.batch = 2, .heads = h, .key_heads = h, .queries = length, .keys = length, .width = d};
        expect_plain_gradients(dape(hidden[i % hidden.size()]), sizes);
        expect_plain_gradients(scheme("kerple-log"), sizes);
    }
}

TEST_CASE("fused training serves grouped key heads and fewer queries than keys", "[attention]") {
    for (const auto& sizes : {InputSizes{.batch = 3, .heads = 6, .key_heads = 2, .queries = 9, .keys = 64}, InputSizes{.batch = 1, .heads = 8, .key_heads = 1, .queries = 33, .keys = 34},
                              InputSizes{.batch = 3, .heads = 4, .key_heads = 4, .queries = 1, .keys = 50}}) {
        for (const auto* preset : {"dape-kerple", "dape-alibi", "dape-fire", "alibi", "fire"}) expect_plain_gradients(scheme(preset), sizes);
    }
}

TEST_CASE("fused training serves every variant of DAPE, on biases by distance and by row", "[attention]") {
    const InputSizes sizes{.batch = 3, .heads = 4, .key_heads = 4, .queries = 70, .keys = 70, .width = 16};
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        expect_plain_gradients(dape(12, variant), sizes);
        expect_plain_gradients(dape(12, variant, "dape-fire"), sizes);
    }
    auto without_bias = find_scheme("dape-kerple").value();
    without_bias.slots.erase("bias");
    expect_plain_gradients(check_scheme(without_bias).value(), sizes);
    expect_plain_gradients(scheme_with("dape-kerple", "adaptive", "linear_bias", false), sizes);
}

TEST_CASE("fused training serves DAPE v2 with every kernel, over every form of bias, wherever a tile of keys ends", "[attention]") {
    for (const std::int64_t kernel : {1, 3, 5, 7}) {
        for (const auto* preset : {"kerple-log", "alibi", "fire", "nope"}) {
            for (const auto& sizes : {InputSizes{.batch = 1, .heads = 4, .key_heads = 4, .queries = 1, .keys = 1}, InputSizes{.batch = 3, .heads = 6, .key_heads = 2, .queries = 31, .keys = 95, .width = 16},
                                      InputSizes{.batch = 1, .heads = 5, .key_heads = 5, .queries = 130, .keys = 130, .width = 24}}) {
                expect_plain_gradients(dape_v2(preset, kernel), sizes);
            }
        }
    }
    const InputSizes sizes{.batch = 3, .heads = 4, .key_heads = 4, .queries = 70, .keys = 70, .width = 16};
    for (const auto* variant : {"concat", "add_residual", "bias_only"}) {
        for (const auto* preset : {"kerple-log", "fire"}) expect_plain_gradients(dape_v2(preset, 3, variant), sizes);
    }
    expect_plain_gradients(scheme_with("dape-v2-kerple", "adaptive", "linear_bias", false), sizes);
    // Several blocks of rows where the bias is made cell by cell.
    expect_plain_gradients(dape_v2("fire", 3), {.batch = 1, .heads = 32, .key_heads = 32, .queries = 300, .keys = 300});
}

TEST_CASE("fused training hands gradients to every static bias that learns, and needs none", "[attention]") {
    const InputSizes sizes{.batch = 1, .heads = 4, .key_heads = 4, .queries = 150, .keys = 170, .width = 16};
    for (const auto* preset : {"nope", "alibi", "sandwich", "t5", "kerple-log", "kerple-power", "fire"}) expect_plain_gradients(scheme(preset), sizes);
    // Several blocks of rows where the bias is made cell by cell.
    expect_plain_gradients(scheme("fire"), {.batch = 1, .heads = 32, .key_heads = 32, .queries = 300, .keys = 300});
}

TEST_CASE("fused training serves patterns that are intervals of keys, sinks among them", "[attention]") {
    const std::vector<std::pair<std::string, Params>> patterns{{"causal", {}},
                                                               // Of two keys FIRE's gradients are 1.03e-4 of the largest apart: they nearly cancel there.
                                                               {"window", {{"window", std::int64_t{5}}}},
                                                               {"window", {{"window", std::int64_t{37}}}},
                                                               {"lambda", {{"global", std::int64_t{10}}, {"local", std::int64_t{50}}}},
                                                               {"blockwise", {{"block", std::int64_t{20}}}},
                                                               {"sinks", {{"sinks", std::int64_t{3}}, {"recent", std::int64_t{20}}}}};
    for (const auto& [id, params] : patterns) {
        for (const auto* preset : {"kerple-log", "t5", "fire", "dape-kerple", "dape-fire", "dape-v2-kerple", "nope"}) {
            auto spec = find_scheme(preset).value();
            spec.slots["visibility"] = {id, params};
            CAPTURE(id);
            expect_plain_gradients(check_scheme(spec).value(), {.batch = 2, .heads = 4, .key_heads = 2, .queries = 90, .keys = 133, .width = 16});
        }
    }
}

TEST_CASE("the plan trains under a window with the CPU kernels, and says why not where rows see the future", "[attention]") {
    const InputSizes sizes;
    const auto why = [&](const std::string& id) {
        auto spec = find_scheme("kerple-log").value();
        spec.slots["visibility"] = {id, {}};
        return plan(build(check_scheme(spec).value(), shape_for(sizes))->layer(0), {.queries = 64, .keys = 64, .gradient = true});
    };
    CHECK(plan(build(scheme("dape-v2-kerple"), shape_for(sizes))->layer(0), {.queries = 64, .keys = 64, .gradient = true}).path->id == std::string("fused-cpu-training"));
    CHECK(why("window").path->id == std::string("fused-cpu-training"));
    CHECK_THAT(why("full").why, Catch::Contains("fused-cpu-training: queries read keys after their own"));
}

TEST_CASE("a bias by distance whose positions are no unit steps is read cell by cell", "[attention]") {
    const InputSizes sizes{.batch = 2, .heads = 4, .key_heads = 4, .queries = 40, .keys = 50, .width = 16};
    Attention plain(scheme("kerple-log"), sizes, at::kDouble), fused(scheme("kerple-log"), sizes, at::kFloat);
    for (auto* attention : {&plain, &fused}) {
        attention->inputs.key_positions = attention->inputs.key_positions * 1.5;
        attention->inputs.query_positions = attention->inputs.query_positions * 1.5;
    }
    const auto expected = plain.gradients(false), got = fused.gradients(true);
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(relative_difference(expected[i], got[i]) < 1e-4);
}

namespace {

void expect_finite_differences(const SchemeSpec& spec) {
    const InputSizes sizes{.batch = 1, .heads = 2, .key_heads = 2, .queries = 6, .keys = 6, .width = 8};
    const auto got = Attention(spec, sizes, at::kFloat).gradients(true);
    const Attention plain(spec, sizes, at::kDouble);
    const at::NoGradGuard no_gradient;
    for (std::size_t i = 0; i < got.size(); ++i) {
        auto leaf = plain.leaves[i].data();
        const auto count = std::min<std::int64_t>(leaf.numel(), 12);
        for (std::int64_t n = 0; n < count; ++n) {
            auto cell = leaf.view(-1)[n * leaf.numel() / count];
            const double step = 1e-6, value = cell.item<double>();
            const auto loss_at = [&](double x) {
                cell.fill_(x);
                return plain.loss(plain_attention(plain.layer(), plain.inputs)).item<double>();
            };
            const double slope = (loss_at(value + step) - loss_at(value - step)) / (2 * step);
            cell.fill_(value);
            CAPTURE(i, n);
            CHECK(got[i].reshape(-1)[n * leaf.numel() / count].item<double>() == Approx(slope).margin(1e-4).epsilon(1e-4));
        }
    }
}

}  // namespace

TEST_CASE("fused training agrees with finite differences of the plain path", "[attention]") {
    // Not on KERPLE, whose parameters are clamped at every pass: one that lies at its bound has a slope on one side only.
    expect_finite_differences(dape(5, "concat_residual", "dape-alibi"));
    expect_finite_differences(dape(5, "concat_residual", "dape-fire"));
    expect_finite_differences(dape_v2("alibi", 3));
    expect_finite_differences(scheme("t5"));
}

TEST_CASE("fused training is bit-equal from run to run, and nearly so with another number of threads", "[attention]") {
    // One sequence and three: both cut a sequence between two threads.
    for (const std::int64_t batch : {1, 3}) {
        const InputSizes sizes{.batch = batch, .heads = 4, .key_heads = 2, .queries = 130, .keys = 130, .width = 16};
        for (const auto* preset : {"dape-kerple", "dape-v2-kerple", "kerple-log", "fire"}) {
            const Attention attention(scheme(preset), sizes, at::kFloat);
            std::vector<at::Tensor> with_one, with_two;
            {
                const Threads threads(1);
                with_one = attention.gradients(true);
            }
            {
                const Threads threads(2);
                with_two = attention.gradients(true);
                const auto again = attention.gradients(true);
                for (std::size_t i = 0; i < again.size(); ++i) CHECK(at::equal(with_two[i], again[i]));
            }
            for (std::size_t i = 0; i < with_one.size(); ++i) {
                CAPTURE(preset, batch, i);
                CHECK(relative_difference(with_one[i].to(at::kDouble), with_two[i]) < 2e-5);
            }
        }
    }
}

TEST_CASE("every instruction set that this machine has gives the same gradients", "[attention]") {
    for (const auto& target : kernels::machine_targets()) {
        const kernels::TargetScope scope(target);
        CAPTURE(target);
        for (const auto* preset : {"dape-kerple", "dape-v2-kerple", "t5"}) {
            expect_plain_gradients(scheme(preset), {.batch = 2, .heads = 5, .key_heads = 5, .queries = 35, .keys = 40, .width = 24});
        }
    }
}
