#include "core/position/nearest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace lw {

namespace {

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
    const std::string wanted = lowered(word);
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
    for (const auto& candidate : candidates) {
        const std::string known = lowered(candidate);
        std::size_t distance = edit_distance(wanted, known);
        // A beginning or a part of a word ("kerple" for "kerple-log") is nearer than its edit distance says.
        if (wanted.size() >= 3 && known.find(wanted) != std::string::npos) distance = std::min<std::size_t>(distance, 1);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const std::string near = nearest(word, candidates);
    if (!near.empty()) return fmt::format(" Did you mean \"{}\"?", near);
    if (candidates.empty()) return "";
    return fmt::format(" Known: {}.", fmt::join(candidates, ", "));
}

}  // namespace lw
