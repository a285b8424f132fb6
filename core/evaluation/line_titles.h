#pragma once
/// What tells lines and groups apart that carry the same title. Torch-free.

#include "core/evaluation/comparison.h"

namespace lw {

/// A title for each run, in order: its own; where others have the same one, with what differs between them: "ALiBi, demo",
/// "ALiBi, L = 256", "ALiBi, en-drama", else the run's name. Runs of one group may share their title.
[[nodiscard]] std::vector<std::string> distinct_titles(const std::vector<const EvaluatedRun*>& runs);

/// How a person would name the run: "demo:<id>" for those that come with the program.
[[nodiscard]] std::string name_of(const EvaluatedRun& run);

}  // namespace lw
