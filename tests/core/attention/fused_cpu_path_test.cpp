/// The CPU kernels give the numbers of the plain path in double precision: every bias, every variant of DAPE, every size, every instruction set.
#include "tests/support/parallel.h"

#include "core/attention/attention.h"
#include "core/attention/kernels/cpu/targets.h"
#include "core/position/cells.h"
#include "tests/support/schemes.h"

#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

AttentionResult fused(const LayerScheme& layer, const AttentionInputs& inputs) { return kFusedCpuPath.run(layer, inputs, true); }

AttentionInputs in_double(AttentionInputs inputs) {
    for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = x->to(at::kDouble);
    return inputs;
}

/// The largest difference, as a share of the largest value or of 1.
double relative(const at::Tensor& got, const at::Tensor& wanted) {
    return largest_difference(got.to(at::kDouble), wanted) / std::max(1.0, wanted.abs().max().item<double>());
}

void expect_plain(const SchemeSpec& spec, const InputSizes& sizes, double tolerance = 2e-5, double magnitude = 1) {
    const at::NoGradGuard no_gradient;
    auto scheme = build(spec, shape_for(sizes));
    auto inputs = random_inputs(sizes, at::kFloat);
    inputs.q.mul_(magnitude);
    const auto got = fused(scheme->layer(0), inputs);
    scheme->to(at::kDouble);
    const auto wanted = plain_attention(scheme->layer(0), in_double(inputs), true);
    CAPTURE(spec.name, sizes.batch, sizes.heads, sizes.key_heads, sizes.queries, sizes.keys, sizes.width);
    CHECK(relative(got.output, wanted.output) < tolerance);
    CHECK(relative(got.log_normaliser, wanted.log_normaliser) < tolerance);
}

SchemeSpec dape_of_width(const std::string& preset, std::int64_t hidden, const std::string& variant = "concat_residual") {
    auto spec = find_scheme(preset).value();
    spec.slots.at("adaptive").params["hidden"] = hidden;
    spec.slots.at("adaptive").params["variant"] = variant;
    return check_scheme(spec).value();
}

SchemeSpec with_visibility(const std::string& preset, const std::string& id, const Params& params = {}) {
    auto spec = find_scheme(preset).value();
    spec.slots["visibility"] = {id, params};
    return check_scheme(spec).value();
}

/// Every second key up to the query's own: no interval.
class EverySecond final : public Visibility {
public:
    at::Tensor visible(const TileGeometry& geometry) const override {
        const auto distance = place_differences(geometry);
        return distance.ge(0).logical_and(distance.remainder(2).eq(0));
    }
};

std::vector<std::string> schemes_served() { return {"nope", "alibi", "t5", "kerple-log", "kerple-power", "sandwich", "tisa", "fire", "dape-kerple", "dape-alibi", "dape-fire", "dape-nope", "dape-v2-kerple"}; }

/// DAPE v2 over the bias of another scheme, or over none.
SchemeSpec dape_v2(const std::string& preset, std::int64_t kernel, const std::string& variant = "concat_residual") {
    auto spec = find_scheme(preset).value();
    spec.slots["adaptive"] = {"dape-v2", {{"kernel", kernel}, {"variant", variant}, {"hidden", std::int64_t{12}}}};
    return check_scheme(spec).value();
}

}  // namespace

TEST_CASE("the CPU kernels equal the plain path for every static bias and DAPE over it", "[attention][kernels]") {
    for (const auto& preset : schemes_served()) {
        for (const auto& sizes : {InputSizes{.queries = 1, .keys = 1}, InputSizes{.queries = 5, .keys = 40}, InputSizes{.heads = 6, .key_heads = 2, .queries = 129, .keys = 129, .width = 16}}) {
            expect_plain(scheme(preset), sizes);
        }
    }
}

TEST_CASE("every instruction set of this machine gives the plain path's numbers", "[attention][kernels]") {
    CHECK(kernels::machine_targets().size() >= 1);
    for (const auto& target : kernels::machine_targets()) {
        CAPTURE(target);
        const kernels::TargetScope scope(target);
        for (const auto* preset : {"alibi", "fire", "dape-kerple", "dape-fire", "dape-v2-kerple"}) {
            expect_plain(scheme(preset), {.batch = 1, .heads = 6, .key_heads = 3, .queries = 70, .keys = 211, .width = 24});
        }
    }
}

