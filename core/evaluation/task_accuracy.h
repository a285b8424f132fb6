#pragma once
/// Accuracy of a model on a synthetic task at one length.

#include "core/api/evaluation.h"
#include "core/data/task.h"
#include "core/model/transformer.h"

namespace lw {

/// What came of one example.
struct TaskAnswers {
    std::int64_t right = 0, counted = 0;  ///< answers that accuracy counts
    std::int64_t depth = -1;              ///< index into the task's depths
};

/// A point from the examples. Accuracy is Σ right / Σ counted over all of them; an example matches where all its answers that count are right.
[[nodiscard]] TaskPoint task_point(std::int64_t length, const std::vector<TaskAnswers>& answers, double chance, const std::vector<double>& depths = {});
/// Per example of a batch: what was said [B, T] against what was asked.
[[nodiscard]] std::vector<TaskAnswers> answers_of(const at::Tensor& said, const Batch& batch);
/// The same for a model: argmax of its logits.
[[nodiscard]] std::vector<TaskAnswers> batch_answers(Transformer& model, const Batch& batch);

/// Examples come from a seed of their own, so none is a training example but by chance. Cancelled: nothing.
[[nodiscard]] std::optional<TaskPoint> measure_task(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples,
                                                    std::uint64_t seed, const RunContext& context = {});

enum class TaskSplit { train, validation };
/// The first examples of a run's own training or validation batches. Cancelled: nothing.
[[nodiscard]] std::optional<TaskPoint> measure_split(Transformer& model, const Task& task, const BatchSource& batches, const TrainingSpec& training,
                                                     TaskSplit split, std::int64_t examples, const RunContext& context = {});

}  // namespace lw
