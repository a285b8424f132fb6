#pragma once
/// Learning rate over a run: linear warm-up, then a cosine from the peak to a fraction of it.

#include "core/api/recipe.h"

namespace lw {

/// Updates of the warm-up: warmup_fraction of the steps, rounded; 0 = none.
std::int64_t warmup_steps(const TrainingSpec& spec);
/// Rate of update `index` (0-based). The first update of a warm-up is not zero, the last update of all has the final rate.
double learning_rate(const TrainingSpec& spec, std::int64_t index);

}  // namespace lw
