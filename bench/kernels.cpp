/// The attention kernels against the machine's multiply-add peak, against plain LibTorch by blocks of rows, and against LibTorch's causal attention, all in
/// one run and in turn: other programs slow all of them. H = 8, D = 32, d = 32, minima of the rounds. Counters: gflops (2 · 4 · H · D or 2 · 2 · H · d
/// operations a visible pair), of_peak (share), row_block and stock (their times over ours). attention_layer has untrained weights and random queries
/// and keys; trained_layer those of the layers of a demo model that reads a text.
#include "bench/fma_peak.h"
#include "bench/support.h"
#include "core/api/maps.h"
#include "core/api/runs.h"
#include "core/attention/attention.h"
#include "core/attention/kernels/cpu/targets.h"
#include "core/lab/load_model.h"
#include "core/position/scheme.h"

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace lw::bench {
namespace {

constexpr std::int64_t kHeads = 8, kWidth = 32;

struct Layer {
    std::shared_ptr<PositionScheme> scheme;
    AttentionInputs inputs;
};

Layer random_layer(const std::string& preset, std::int64_t length) {
    SlotShape shape;
    shape.heads = shape.kv_heads = kHeads;
    shape.head_width = kWidth;
    shape.width = kHeads * kWidth;
    shape.train_length = kTrainLength;
    Layer layer{std::make_shared<PositionScheme>(check_scheme(find_scheme(preset).value()).value(), shape, 1), {}};
    auto& inputs = layer.inputs;
    for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = at::randn({1, kHeads, length, kWidth});
    inputs.query_positions = inputs.key_positions = at::arange(length, at::kDouble);
    inputs.length = length;
    inputs.train_length = kTrainLength;
    return layer;
}

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The rate of all threads at once.
double machine_peak() {
    double total = 0;
    std::vector<double> rates(static_cast<std::size_t>(at::get_num_threads()), 0.0);
    at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t first, std::int64_t last) {
        for (auto i = first; i < last; ++i) rates[static_cast<std::size_t>(i)] = fma_rate();
    });
    for (const double rate : rates) total += rate;
    return total;
}

struct Minima {
    double ours, row_block, stock, peak;
};

Minima measured(const Layer& layer, std::int64_t index, std::int64_t length) {
    constexpr auto kNever = std::numeric_limits<double>::infinity();
    Minima best{kNever, kNever, kNever, 0};
    const auto& scheme = layer.scheme->layer(index);
    const auto& x = layer.inputs;
    const int rounds = length <= 2048 ? 40 : 5;
    for (int round = 0; round < rounds; ++round) {
        best.peak = std::max(best.peak, machine_peak());
        best.ours = std::min(best.ours, seconds([&] { kFusedCpuPath.run(scheme, x, false); }));
        best.stock = std::min(best.stock, seconds([&] { at::scaled_dot_product_attention(x.q, x.k, x.v, {}, 0.0, true); }));
        if (round % 8 == 0) best.row_block = std::min(best.row_block, seconds([&] { row_block_attention(scheme, x); }));
    }
    return best;
}

/// A layer of the first demo model of a scheme, reading the texts that Maps shows. Columns stand twice, since its heads have half the width of the
/// others' here; queries times √(1/2) give the model's own scores then. Nothing where there is no such model or no text of this length.
std::optional<Layer> layer_of_demo(const std::string& scheme, std::int64_t layer, std::int64_t length) {
    const auto runs = demo_runs();
    const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& r) {
        return r.recipe.scheme.name == scheme && !r.recipe.data.source.starts_with("task:");
    });
    if (run == runs.end()) return {};
    MapsRequest request{run->folder, -1, {}};
    request.text.length = length;
    const auto session = open_maps(request);
    if (!session.ok()) return {};
    const auto loaded = load_model(run->folder, -1, "cpu");
    std::vector<LayerCapture> captures;
    ForwardOptions options;
    options.capture = &captures;
    options.last_rows = 1;
    options.drop_unscored_rows = false;
    loaded.model->forward(at::tensor(session.value()->info().text.ids, at::kLong).unsqueeze(0), options);
    Layer result{loaded.model->scheme(), captures.at(static_cast<std::size_t>(layer)).inputs};
    auto& x = result.inputs;
    x.q = at::cat({x.q, x.q}, -1) * std::sqrt(0.5);
    x.k = at::cat({x.k, x.k}, -1);
    x.v = at::randn_like(x.k);
    return result;
}

void report(benchmark::State& state, const Layer& layer, std::int64_t index, std::int64_t length) {
    const auto best = measured(layer, index, length);
    state.SetIterationTime(best.ours);
    const auto& adaptive = layer.scheme->layer(index).adaptive;
    const auto taps = adaptive ? adaptive->halo() + 1 : 0;  // D = d; what W1 makes of the bias is a table
    const double products = static_cast<double>((2 + 2 * taps) * kHeads * kWidth);
    const double rate = products * static_cast<double>(length) * static_cast<double>(length + 1) / best.ours * 1e-9;
    state.counters["gflops"] = rate;
    state.counters["peak"] = best.peak;
    state.counters["of_peak"] = rate / best.peak;
    state.counters["row_block"] = best.row_block / best.ours;
    state.counters["stock"] = best.stock / best.ours;
}

void attention_layer(benchmark::State& state, const std::string& preset, const std::string& target) {
    const at::NoGradGuard no_grad;
    const auto length = state.range(0);
    const auto threads = at::get_num_threads();
    if (state.range(1) > 0) at::set_num_threads(static_cast<int>(state.range(1)));
    const kernels::TargetScope scope(target);
    const auto layer = random_layer(preset, length);
    for ([[maybe_unused]] auto once : state) report(state, layer, 0, length);
    at::set_num_threads(threads);
}

void trained_layer(benchmark::State& state, const std::string& scheme) {
    const at::NoGradGuard no_grad;
    const auto length = state.range(0), index = state.range(1);
    const auto layer = layer_of_demo(scheme, index, length);
    if (!layer) return state.SkipWithError("no demo model of this scheme, or no text of this length");
    for ([[maybe_unused]] auto once : state) report(state, *layer, index, length);
}

// Length, threads (0: all).
#define LW_KERNEL(name, preset, target)                                                                                                   \
    BENCHMARK_CAPTURE(attention_layer, name / target, preset, #target)->ArgsProduct({{1024, 2048, 8192}, {1, 0}})->Iterations(1)          \
        ->UseManualTime()->Unit(benchmark::kMillisecond)

LW_KERNEL(dape_kerple, "dape-kerple", AVX3);
LW_KERNEL(dape_kerple, "dape-kerple", AVX2);
LW_KERNEL(dape_v2_kerple, "dape-v2-kerple", AVX3);
LW_KERNEL(dape_v2_kerple, "dape-v2-kerple", AVX2);
LW_KERNEL(alibi, "alibi", AVX3);
LW_KERNEL(alibi, "alibi", AVX2);

// Length, layer; all threads.
#define LW_TRAINED(name, scheme) \
    BENCHMARK_CAPTURE(trained_layer, name, scheme)->ArgsProduct({{1024, 8192}, {0, 1, 2, 3}})->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond)

LW_TRAINED(dape_alibi, "DAPE-ALiBi");
LW_TRAINED(dape_kerple, "DAPE-Kerple");

}  // namespace
}  // namespace lw::bench
