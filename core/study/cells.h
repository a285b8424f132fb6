#pragma once
/// The cells of a study: every combination of its lists as a checked recipe.

#include "core/api/study.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw {

struct StudyCells {
    std::vector<StudyCell> cells;
    std::vector<std::string> problems;  ///< recipes that are refused, runs that are not there, a reference that is no row
    std::vector<std::string> notes;     ///< cells that come to the same run
};

/// In the order scheme, length, size, corpus, seed; then the continuations in the order run, extension, length, steps.
[[nodiscard]] StudyCells study_cells(const StudySpec& spec, const std::filesystem::path& workspace);

/// Examples that an accuracy on a task is measured with at each length.
inline constexpr std::int64_t kTaskExamples = 256;

/// Whether the cell is measured by accuracy on a synthetic task.
[[nodiscard]] bool measures_task(const StudyCell& cell);
/// "RoPE, L = 128, small, en-prose, seed 1"
[[nodiscard]] std::string cell_line(const StudyCell& cell);

}  // namespace lw
