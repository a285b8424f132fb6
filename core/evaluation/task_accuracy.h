#pragma once
/// Accuracy of a model on a synthetic task at one length.

#include "core/api/evaluation.h"
#include "core/data/task.h"
#include "core/model/transformer.h"

namespace lw {

/// Examples come from a seed of their own, so none is a training example but by chance. Cancelled: nothing.
[[nodiscard]] std::optional<TaskPoint> measure_task(Transformer& model, const Task& task, std::int64_t length, std::int64_t examples,
                                                    std::uint64_t seed, const RunContext& context = {});

}  // namespace lw
