/// The attention kernels against the machine's multiply-add peak, against plain LibTorch by blocks of rows, and against LibTorch's causal attention, all in
/// one run and in turn: other programs slow all of them. H = 8, D = 32, d = 32, minima of the rounds. Counters: gflops (2 · 4 · H · D or 2 · 2 · H · d
/// operations a visible pair), of_peak (share), row_block and stock (their times over ours).
#include "bench/fma_peak.h"
#include "bench/support.h"
#include "core/attention/attention.h"
#include "core/attention/kernels/cpu/targets.h"
#include "core/position/scheme.h"

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <limits>

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

Minima measured(const Layer& layer, std::int64_t length) {
    constexpr auto kNever = std::numeric_limits<double>::infinity();
    Minima best{kNever, kNever, kNever, 0};
    const auto& scheme = layer.scheme->layer(0);
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

void attention_layer(benchmark::State& state, const std::string& preset, const std::string& target) {
    const at::NoGradGuard no_grad;
    const auto length = state.range(0);
    const auto threads = at::get_num_threads();
    if (state.range(1) > 0) at::set_num_threads(static_cast<int>(state.range(1)));
    const kernels::TargetScope scope(target);
    const auto layer = random_layer(preset, length);
    for ([[maybe_unused]] auto once : state) {
        const auto best = measured(layer, length);
        state.SetIterationTime(best.ours);
        const auto& adaptive = layer.scheme->layer(0).adaptive;
        const auto taps = adaptive ? adaptive->halo() + 1 : 0;  // D = d; what W1 makes of the bias is a table
        const double products = static_cast<double>((2 + 2 * taps) * kHeads * kWidth);
        const double rate = products * static_cast<double>(length) * static_cast<double>(length + 1) / best.ours * 1e-9;
        state.counters["gflops"] = rate;
        state.counters["peak"] = best.peak;
        state.counters["of_peak"] = rate / best.peak;
        state.counters["row_block"] = best.row_block / best.ours;
        state.counters["stock"] = best.stock / best.ours;
    }
    at::set_num_threads(threads);
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

}  // namespace
}  // namespace lw::bench
