#pragma once
/// Tables of accuracy for the cells of a study that were trained on a synthetic task.

#include "core/api/study_report.h"

namespace lw {

/// One table for each setting: mean accuracy over seeds with Student's interval, Welch's test with Holm's correction over lengths and pairs (with
/// the reference and with the best of each length, where the study has a reference).
[[nodiscard]] std::vector<StudyTable> task_tables(const StudyStatus& status);

}  // namespace lw
