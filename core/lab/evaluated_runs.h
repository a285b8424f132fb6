#pragma once
/// Runs with their evaluation by one protocol, for curves and comparisons.

#include "core/api/runs.h"
#include "core/evaluation/comparison.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct EvaluatedRuns {
    std::vector<EvaluatedRun> runs;
    std::vector<std::string> missing;   ///< titles of runs without that protocol
    std::vector<std::string> problems;  ///< what is wrong with evaluations that cannot be read; their runs are missing too
};

/// A folder named twice is read once. Throws Failure where a run cannot be read.
[[nodiscard]] EvaluatedRuns read_evaluated_runs(const std::vector<std::filesystem::path>& runs, const std::string& protocol);

/// Makes a run's folder of evaluations before the work begins. Throws Failure(io) where it cannot be made, and where a folder has the name of
/// the file that the numbers will be written to.
void prepare_evaluation_file(const std::filesystem::path& file);

/// The checkpoint that an evaluation without a step of its own reads: the best one, else the last; -1 without any.
[[nodiscard]] std::int64_t current_step(const RunInfo& run);
/// What its tokens are: perplexities per token compare only where this is equal.
[[nodiscard]] std::string tokenizer_words(const DataSpec& data);

}  // namespace lw
