/// The verbs that measure a run trained on a synthetic task, and read what was measured.

#include "core/api/evaluation.h"
#include "core/attention/poll.h"
#include "core/evaluation/task_accuracy.h"
#include "core/evaluation/task_json.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"

#include <fmt/format.h>

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

TaskEvaluation measure(const LoadedModel& loaded, std::vector<std::int64_t> lengths, std::int64_t examples, const std::filesystem::path& folder,
                       const RunContext& context) {
    const auto task = open_task(loaded.run.recipe.data);
    TaskEvaluation result = describe(loaded, context.device);
    if (lengths.empty()) lengths = task->usual_lengths(result.train_length);
    // The splits come first: they never need positions beyond the training length, which some schemes lack.
    result.complete = false;
    if (!measure_splits(result, loaded, task, examples, context)) return result;
    for (const std::int64_t length : lengths) {
        const auto point = unless_cancelled([&] { return measure_task(*loaded.model, *task, length, examples, loaded.run.recipe.seed, context); });
        if (!point) return result;
        result.points.push_back(*point);
        if (!loaded.run.demo) write_task_evaluation(folder, result);  // kept also when the program is killed
    }
    result.complete = true;
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
        if (!loaded.run.demo) make_folder(folder);  // a read-only folder is refused before the work begins
        const PollScope polling(context);
        return measure(loaded, lengths, examples, folder, context);
    });
}

Result<std::optional<TaskEvaluation>> read_task_evaluation(const std::filesystem::path& run) {
    return guarded<std::optional<TaskEvaluation>>([&] { return read_task_evaluation_file(RunFolder(run).evaluation_folder()); });
}

}  // namespace lw
