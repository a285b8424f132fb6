#pragma once
/// Which run of the workspace is a cell's, and how far that is: the truth about a study lies in its runs.

#include "core/study/cells.h"
#include "core/study/study_folder.h"

#include <optional>

namespace lw {

/// Fills state, run, folder, step and message of every cell; bases come before the cells that go on with them. Notes say which runs were
/// passed over, because their recipe was changed after they were trained or as they cannot be read, and what is made or measured anew.
void find_runs(std::vector<StudyCell>& cells, const StudyState& state, const std::filesystem::path& workspace, std::vector<std::string>& notes);

/// The cell's evaluation where it was made as the study asks for: same protocol, lengths, places, of the run's present checkpoint.
[[nodiscard]] std::optional<Evaluation> finished_evaluation(const StudyCell& cell);
/// The same for a synthetic task, with the points at the lengths that the study asks for alone.
[[nodiscard]] std::optional<TaskEvaluation> finished_task_evaluation(const StudyCell& cell);

}  // namespace lw