TEST_CASE("the CPU kernels take any number of heads and hidden units", "[attention][kernels]") {
    for (const std::int64_t heads : {1, 2, 3, 5, 8, 12, 16, 32}) {
        for (const std::int64_t hidden : {1, 4, 10, 32, 64}) {
            expect_plain(dape_of_width("dape-kerple", hidden), {.batch = 1, .heads = heads, .key_heads = heads, .queries = 33, .keys = 45, .width = 8});
        }
    }
}

TEST_CASE("the CPU kernels take any head width and length", "[attention][kernels]") {
    for (const std::int64_t width : {8, 16, 32, 64, 80, 128}) {
        for (const auto* preset : {"kerple-log", "dape-kerple"}) expect_plain(scheme(preset), {.batch = 1, .heads = 2, .key_heads = 1, .queries = 40, .keys = 130, .width = width});
    }
    for (const std::int64_t length : {1, 2, 17, 127, 128, 129, 1000}) {
        for (const auto* preset : {"alibi", "dape-alibi"}) expect_plain(scheme(preset), {.batch = 1, .heads = 3, .key_heads = 3, .queries = length, .keys = length, .width = 16});
    }
    expect_plain(scheme("dape-kerple"), {.batch = 1, .heads = 2, .key_heads = 2, .queries = 3, .keys = 1000, .width = 16});
}

TEST_CASE("the CPU kernels compute every variant of DAPE", "[attention][kernels]") {
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        for (const auto* preset : {"dape-kerple", "dape-fire"}) expect_plain(dape_of_width(preset, 12, variant), {.batch = 1, .heads = 5, .key_heads = 5, .queries = 50, .keys = 77});
    }
}

TEST_CASE("the CPU kernels compute DAPE v2 with every kernel, over every form of bias, wherever a tile of keys ends", "[attention][kernels]") {
    for (const std::int64_t kernel : {1, 3, 5, 7}) {
        for (const auto* preset : {"kerple-log", "alibi", "fire", "nope"}) {
            for (const auto& sizes : {InputSizes{.batch = 1, .queries = 1, .keys = 1}, InputSizes{.batch = 2, .heads = 6, .key_heads = 2, .queries = 31, .keys = 147, .width = 16},
                                      InputSizes{.batch = 1, .heads = 5, .key_heads = 5, .queries = 290, .keys = 290}}) {
                expect_plain(dape_v2(preset, kernel), sizes);
            }
        }
    }
    for (const auto* variant : {"concat", "add_residual", "bias_only"}) {
        for (const auto* preset : {"kerple-log", "fire"}) expect_plain(dape_v2(preset, 3, variant), {.batch = 1, .heads = 3, .key_heads = 3, .queries = 50, .keys = 177});
    }
}

TEST_CASE("DAPE v2 in the CPU kernels reads keys that a pattern hides, and none after the query's own", "[attention][kernels]") {
    const InputSizes sizes{.batch = 1, .heads = 2, .key_heads = 2, .queries = 250, .keys = 420};
    for (const auto* preset : {"alibi", "fire"}) {
        for (const auto& [id, params] : std::vector<std::pair<std::string, Params>>{{"causal", {}},
                                                                                   {"window", {{"window", std::int64_t{1}}}},
                                                                                   {"window", {{"window", std::int64_t{70}}}},
                                                                                   {"lambda", {{"global", std::int64_t{10}}, {"local", std::int64_t{50}}}}}) {
            auto spec = dape_v2(preset, 5);
            spec.slots["visibility"] = {id, params};
            expect_plain(check_scheme(spec).value(), sizes);
        }
    }
}

