#pragma once
/// The runs behind curves: found by name, read, and what to do where their numbers are missing or cannot be compared.

#include "app/cli/shell.h"
#include "core/api/evaluation.h"

namespace lw::cli {

[[nodiscard]] std::vector<RunInfo> find_runs(const Shell& shell, const std::vector<std::string>& names);
/// "demo:<id>" for runs that come with the program, since a run of the workspace may have the same id.
[[nodiscard]] std::string name_of(const RunInfo& run);
[[nodiscard]] bool trained_on_task(const RunInfo& run);

/// Perplexity of the runs against length. Throws Failure(not_found) where none of them was evaluated by the protocol, with the reason.
[[nodiscard]] CurveSet evaluated_curves(const std::vector<RunInfo>& runs, const std::string& protocol, bool each_seed);

/// The commands after which the runs could be compared: those that were measured in other ways, measured like the first demo run or else
/// the first run. Empty where no command helps, as the texts differ.
[[nodiscard]] std::vector<std::string> commands_to_align(const std::vector<RunInfo>& runs, const std::string& protocol);

}  // namespace lw::cli
