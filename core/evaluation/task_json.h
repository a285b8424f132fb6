#pragma once
/// Task accuracies as JSON: evaluations/task.json of a run. docs/file_formats.md describes the file.

#include "core/api/evaluation.h"

namespace lw {

[[nodiscard]] std::string task_json(const TaskEvaluation& evaluation);
/// Throws Failure(corrupt_file) naming `origin` and what is missing or does not fit.
[[nodiscard]] TaskEvaluation task_from_json(const std::string& text, const std::string& origin);

/// Whole or not at all. An evaluation that is not complete never replaces a complete one.
void write_task_evaluation(const std::filesystem::path& folder, const TaskEvaluation& evaluation);
/// Nothing when there is none.
[[nodiscard]] std::optional<TaskEvaluation> read_task_evaluation_file(const std::filesystem::path& folder);

}  // namespace lw
