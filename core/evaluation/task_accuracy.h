#pragma once
/// Accuracy of a model on a synthetic task at one length.

#include "core/api/evaluation.h"
#include "core/data/task.h"
#include "core/evaluation/totals.h"
#include "core/model/transformer.h"

namespace lw {

/// A point from the examples' sums: `nll` of each counts its right answers, `tokens` those asked for.
[[nodiscard]] TaskPoint task_point(std::int64_t length, const std::vector<LossSum>& right, double chance);

/// Examples come from a seed of their own, so none is a training example but by chance. Cancelled: nothing.
[[nodiscard]] std::optional<TaskPoint> measure_task(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples,
                                                    std::uint64_t seed, const RunContext& context = {});

}  // namespace lw
