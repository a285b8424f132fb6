/// Tokens per second of a training step: forward, backward, AdamW. "plain" materialises every score tensor, as one would write it.

#include "bench/support.h"

#include <benchmark/benchmark.h>
#include <torch/optim/adamw.h>

namespace lw::bench {
namespace {

void training_step(benchmark::State& state, const std::string& preset, bool plain) {
    const auto batch = state.range(0);
    const auto model = demo_model(preset, state.range(1));
    torch::optim::AdamW optimiser(model->parameters(), torch::optim::AdamWOptions(1e-3));
    const auto tokens = random_tokens(batch, kTrainLength);   // [B, L]
    const auto targets = random_tokens(batch, kTrainLength);  // [B, L]
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
        benchmark::Counter(static_cast<double>(batch * kTrainLength * state.iterations()), benchmark::Counter::kIsRate);
}

// Sequences a step, width of the model.
#define LW_TRAINING_AT(name, preset, batch, width)                                                                                              \
    BENCHMARK_CAPTURE(training_step, name / ours, preset, false)->Args({batch, width})->Unit(benchmark::kMillisecond)->UseRealTime();           \
    BENCHMARK_CAPTURE(training_step, name / plain, preset, true)->Args({batch, width})->Unit(benchmark::kMillisecond)->UseRealTime()
#define LW_TRAINING(name, preset) LW_TRAINING_AT(name, preset, 16, 128)

LW_TRAINING(nope, "nope");
LW_TRAINING(sinusoidal, "sinusoidal");
LW_TRAINING(rope, "rope");
LW_TRAINING(alibi, "alibi");
LW_TRAINING(kerple, "kerple-log");
LW_TRAINING(fire, "fire");
LW_TRAINING(dape_alibi, "dape-alibi");
LW_TRAINING(dape_kerple, "dape-kerple");
LW_TRAINING(dape_fire, "dape-fire");
LW_TRAINING_AT(rope, "rope", 32, 128);
LW_TRAINING_AT(alibi, "alibi", 32, 128);
LW_TRAINING_AT(dape_kerple, "dape-kerple", 32, 128);
LW_TRAINING_AT(rope, "rope", 32, 256);
LW_TRAINING_AT(alibi, "alibi", 32, 256);
LW_TRAINING_AT(dape_kerple, "dape-kerple", 32, 256);

}  // namespace
}  // namespace lw::bench
