/// Tokens per second of a training step: forward, backward, AdamW. "plain" materialises every score tensor, as one would write it.

#include "bench/support.h"

#include <benchmark/benchmark.h>
#include <torch/optim/adamw.h>

namespace lw::bench {
namespace {

constexpr std::int64_t kBatch = 16;

void training_step(benchmark::State& state, const std::string& preset, bool plain) {
    const auto model = demo_model(preset);
    torch::optim::AdamW optimiser(model->parameters(), torch::optim::AdamWOptions(1e-3));
    const auto tokens = random_tokens(kBatch, kTrainLength);   // [B, L]
    const auto targets = random_tokens(kBatch, kTrainLength);  // [B, L]
    ForwardOptions options;
    options.plain_attention = plain;
    for ([[maybe_unused]] auto step : state) {
        const auto logits = model->forward(tokens, options);  // [B, L, V]
        const auto loss = at::cross_entropy_loss(logits.flatten(0, 1), targets.flatten());
        optimiser.zero_grad();
        loss.backward();
        optimiser.step();
    }
    state.counters["tokens/s"] =
        benchmark::Counter(static_cast<double>(kBatch * kTrainLength * state.iterations()), benchmark::Counter::kIsRate);
}

#define LW_TRAINING(name, preset)                                                                                  \
    BENCHMARK_CAPTURE(training_step, name / ours, preset, false)->Unit(benchmark::kMillisecond)->UseRealTime();   \
    BENCHMARK_CAPTURE(training_step, name / plain, preset, true)->Unit(benchmark::kMillisecond)->UseRealTime()

LW_TRAINING(nope, "nope");
LW_TRAINING(sinusoidal, "sinusoidal");
LW_TRAINING(rope, "rope");
LW_TRAINING(alibi, "alibi");
LW_TRAINING(kerple, "kerple-log");
LW_TRAINING(fire, "fire");
LW_TRAINING(dape_alibi, "dape-alibi");
LW_TRAINING(dape_kerple, "dape-kerple");
LW_TRAINING(dape_fire, "dape-fire");

}  // namespace
}  // namespace lw::bench
