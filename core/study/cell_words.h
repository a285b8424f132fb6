#pragma once
/// What the cells of a study are called: settings, titles of continuations, and runs of one title told apart.

#include "core/study/cells.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw {

/// What cells are compared in: the words that are not the same everywhere are enough, but the length is always said.
[[nodiscard]] std::string setting_of(const StudySpec& spec, std::int64_t length, const StudySize& size, const DataSpec& data);
/// "RoPE + YaRN, 100 steps", "RoPE + YaRN, plug-in", "RoPE, 100 steps".
[[nodiscard]] std::string continued_title(const std::string& base, const SchemeSpec& extension, std::int64_t steps);
/// Named runs of one table that share their title but not their recipe would become seeds of one row: they are called after their first run.
void tell_apart(std::vector<StudyCell>& bases);

}  // namespace lw
