#pragma once
/// What a study's state looks like, shared by its commands.

#include "app/cli/shell.h"
#include "core/api/study.h"

#include <cstdint>
#include <string>

namespace lw::cli {

/// "1 cell", "12 cells"
[[nodiscard]] std::string cells_text(std::int64_t number);
/// One line: how many cells are in which state.
[[nodiscard]] std::string counts_text(const StudyStatus& status);
/// The matrix of cells: a row for each scheme and setting, a column for each seed; then what must be said.
[[nodiscard]] std::string status_text(const StudyStatus& status);
/// Time and memory of what is left.
[[nodiscard]] std::string estimate_text(const StudyEstimate& estimate);
[[nodiscard]] Json status_json(const StudyStatus& status);
[[nodiscard]] Json estimate_json(const StudyEstimate& estimate);

}  // namespace lw::cli
