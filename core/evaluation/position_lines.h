#pragma once
/// Losses by position of the scored token as lines of a plot, over seeds where there are several. Torch-free.

#include "core/evaluation/comparison.h"

namespace lw {

/// Whether the run's evaluation has a loss by position, counted from `origin`.
[[nodiscard]] bool has_positions(const EvaluatedRun& run, PositionOrigin origin);

/// One line for each run, or for each group of seeds: mean over seeds with Student's interval, in nats per token, in the bins that all its
/// seeds have. A bin [begin, end) stands at the geometric middle of its first and its last position, as the axis is logarithmic. The runs
/// have such losses.
[[nodiscard]] std::vector<CurveLine> position_lines(const std::vector<EvaluatedRun>& runs, PositionOrigin origin, bool group_seeds);

}  // namespace lw
