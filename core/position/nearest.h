#pragma once
/// The known word closest to a misspelt one.

#include <string>
#include <vector>

namespace lw {

/// The candidate with the smallest edit distance (case ignored), or "" when none is near enough to be meant.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// " Did you mean "kerple-log"?" or, when nothing is near, " Known: a, b, c."
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace lw
