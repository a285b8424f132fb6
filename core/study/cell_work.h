#pragma once
/// The work of one cell: training or extending, then measuring.

#include "core/study/study_folder.h"

namespace lw {

/// Brings the cell one state on: to its run, or from its run to its evaluation. A cancelled step keeps what it has. Throws Failure.
void work_on(const StudyCell& cell, const std::filesystem::path& workspace, const std::filesystem::path& base, const RunContext& context, const StudyHooks& hooks);

}  // namespace lw
