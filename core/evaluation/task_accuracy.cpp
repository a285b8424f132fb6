#include "core/evaluation/task_accuracy.h"

#include "core/evaluation/bootstrap.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr std::int64_t kTokensPerCall = 4096;

/// Mixed into the run's seed: training and validation draw from the plain seed.
constexpr std::uint64_t kExampleSeed = 0x7465737465786d70ULL;

/// Answers of one example.
struct Answers {
    std::int64_t asked = 0, right = 0;
};

/// Argmax at every asked place.
std::vector<Answers> answer(Transformer& model, const std::vector<TaskExample>& examples, at::Device device) {
    const auto batch = static_cast<std::int64_t>(examples.size());
    const auto length = static_cast<std::int64_t>(examples.front().tokens.size());
    at::Tensor tokens = torch::empty({batch, length}, at::kLong);                                // [B, T]
    at::Tensor targets = torch::empty({batch, length}, at::kLong);                               // [B, T]
    auto* token = tokens.data_ptr<std::int64_t>();
    auto* target = targets.data_ptr<std::int64_t>();
    for (const TaskExample& example : examples) {
        token = std::copy(example.tokens.begin(), example.tokens.end(), token);
        target = std::copy(example.targets.begin(), example.targets.end(), target);
    }
    const at::Tensor said = model.forward(tokens.to(device)).argmax(-1).cpu();                   // [B, T]
    const at::Tensor asked = targets.ne(-100);                                                   // [B, T]
    const at::Tensor right = said.eq(targets).logical_and(asked);                                // [B, T]
    const at::Tensor counts = torch::stack({asked.sum(1), right.sum(1)}, 1).contiguous();        // [B, 2]
    std::vector<Answers> answers;
    for (const auto* count = counts.const_data_ptr<std::int64_t>(); answers.size() < examples.size(); count += 2) answers.push_back({count[0], count[1]});
    return answers;
}

void report(const RunContext& context, std::int64_t length, std::size_t done, std::int64_t examples) {
    Progress progress;
    progress.stage = "Task at " + with_commas(length);
    progress.done = static_cast<double>(done);
    progress.total = static_cast<double>(examples);
    progress.unit = "examples";
    context.report(progress);
}

}  // namespace

TaskPoint task_point(std::int64_t length, const std::vector<LossSum>& right, double chance) {
    TaskPoint point;
    point.length = length;
    point.examples = static_cast<std::int64_t>(right.size());
    point.chance = chance;
    const LossSum all = total(right);
    const auto whole = std::count_if(right.begin(), right.end(), [](const LossSum& one) { return one.nll == static_cast<double>(one.tokens); });
    point.token_accuracy = all.tokens > 0 ? all.mean() : 0;
    point.exact_match = right.empty() ? 0 : static_cast<double>(whole) / static_cast<double>(right.size());
    const Interval exact = wilson_interval(whole, point.examples);
    point.exact_low = exact.low;
    point.exact_high = exact.high;
    // The answers of one example hang together (one wrong turn spoils those after it), so examples are the independent unit. Where all
    // examples came out alike, resampling them shows nothing, and Wilson's interval with one trial for each is the honest one.
    const auto resampled = bootstrap_mean(right, {});
    const bool varies = resampled && resampled->high > resampled->low;
    const Interval interval = varies ? *resampled : wilson_interval(std::llround(point.token_accuracy * static_cast<double>(point.examples)), point.examples);
    point.low = std::min(interval.low, point.token_accuracy);
    point.high = std::max(interval.high, point.token_accuracy);
    return point;
}

std::optional<TaskPoint> measure_task(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples, std::uint64_t seed,
                                      const RunContext& context) {
    const torch::NoGradGuard no_gradients;
    const at::Device device = model.parameters().front().device();
    const std::int64_t batch = std::max<std::int64_t>(kTokensPerCall / length, 1);
    std::vector<LossSum> right;
    for (std::int64_t begin = 0; begin < examples; begin += batch) {
        if (context.stopping()) return std::nullopt;
        report(context, length, right.size(), examples);
        std::vector<TaskExample> drawn;
        for (std::int64_t n = begin; n < std::min(begin + batch, examples); ++n) {
            drawn.push_back(task.example(seed ^ kExampleSeed, static_cast<std::uint64_t>(n), length));
        }
        for (const Answers& got : answer(model, drawn, device)) right.push_back({static_cast<double>(got.right), got.asked});
        if (context.serve) context.serve();
    }
    return task_point(length, right, task.chance());
}

}  // namespace lw
