#pragma once
/// Printing of a training run, shared by train and resume.

#include "app/cli/shell.h"
#include "core/api/runs.h"

namespace lw::cli {

/// Hooks that print the folder and, where no progress line is rewritten, the loss from time to time.
[[nodiscard]] TrainHooks printing_hooks(Shell& shell);
/// Prints how the run ended; a stopped or failed one ends the command with its exit code.
void report_end(Shell& shell, const RunInfo& run);

}  // namespace lw::cli
