#pragma once
/// study.json: reading, checking what can be checked without runs and data, and writing.

#include "core/api/study.h"

#include <string>

namespace lw {

/// Throws Failure(invalid_argument) with what is wrong and where; `origin` names the text.
[[nodiscard]] StudySpec study_from_json(const std::string& text, const std::string& origin, const std::filesystem::path& workspace);
/// Fills what was left out (one corpus, one size, one length) and checks the lists: none may hold a thing twice.
[[nodiscard]] StudySpec checked_study(StudySpec spec);
/// "Kerple against ALiBi" -> "kerple-against-alibi", the name of its folder. Throws Failure(invalid_argument) where nothing is left.
[[nodiscard]] std::string study_id(const std::string& name);

}  // namespace lw
