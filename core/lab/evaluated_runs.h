#pragma once
/// Runs with their evaluation by one protocol, for curves and comparisons.

#include "core/evaluation/comparison.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct EvaluatedRuns {
    std::vector<EvaluatedRun> runs;
    std::vector<std::string> missing;  ///< titles of runs without that protocol
};

/// Throws Failure where a run or one of its evaluations cannot be read.
[[nodiscard]] EvaluatedRuns read_evaluated_runs(const std::vector<std::filesystem::path>& runs, const std::string& protocol);

}  // namespace lw
