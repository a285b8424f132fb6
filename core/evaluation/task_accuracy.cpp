#include "core/evaluation/task_accuracy.h"

#include "core/evaluation/bootstrap.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"
#include "core/evaluation/totals.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr std::int64_t kTokensPerCall = 4096;
constexpr std::int64_t kSplitBatches = 32;

/// Mixed into the run's seed: training and validation draw from the plain seed.
constexpr std::uint64_t kExampleSeed = 0x7465737465786d70ULL;

void report(const RunContext& context, const std::string& stage, std::size_t done, std::int64_t examples) {
    Progress progress;
    progress.stage = stage;
    progress.done = static_cast<double>(done);
    progress.total = static_cast<double>(examples);
    progress.unit = "examples";
    context.report(progress);
}

bool matches(const TaskAnswers& one) { return one.right == one.counted; }

/// Shares of the examples with one depth; depths without examples are left out.
std::vector<TaskDepth> by_depth(const std::vector<TaskAnswers>& answers, const std::vector<double>& depths) {
    std::vector<TaskDepth> out;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        TaskDepth one;
        one.depth = depths[i];
        std::int64_t right = 0, counted = 0, whole = 0;
        for (const TaskAnswers& answer : answers) {
            if (answer.depth != static_cast<std::int64_t>(i)) continue;
            ++one.examples;
            right += answer.right;
            counted += answer.counted;
            whole += matches(answer) ? 1 : 0;
        }
        if (one.examples == 0) continue;
        one.token_accuracy = static_cast<double>(right) / static_cast<double>(std::max<std::int64_t>(counted, 1));
        one.exact_match = static_cast<double>(whole) / static_cast<double>(one.examples);
        out.push_back(one);
    }
    return out;
}

/// The answers of one example hang together (one wrong turn spoils those after it), so examples are the independent unit. Where all examples
/// came out alike, resampling them shows nothing, and Wilson's interval with one trial for each is the honest one.
Interval token_interval(const std::vector<LossSum>& right, double accuracy) {
    const auto resampled = bootstrap_mean(right, {});
    if (resampled && resampled->high > resampled->low) return *resampled;
    const auto examples = static_cast<std::int64_t>(right.size());
    return wilson_interval(std::llround(accuracy * static_cast<double>(examples)), examples);
}

}  // namespace

TaskPoint task_point(std::int64_t length, const std::vector<TaskAnswers>& answers, double chance, const std::vector<double>& depths) {
    TaskPoint point;
    point.length = length;
    point.examples = static_cast<std::int64_t>(answers.size());
    point.chance = chance;
    point.depths = by_depth(answers, depths);
    std::vector<LossSum> right;  // `nll` of each counts its right answers, `tokens` those that count
    for (const TaskAnswers& one : answers) right.push_back({static_cast<double>(one.right), one.counted});
    const LossSum all = total(right);
    const auto whole = std::count_if(answers.begin(), answers.end(), matches);
    point.token_accuracy = all.tokens > 0 ? all.mean() : 0;
    point.exact_match = answers.empty() ? 0 : static_cast<double>(whole) / static_cast<double>(answers.size());
    const Interval exact = wilson_interval(whole, point.examples), interval = token_interval(right, point.token_accuracy);
    point.exact_low = exact.low;
    point.exact_high = exact.high;
    point.low = std::min(interval.low, point.token_accuracy);
    point.high = std::max(interval.high, point.token_accuracy);
    return point;
}

TaskScore generalisation_score(const std::vector<TaskPoint>& points, std::int64_t train_length) {
    TaskScore score;
    for (const TaskPoint& point : points) {
        if (point.length <= train_length) continue;
        score.token_accuracy += point.token_accuracy;
        score.exact_match += point.exact_match;
        ++score.lengths;
    }
    if (score.lengths == 0) return score;
    score.token_accuracy /= static_cast<double>(score.lengths);
    score.exact_match /= static_cast<double>(score.lengths);
    return score;
}

std::vector<TaskAnswers> answers_of(const at::Tensor& said, const Batch& batch) {
    at::Tensor counts = batch.targets.ne(-100);                                                             // [B, T]
    if (batch.counted.defined()) counts = counts.logical_and(batch.counted);                                // [B, T]
    const at::Tensor right = said.eq(batch.targets).logical_and(counts);                                    // [B, T]
    const at::Tensor sums = at::stack({right.sum(1), counts.sum(1)}, 1).contiguous();                    // [B, 2]
    std::vector<TaskAnswers> answers;
    const auto* sum = sums.const_data_ptr<std::int64_t>();
    for (std::int64_t row = 0; row < sums.size(0); ++row, sum += 2) answers.push_back({sum[0], sum[1], -1});
    return answers;
}

std::vector<TaskAnswers> batch_answers(Transformer& model, const Batch& batch) {
    const at::NoGradGuard no_gradients;
    const at::Device device = model.parameters().front().device();
    return answers_of(model.forward(batch.tokens.to(device)).argmax(-1).cpu(), batch);
}

std::optional<TaskPoint> measure_task(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples, std::uint64_t seed,
                                      const RunContext& context) {
    const std::int64_t batch = std::max<std::int64_t>(kTokensPerCall / task.sequence_length(length), 1);
    std::vector<TaskAnswers> answers;
    for (std::int64_t begin = 0; begin < examples; begin += batch) {
        if (context.stopping()) return std::nullopt;
        report(context, "Task at " + with_commas(length), answers.size(), examples);
        std::vector<TaskExample> drawn;
        for (std::int64_t n = begin; n < std::min(begin + batch, examples); ++n) {
            drawn.push_back(task.example(seed ^ kExampleSeed, static_cast<std::uint64_t>(n), length));
        }
        auto got = batch_answers(model, batch_of(drawn));
        for (std::size_t i = 0; i < got.size(); ++i) got[i].depth = drawn[i].depth;
        answers.insert(answers.end(), got.begin(), got.end());
        if (context.serve) context.serve();
    }
    return task_point(length, answers, task.chance(), task.depths());
}

std::optional<TaskPoint> measure_split(Transformer& model, const Task& task, const BatchSource& batches, const TrainingSpec& training, TaskSplit split,
                                       std::int64_t examples, const RunContext& context) {
    const bool trained = split == TaskSplit::train;
    // Examples of one batch may have one length: few of each, so that many lengths are among them.
    const std::int64_t most = std::max<std::int64_t>(1, examples / kSplitBatches);
    std::vector<TaskAnswers> answers;
    for (std::int64_t index = 0; static_cast<std::int64_t>(answers.size()) < examples; ++index) {
        if (context.stopping()) return std::nullopt;
        report(context, trained ? "Training examples" : "Validation examples", answers.size(), examples);
        const Batch batch = trained ? batches.training_batch(index, training.batch, training.length) : batches.validation_batch(index, training.batch, training.length);
        auto got = batch_answers(model, batch);
        got.resize(std::min(got.size(), static_cast<std::size_t>(most)));
        for (const TaskAnswers& one : got) {
            if (static_cast<std::int64_t>(answers.size()) < examples) answers.push_back(one);
        }
        if (context.serve) context.serve();
    }
    return task_point(training.length, answers, task.chance());
}

}  // namespace lw
