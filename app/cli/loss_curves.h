#pragma once
/// Curves that are no perplexities: losses by position of the scored token and while a run trained, accuracy on a task by length.

#include "core/api/evaluation.h"
#include "core/api/runs.h"

namespace lw::cli {

/// Mean loss by position of the scored token, at the longest length of each run's evaluation; seeds of a recipe as their mean unless each is
/// asked for. Runs without are in `missing`.
[[nodiscard]] CurveSet position_loss_curves(const std::vector<RunInfo>& runs, const std::string& protocol, bool each_seed);
/// The same by how many tokens the context is longer than any in training. `problems` says of the missing ones why, and what to do.
[[nodiscard]] CurveSet beyond_loss_curves(const std::vector<RunInfo>& runs, const std::string& protocol, bool each_seed);
/// Training loss and, where it was measured, validation loss by step. Runs without a log are in `missing`.
[[nodiscard]] CurveSet training_loss_curves(const std::vector<RunInfo>& runs);
/// Token accuracy by length with its 95 % interval. Runs that were not measured on a task are in `missing`.
[[nodiscard]] CurveSet accuracy_curves(const std::vector<RunInfo>& runs);
/// title, run, length, accuracy, low, high, examples.
[[nodiscard]] std::string accuracy_csv(const CurveSet& curves);
/// title, run, step, loss: one line for each point.
[[nodiscard]] std::string loss_csv(const CurveSet& curves);
/// title, run (several with spaces between), the x axis, loss, low, high, seeds, band: one line for each point.
[[nodiscard]] std::string position_csv(const CurveSet& curves, const std::string& x_name);

}  // namespace lw::cli
