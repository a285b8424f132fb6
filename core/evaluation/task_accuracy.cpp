#include "core/evaluation/task_accuracy.h"

#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::int64_t kTokensPerCall = 4096;

/// Mixed into the run's seed: training and validation draw from the plain seed.
constexpr std::uint64_t kExampleSeed = 0x7465737465786d70ULL;

struct Answers {
    std::int64_t tokens = 0, right = 0, whole = 0;
};

/// Argmax at every asked place; `whole` counts the examples with all of them right.
Answers answer(Transformer& model, const std::vector<TaskExample>& examples, at::Device device) {
    const auto batch = static_cast<std::int64_t>(examples.size());
    const auto length = static_cast<std::int64_t>(examples.front().tokens.size());
    at::Tensor tokens = at::empty({batch, length}, at::kLong);                                // [B, T]
    at::Tensor targets = at::empty({batch, length}, at::kLong);                               // [B, T]
    auto* token = tokens.data_ptr<std::int64_t>();
    auto* target = targets.data_ptr<std::int64_t>();
    for (const TaskExample& example : examples) {
        token = std::copy(example.tokens.begin(), example.tokens.end(), token);
        target = std::copy(example.targets.begin(), example.targets.end(), target);
    }
    const at::Tensor said = model.forward(tokens.to(device)).argmax(-1).cpu();                   // [B, T]
    const at::Tensor asked = targets.ne(-100);                                                   // [B, T]
    const at::Tensor right = said.eq(targets).logical_and(asked);                                // [B, T]
    const at::Tensor whole = said.eq(targets).logical_or(asked.logical_not()).all(1);            // [B]
    return {asked.sum().item<std::int64_t>(), right.sum().item<std::int64_t>(), whole.sum().item<std::int64_t>()};
}

}  // namespace

std::optional<TaskPoint> measure_task(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples, std::uint64_t seed,
                                      const RunContext& context) {
    const at::NoGradGuard no_gradients;
    const at::Device device = model.parameters().front().device();
    const std::int64_t batch = std::max<std::int64_t>(kTokensPerCall / length, 1);
    Answers sum;
    for (std::int64_t begin = 0; begin < examples; begin += batch) {
        if (context.stopping()) return std::nullopt;
        Progress progress;
        progress.stage = "Task at " + with_commas(length);
        progress.done = static_cast<double>(begin);
        progress.total = static_cast<double>(examples);
        progress.unit = "examples";
        context.report(progress);
        std::vector<TaskExample> drawn;
        for (std::int64_t n = begin; n < std::min(begin + batch, examples); ++n) {
            drawn.push_back(task.example(seed ^ kExampleSeed, static_cast<std::uint64_t>(n), length));
        }
        const Answers got = answer(model, drawn, device);
        sum.tokens += got.tokens;
        sum.right += got.right;
        sum.whole += got.whole;
        if (context.serve) context.serve();
    }
    TaskPoint point;
    point.length = length;
    point.examples = examples;
    point.chance = task.chance();
    point.token_accuracy = sum.tokens > 0 ? static_cast<double>(sum.right) / static_cast<double>(sum.tokens) : 0;
    point.exact_match = examples > 0 ? static_cast<double>(sum.whole) / static_cast<double>(examples) : 0;
    const Interval interval = wilson_interval(sum.right, sum.tokens);
    point.low = interval.low;
    point.high = interval.high;
    return point;
}

}  // namespace lw
