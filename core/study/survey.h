#pragma once
/// A study's cells with their runs, what stands in its way and what a reader should know.

#include "core/api/study.h"
#include "core/study/study_folder.h"

namespace lw {

[[nodiscard]] StudyStatus survey(const std::filesystem::path& workspace, const StudySpec& spec, const StudyState& state);
/// Of a study of the workspace, with its folder and whether a program works on it.
[[nodiscard]] StudyStatus survey_folder(const std::filesystem::path& workspace, const StudyFolder& folder);

/// Corpora that are absent, lengths that no document reaches and evaluations that are impossible, before anything starts. Reads no text: a
/// document counts with as many tokens as it has bytes.
void check_texts(const StudySpec& spec, StudyStatus& status);
/// The same with the tokens of the texts, for the corpora of cells that wait to be trained. A text that cannot be read is
/// left to its cells. Throws Failure: invalid_argument where an evaluation is impossible, cancelled.
void refuse_impossible_evaluations(const StudyStatus& status, const RunContext& context);

}  // namespace lw
