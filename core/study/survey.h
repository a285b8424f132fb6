#pragma once
/// A study's cells with their runs, what stands in its way and what a reader should know.

#include "core/api/study.h"
#include "core/study/study_folder.h"

namespace lw {

[[nodiscard]] StudyStatus survey(const std::filesystem::path& workspace, const StudySpec& spec, const StudyState& state);
/// Of a study of the workspace, with its folder and whether a program works on it.
[[nodiscard]] StudyStatus survey_folder(const std::filesystem::path& workspace, const StudyFolder& folder);

/// Corpora that are absent, and lengths that no document reaches, before anything starts.
void check_texts(const StudySpec& spec, StudyStatus& status);

}  // namespace lw
