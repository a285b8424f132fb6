/// Seconds per evaluated sequence: logits of the last 64 tokens at growing length. "plain" holds whole score tensors, so it
/// stops where they would not fit into memory any more.

#include "bench/support.h"
#include "core/api/doctor.h"

#include <benchmark/benchmark.h>

namespace lw::bench {
namespace {

constexpr std::int64_t kScored = 64;

void evaluated_sequence(benchmark::State& state, const std::string& preset, bool plain) {
    const at::NoGradGuard no_grad;
    const auto model = demo_model(preset);
    model->eval();
    const auto tokens = random_tokens(1, state.range(0));  // [1, T]
    ForwardOptions options;
    options.last_rows = kScored;
    options.plain_attention = plain;
    for ([[maybe_unused]] auto sequence : state) {
        benchmark::DoNotOptimize(model->forward(tokens, options));  // [1, 64, V]
    }
    state.counters["peak MB"] = static_cast<double>(memory_use().peak) / 1e6;
}

#define LW_EVALUATION(name, preset)                                                                                   \
    BENCHMARK_CAPTURE(evaluated_sequence, name / ours, preset, false)->RangeMultiplier(2)->Range(512, 16384)          \
        ->Unit(benchmark::kMillisecond)->UseRealTime();                                                               \
    BENCHMARK_CAPTURE(evaluated_sequence, name / plain, preset, true)->RangeMultiplier(2)->Range(512, 2048)           \
        ->Unit(benchmark::kMillisecond)->UseRealTime()

LW_EVALUATION(rope, "rope");
LW_EVALUATION(kerple, "kerple-log");
LW_EVALUATION(dape_kerple, "dape-kerple");

}  // namespace
}  // namespace lw::bench
