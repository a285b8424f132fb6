/// Attention with its gradients, forward and backward, by the fused path and by autograd through the plain one; and whole training steps.

#include "bench/support.h"
#include "core/attention/attention.h"

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <torch/optim/adamw.h>

namespace lw::bench {
namespace {

constexpr std::int64_t kHeads = 8;

/// One layer and its inputs, with gradients asked for.
struct Layer {
    std::shared_ptr<PositionScheme> scheme;
    AttentionInputs inputs;
    at::Tensor weights;  // [B, H, T, d], of the output in the loss

    Layer(const std::string& preset, std::int64_t batch, std::int64_t length, std::int64_t width) {
        SlotShape shape;
        shape.heads = shape.kv_heads = kHeads;
        shape.head_width = width;
        shape.width = kHeads * width;
        shape.train_length = length;
        scheme = std::make_shared<PositionScheme>(check_scheme(find_scheme(preset).value()).value(), shape, 1);
        for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = at::randn({batch, length, kHeads, width}).transpose(1, 2).requires_grad_(true);
        weights = at::randn({batch, length, kHeads, width}).transpose(1, 2);
        inputs.key_positions = inputs.query_positions = at::arange(length, at::kDouble);
        inputs.length = inputs.train_length = length;
    }
};

void forward_backward(benchmark::State& state, const std::string& preset, bool plain) {
    const Layer layer(preset, state.range(0), state.range(1), state.range(2));
    for ([[maybe_unused]] auto step : state) {
        const auto result = plain ? plain_attention(layer.scheme->layer(0), layer.inputs) : attend(layer.scheme->layer(0), layer.inputs);
        result.output.backward(layer.weights);
        for (const auto* x : {&layer.inputs.q, &layer.inputs.k, &layer.inputs.v}) x->mutable_grad() = at::Tensor();
    }
}

void training_step(benchmark::State& state, const std::string& preset) {
    constexpr std::int64_t kBatch = 32, kLayers = 4, kWidth = 128;
    Recipe recipe;
    recipe.scheme = find_scheme(preset).value();
    recipe.training.length = kTrainLength;
    recipe.model.vocabulary = kVocabulary;
    recipe.model.layers = kLayers;
    recipe.model.width = kWidth;
    recipe.model.heads = recipe.model.kv_heads = kHeads;
    recipe.model.head_width = kWidth / kHeads;
    const Recipe resolved = check_recipe(recipe).value();
    Transformer model(resolved.model, resolved.scheme, kTrainLength, 1);
    torch::optim::AdamW optimiser(model.parameters(), torch::optim::AdamWOptions(1e-3));
    const auto tokens = random_tokens(kBatch, kTrainLength), targets = random_tokens(kBatch, kTrainLength);  // [B, L]
    for ([[maybe_unused]] auto step : state) {
        const auto loss = at::cross_entropy_loss(model.forward(tokens, {}).flatten(0, 1), targets.flatten());
        optimiser.zero_grad();
        loss.backward();
        optimiser.step();
    }
    state.counters["tokens/s"] = benchmark::Counter(static_cast<double>(kBatch * kTrainLength * state.iterations()), benchmark::Counter::kIsRate);
}

#define LW_FORWARD_BACKWARD(name, preset, ...)                                                                                                  \
    BENCHMARK_CAPTURE(forward_backward, name / ours, preset, false)->Args({__VA_ARGS__})->Unit(benchmark::kMillisecond)->UseRealTime();   \
    BENCHMARK_CAPTURE(forward_backward, name / plain, preset, true)->Args({__VA_ARGS__})->Unit(benchmark::kMillisecond)->UseRealTime()

// Sequences, length, head width.
LW_FORWARD_BACKWARD(dape_kerple, "dape-kerple", 16, 128, 32);
LW_FORWARD_BACKWARD(dape_kerple, "dape-kerple", 4, 512, 32);
LW_FORWARD_BACKWARD(dape_fire, "dape-fire", 16, 128, 32);
LW_FORWARD_BACKWARD(dape_v2_kerple, "dape-v2-kerple", 16, 128, 32);
LW_FORWARD_BACKWARD(alibi, "alibi", 2, 1024, 32);
LW_FORWARD_BACKWARD(t5, "t5", 2, 1024, 32);
LW_FORWARD_BACKWARD(kerple, "kerple-log", 2, 1024, 32);
LW_FORWARD_BACKWARD(fire, "fire", 2, 1024, 32);

BENCHMARK_CAPTURE(training_step, alibi, "alibi")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(training_step, dape_kerple, "dape-kerple")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lw::bench
