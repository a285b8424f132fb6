/// One attention layer on a GPU, fused and plain in the same run: 8 heads of width 32, DAPE with 32 hidden units. Skipped where no GPU is.

#include "bench/support.h"
#include "core/attention/attention.h"
#include "core/attention/cuda_library.h"
#include "core/device/device.h"

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

namespace lw::bench {
namespace {

constexpr std::int64_t kHeads = 8, kHeadWidth = 32;

/// The layer of a preset on the GPU, and random inputs for it.
struct LayerCase {
    std::shared_ptr<PositionScheme> scheme;
    AttentionInputs inputs;

    LayerCase(const std::string& preset, std::int64_t batch, std::int64_t length, at::ScalarType type, bool gradient) {
        SlotShape shape;
        shape.heads = kHeads;
        shape.head_width = kHeadWidth;
        shape.width = kHeads * kHeadWidth;
        shape.train_length = kTrainLength;
        scheme = std::make_shared<PositionScheme>(check_scheme(find_scheme(preset).value()).value(), shape, 1);
        scheme->to(at::Device(at::kCUDA));
        const auto options = at::TensorOptions(at::kCUDA).dtype(type).requires_grad(gradient);
        for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = at::randn({batch, kHeads, length, kHeadWidth}, options);  // [B, H, T, d]
        inputs.query_positions = inputs.key_positions = at::arange(length, at::TensorOptions(at::kCUDA).dtype(at::kDouble));
        inputs.length = length;
        inputs.train_length = kTrainLength;
    }
    [[nodiscard]] at::Tensor output(bool plain) const {
        const auto& layer = scheme->layer(0);
        if (!plain) return kCudaPath.run(layer, inputs, false).output;
        return wants_gradient(layer, inputs) ? plain_attention(layer, inputs).output : row_block_attention(layer, inputs).output;
    }
};

/// Reading one number waits for all work queued before it.
void wait_for(const at::Tensor& x) { benchmark::DoNotOptimize(x.flatten()[0].item<float>()); }

bool skipped(benchmark::State& state) {
    if (cuda_state().devices.empty()) state.SkipWithError(("no GPU: " + cuda_state().note).c_str());
    else if (!cuda_library().loaded()) state.SkipWithError(cuda_library().why_not().c_str());
    else return false;
    return true;
}

void layer_forward(benchmark::State& state, const std::string& preset, at::ScalarType type, bool plain) {
    if (skipped(state)) return;
    const at::NoGradGuard no_gradient;
    const LayerCase layer(preset, 1, state.range(0), type, false);
    wait_for(layer.output(plain));
    for ([[maybe_unused]] auto step : state) wait_for(layer.output(plain));
    const auto pairs = static_cast<double>(state.range(0)) * static_cast<double>(state.range(0) + 1) / 2;
    state.counters["pairs/s"] = benchmark::Counter(pairs * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void layer_training(benchmark::State& state, const std::string& preset, at::ScalarType type, bool plain) {
    if (skipped(state)) return;
    const LayerCase layer(preset, 4, state.range(0), type, true);
    const auto step_once = [&] {
        layer.output(plain).to(at::kFloat).square().sum().backward();
        wait_for(layer.inputs.q.grad());
    };
    step_once();
    for ([[maybe_unused]] auto step : state) step_once();
}

#define LW_GPU_LAYER(name, preset, type)                                                                                              \
    BENCHMARK_CAPTURE(layer_forward, name / type / fused, preset, at::k##type, false)->RangeMultiplier(4)->Range(512, 32768)->Unit(benchmark::kMillisecond)->UseRealTime(); \
    BENCHMARK_CAPTURE(layer_forward, name / type / plain, preset, at::k##type, true)->RangeMultiplier(4)->Range(512, 32768)->Unit(benchmark::kMillisecond)->UseRealTime();  \
    BENCHMARK_CAPTURE(layer_training, name / type / fused, preset, at::k##type, false)->RangeMultiplier(4)->Range(128, 2048)->Unit(benchmark::kMillisecond)->UseRealTime(); \
    BENCHMARK_CAPTURE(layer_training, name / type / plain, preset, at::k##type, true)->RangeMultiplier(4)->Range(128, 2048)->Unit(benchmark::kMillisecond)->UseRealTime()

LW_GPU_LAYER(gpu_kerple, "kerple-log", Float);
LW_GPU_LAYER(gpu_kerple, "kerple-log", BFloat16);
LW_GPU_LAYER(gpu_fire, "fire", Float);
LW_GPU_LAYER(gpu_dape_kerple, "dape-kerple", Float);
LW_GPU_LAYER(gpu_dape_kerple, "dape-kerple", BFloat16);
LW_GPU_LAYER(gpu_dape_v2_kerple, "dape-v2-kerple", Float);

}  // namespace
}  // namespace lw::bench
