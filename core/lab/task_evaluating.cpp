/// The verbs that measure a run trained on a synthetic task, and read what was measured.

#include "core/api/evaluation.h"
#include "core/attention/poll.h"
#include "core/data/task.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/task_accuracy.h"
#include "core/evaluation/task_json.h"
#include "core/lab/evaluated_runs.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lw {
namespace {

TaskEvaluation describe(const LoadedModel& loaded, const std::string& device) {
    TaskEvaluation head;
    head.run = loaded.run.id;
    head.step = loaded.step;
    head.source = loaded.run.recipe.data.source;
    head.device = device;
    head.created = timestamp();
    head.train_length = loaded.run.recipe.training.length;
    return head;
}

/// The point, or nothing when cancelled between examples or inside the model.
template <class Measure>
std::optional<TaskPoint> unless_cancelled(const Measure& measure) {
    try {
        return measure();
    } catch (const Failure& failure) {
        if (failure.kind() != ErrorKind::cancelled) throw;
        return std::nullopt;
    }
}

/// The longest length below the refused one whose examples the model can read, by halving; 0 = none. Only a table of positions ends anywhere.
std::int64_t longest_readable(Transformer& model, const Task& task, std::int64_t refused) {
    const auto reads = [&](std::int64_t length) {
        try {
            return measure_task(model, task, length, 1, 0).has_value();
        } catch (const Failure& failure) {
            if (failure.kind() != ErrorKind::invalid_argument) throw;
            return false;
        }
    };
    std::int64_t low = task.min_length(), high = refused;
    if (low >= high || !reads(low)) return 0;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (reads(middle) ? low : high) = middle;
    }
    return low;
}

/// Refusals inside the model count tokens; where a length of the task is another number, they say it in lengths as well.
std::optional<TaskPoint> measure_length(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples, std::uint64_t seed, const RunContext& context) {
    if (length < task.min_length()) (void)task.example(seed, 0, length);  // refuses it; without any token nothing could be divided into batches
    try {
        return measure_task(model, task, length, examples, seed, context);
    } catch (const Failure& failure) {
        const std::int64_t tokens = task.sequence_length(length);
        if (failure.kind() != ErrorKind::invalid_argument || tokens == length) throw;
        const std::int64_t longest = longest_readable(model, task, length);
        if (longest == 0) throw;
        throw Failure(failure.kind(), fmt::format("{} Lengths of {} count the input alone: at length {} there are {} tokens with the places of the answer, and the longest "
                                                  "length that this model reads is {} ({} tokens).", failure.what(), task.source(), with_commas(length), with_commas(tokens),
                                                  with_commas(longest), with_commas(task.sequence_length(longest))));
    }
}

/// Fills `train` and `validation`; false when cancelled.
bool measure_splits(TaskEvaluation& result, const LoadedModel& loaded, const std::shared_ptr<const Task>& task, std::int64_t examples, const RunContext& context) {
    const Recipe& recipe = loaded.run.recipe;
    const auto batches = task_batches(task, recipe.seed, recipe.training.length);
    const auto measured = [&](TaskSplit split) {
        return unless_cancelled([&] { return measure_split(*loaded.model, *task, *batches, recipe.training, split, examples, context); });
    };
    result.train = measured(TaskSplit::train);
    if (result.train) result.validation = measured(TaskSplit::validation);
    return result.validation.has_value();
}

/// What an earlier evaluation of the same checkpoint measured at lengths that are not measured now. A damaged file is replaced.
std::vector<TaskPoint> other_lengths(const std::filesystem::path& folder, const TaskEvaluation& now, const std::vector<std::int64_t>& lengths) {
    const auto before = guarded<std::optional<TaskEvaluation>>([&] { return read_task_evaluation_file(folder); });
    std::vector<TaskPoint> kept;
    if (!before.ok() || !before.value() || before.value()->step != now.step || before.value()->source != now.source) return kept;
    for (const TaskPoint& point : before.value()->points)
        if (std::find(lengths.begin(), lengths.end(), point.length) == lengths.end()) kept.push_back(point);
    return kept;
}

TaskEvaluation joined(TaskEvaluation evaluation, const std::vector<TaskPoint>& others) {
    evaluation.points.insert(evaluation.points.end(), others.begin(), others.end());
    std::stable_sort(evaluation.points.begin(), evaluation.points.end(), [](const TaskPoint& a, const TaskPoint& b) { return a.length < b.length; });
    return evaluation;
}

TaskEvaluation measure(const LoadedModel& loaded, std::vector<std::int64_t> lengths, std::int64_t examples, const std::filesystem::path& folder,
                       const RunContext& context) {
    const auto task = open_task(loaded.run.recipe.data);
    TaskEvaluation result = describe(loaded, context.device);
    if (lengths.empty()) lengths = task->usual_lengths(result.train_length);
    // The splits come first: they never need positions beyond the training length, which some schemes lack.
    result.complete = false;
    const auto others = loaded.run.demo ? std::vector<TaskPoint>() : other_lengths(folder, result, lengths);
    if (!measure_splits(result, loaded, task, examples, context)) return joined(result, others);
    for (const std::int64_t length : lengths) {
        const auto point = unless_cancelled([&] { return measure_length(*loaded.model, *task, length, examples, loaded.run.recipe.seed, context); });
        if (!point) return joined(result, others);
        result.points.push_back(*point);
        if (!loaded.run.demo) write_task_evaluation(folder, joined(result, others));  // kept also when the program is killed
    }
    result.complete = true;
    result = joined(std::move(result), others);
    if (!loaded.run.demo) write_task_evaluation(folder, result);
    return result;
}

}  // namespace

Result<TaskEvaluation> evaluate_task(const std::filesystem::path& run, const std::vector<std::int64_t>& lengths, std::int64_t examples, std::int64_t step,
                                     const RunContext& context) {
    return guarded<TaskEvaluation>([&] {
        if (examples < 1) throw Failure(ErrorKind::invalid_argument, fmt::format("the number of examples is {}; at least 1 is needed", examples));
        const LoadedModel loaded = load_model(run, step, context.device);
        const Recipe& recipe = loaded.run.recipe;
        if (!is_task(recipe.data.source)) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("the run \"{}\" was trained on the text {}, not on a task; evaluate its perplexity instead", loaded.run.id, recipe.data.source));
        }
        const std::filesystem::path folder = RunFolder(run).evaluation_folder();
        if (!loaded.run.demo) prepare_evaluation_file(folder / "task.json");  // a read-only folder is refused before the work begins
        const PollScope polling(context);
        return measure(loaded, lengths, examples, folder, context);
    });
}

Result<std::optional<TaskEvaluation>> read_task_evaluation(const std::filesystem::path& run) {
    return guarded<std::optional<TaskEvaluation>>([&] { return read_task_evaluation_file(RunFolder(run).evaluation_folder()); });
}

}  // namespace lw