TEST_CASE("the CPU kernels skip keys that a window or sinks hide, and read later ones where there is no mask", "[attention][kernels]") {
    const InputSizes sizes{.batch = 1, .heads = 2, .key_heads = 2, .queries = 250, .keys = 420};
    for (const auto* preset : {"alibi", "fire", "dape-kerple"}) {
        expect_plain(with_visibility(preset, "causal"), sizes);
        expect_plain(with_visibility(preset, "window", {{"window", std::int64_t{1}}}), sizes);
        expect_plain(with_visibility(preset, "window", {{"window", std::int64_t{70}}}), sizes);
        expect_plain(with_visibility(preset, "lambda", {{"global", std::int64_t{10}}, {"local", std::int64_t{50}}}), sizes);
        expect_plain(with_visibility(preset, "blockwise", {{"block", std::int64_t{48}}}), sizes);
        expect_plain(with_visibility(preset, "full"), sizes);
    }
    auto layer = build(scheme("alibi"), shape_for(sizes))->layer(0);
    layer.visibility = std::make_shared<EverySecond>();
    CHECK(kFusedCpuPath.refusal(layer, {.queries = 9, .keys = 9}) == "the mask is no interval of keys");
    CHECK(kFusedCpuTrainingPath.refusal(layer, {.queries = 9, .keys = 9, .gradient = true}) == "the mask is no interval of keys");
}

TEST_CASE("positions with gaps make the bias a function of the cell, and the CPU kernels follow", "[attention][kernels]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.queries = 40, .keys = 60};
    for (const auto* preset : {"alibi", "dape-kerple", "dape-v2-kerple"}) {
        auto made = build(scheme(preset), shape_for(sizes));
        auto inputs = random_inputs(sizes, at::kFloat);
        inputs.key_positions = inputs.key_positions * 1.5;
        inputs.query_positions = inputs.query_positions * 1.5;
        const auto got = fused(made->layer(0), inputs);
        made->to(at::kDouble);
        CHECK(relative(got.output, plain_attention(made->layer(0), in_double(inputs)).output) < 2e-5);
    }
}

namespace {

/// Hidden units of FIRE that change sides all over the trained distances and past them, as training leaves them, and c beside its start.
void bend(PositionScheme& scheme) {
    const at::NoGradGuard no_gradient;
    for (auto& item : scheme.named_parameters()) {
        auto& value = item.value();
        const auto is = [&](const char* name) { return item.key().find(name) != std::string::npos; };
        if (is("first.weight")) value.copy_(at::linspace(-2.0, 3.0, value.numel()).view_as(value));
        else if (is("first.bias")) value.copy_(at::linspace(1.5, -2.0, value.numel()));
        else if (is("bias.c")) value.fill_(2.5);
    }
}

}  // namespace

TEST_CASE("FIRE by pieces equals its network wherever its units change sides", "[attention][kernels]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 3, .key_heads = 3, .queries = 450, .keys = 600};
    for (const auto& target : kernels::machine_targets()) {
        const kernels::TargetScope scope(target);
        for (const auto& spec : {scheme("fire"), scheme("dape-fire"), with_visibility("fire", "full"), with_visibility("dape-fire", "full")}) {
            auto made = build(spec, shape_for(sizes));
            bend(*made);
            const auto inputs = random_inputs(sizes, at::kFloat);
            const auto got = fused(made->layer(0), inputs);
            made->to(at::kDouble);
            const auto wanted = plain_attention(made->layer(0), in_double(inputs), true);
            CAPTURE(target, spec.name);
            CHECK(relative(got.output, wanted.output) < 2e-5);
            CHECK(relative(got.log_normaliser, wanted.log_normaliser) < 2e-5);
        }
    }
}

TEST_CASE("FIRE with weights that are no numbers, or positions with gaps, is computed cell by cell", "[attention][kernels]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.queries = 40, .keys = 60};
    auto made = build(scheme("fire"), shape_for(sizes));
    auto inputs = random_inputs(sizes, at::kFloat);
    inputs.key_positions = inputs.key_positions * 1.5;
    inputs.query_positions = inputs.query_positions * 1.5;
    CHECK(relative(fused(made->layer(0), inputs).output, plain_attention(made->layer(0), inputs).output.to(at::kDouble)) < 2e-5);
    for (auto& item : made->named_parameters()) {
        if (item.key().find("second.bias") != std::string::npos) item.value().fill_(std::numeric_limits<double>::quiet_NaN());
    }
    CHECK(fused(made->layer(0), random_inputs(sizes, at::kFloat)).output.isnan().all().item<bool>());
}

TEST_CASE("scores of ten thousand neither overflow nor lose their order", "[attention][kernels]") {
    // Rounding a logit of 1e4 to float32 moves its weight by a thousandth.
    for (const auto* preset : {"alibi", "dape-kerple"}) expect_plain(scheme(preset), {.batch = 1, .queries = 60, .keys = 200}, 2e-2, 3e3);
}

