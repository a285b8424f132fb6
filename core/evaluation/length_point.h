#pragma once
/// The point of one length from what was measured there: its units, its interval and what is said of it. Torch-free.

#include "core/evaluation/resampling_units.h"

namespace lw {

/// What was measured at one length.
struct MeasuredLength {
    const LengthPlan* plan = nullptr;
    std::vector<LossSum> places;  ///< of the tokens that count, as the plan's places
    LossSum candidates{};         ///< of all scored tokens
    double seconds = 0;           ///< wall time
};

/// Adds the losses of one window: its scored tokens are the last ones of `losses`, of which those count that `kept` marks (empty: all).
void add_losses(const Window& window, const std::vector<double>& losses, const std::vector<bool>& kept, MeasuredLength& measured);

/// `evaluation` gives protocol, seed, the unit that is resampled, and the points before this one, which may have said already what is said
/// once. `marks_keys`: of the scored tokens only some count.
[[nodiscard]] LengthPoint point_of(const MeasuredLength& measured, const Evaluation& evaluation, bool marks_keys);

}  // namespace lw