TEST_CASE("a NaN among the inputs reaches the rows that read it, and no other", "[attention][kernels]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 2, .key_heads = 2, .queries = 300, .keys = 300};
    for (const auto& target : kernels::machine_targets()) {
        const kernels::TargetScope scope(target);
        for (const auto* preset : {"alibi", "dape-kerple", "dape-v2-kerple"}) {
            const auto made = build(scheme(preset), shape_for(sizes));
            for (const bool in_values : {false, true}) {
                auto inputs = random_inputs(sizes, at::kFloat);
                (in_values ? inputs.v : inputs.k).select(2, 203).fill_(std::numeric_limits<double>::quiet_NaN());
                const auto hit = fused(made->layer(0), inputs).output.isnan().any(-1).any(1)[0];  // [Tq]
                CAPTURE(target, preset, in_values);
                CHECK(hit.slice(0, 0, 203).any().item<bool>() == false);
                CHECK(hit.slice(0, 203).all().item<bool>() == true);
            }
            auto inputs = random_inputs(sizes, at::kFloat);
            inputs.q.select(2, 57).fill_(std::numeric_limits<double>::quiet_NaN());
            CHECK(fused(made->layer(0), inputs).output.isnan().any(-1).any(1)[0].sum().item<std::int64_t>() == 1);
        }
    }
}

TEST_CASE("changing later keys leaves earlier rows of the CPU kernels bit for bit the same", "[attention][kernels]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 1, .heads = 3, .key_heads = 3, .queries = 260, .keys = 260};
    for (const auto* preset : {"alibi", "fire", "dape-kerple", "dape-v2-kerple"}) {
        const auto made = build(scheme(preset), shape_for(sizes));
        const auto inputs = random_inputs(sizes, at::kFloat);
        auto changed = inputs;
        changed.k = inputs.k.clone();
        changed.v = inputs.v.clone();
        changed.k.narrow(2, 117, 143).add_(3.0);
        changed.v.narrow(2, 117, 143).fill_(kInfinity);
        CAPTURE(preset);
        CHECK(at::equal(fused(made->layer(0), inputs).output.narrow(2, 0, 117), fused(made->layer(0), changed).output.narrow(2, 0, 117)));
    }
}

TEST_CASE("the CPU kernels give the same bits in every run and for any number of threads", "[attention][kernels]") {
    const at::NoGradGuard no_gradient;
    const InputSizes sizes{.batch = 2, .heads = 4, .key_heads = 2, .queries = 200, .keys = 230};
    const auto threads = at::get_num_threads();
    for (const auto* preset : {"alibi", "fire", "dape-kerple", "dape-v2-kerple"}) {
        const auto made = build(scheme(preset), shape_for(sizes));
        const auto inputs = random_inputs(sizes, at::kFloat);
        const auto first = fused(made->layer(0), inputs);
        for (const int count : {1, 2, 3}) {
            at::set_num_threads(count);
            const auto again = fused(made->layer(0), inputs);
            CAPTURE(preset, count);
            CHECK(at::equal(first.output, again.output));
            CHECK(at::equal(first.log_normaliser, again.log_normaliser));
        }
        at::set_num_threads(threads);
    }
}

TEST_CASE("the plan gives calls without gradient to the CPU kernels, and says why it gives others elsewhere", "[attention][kernels]") {
    const InputSizes sizes;
    const auto kerple = build(scheme("kerple-log"), shape_for(sizes)), dape = build(scheme("dape-kerple"), shape_for(sizes)), cope = build(scheme("cope"), shape_for(sizes));
    CHECK(plan(kerple->layer(0), {.queries = 64, .keys = 64}).path->id == std::string("fused-cpu"));
    CHECK(plan(dape->layer(0), {.queries = 64, .keys = 64, .wants_normaliser = true}).path->id == std::string("fused-cpu"));
    CHECK_THAT(plan(dape->layer(0), {.queries = 64, .keys = 64, .double_precision = true}).why, Catch::Contains("not fused-cpu: the kernel computes in float32"));
    CHECK(plan(cope->layer(0), {.queries = 64, .keys = 64}).path->id != std::string("fused-cpu"));
    CHECK(plan(build(scheme("dape-v2-kerple"), shape_for(sizes))->layer(0), {.queries = 64, .keys = 64}).path->id == std::string("fused-cpu"));
}
