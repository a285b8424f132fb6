#pragma once
/// The findings of a report in words: a sentence for each comparison, and one for lengths next to each other at which a pair has one outcome.

#include "core/api/study_report.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lw {

/// The least and the greatest of some numbers.
struct Span {
    double low = 0, high = 0;
    bool empty = true;
    void take(double value);
};

/// "4.1", or "3.1 to 4.1" where the two differ by what is shown of them.
[[nodiscard]] std::string span_words(const Span& span);
/// "p = 0.031", "p < 0.001"; of several "p = 0.003 to 0.020", "p < 0.001 to 0.020".
[[nodiscard]] std::string p_words(const Span& p);
/// "2,048", "512 and 1,024", "512 to 4,096": lengths that stand next to each other in a table.
[[nodiscard]] std::string lengths_words(const std::vector<std::int64_t>& lengths);

[[nodiscard]] inline bool has_interval(const Comparison& c) { return c.low != c.high; }
[[nodiscard]] inline bool can_be_paired(const Comparison& c) { return c.paired_p >= 0; }

/// "DAPE-Kerple is lower than Kerple at 2,048 by 4.1 % [3.0, 5.2], p = 0.003, 3 seeds, 48 documents, Hedges' g = -3.10."
[[nodiscard]] std::string sentence_of(const Comparison& comparison, const StudySpec& spec);
/// By pair, in the order in which pairs come first: "DAPE-Kerple is lower than Kerple at 512 to 2,048 by 3.1 to 4.1 % (intervals within [2.0, 5.2]),
/// p = 0.003 to 0.020, 3 seeds, 48 documents." for each stretch of the table's `lengths` with one outcome, direction and number of seeds and
/// documents, and sentence_of() where a stretch is one length.
[[nodiscard]] std::vector<StudyPair> pair_findings(const std::vector<Comparison>& comparisons, const std::vector<std::int64_t>& lengths,
                                                   const StudySpec& spec);

/// The same of any items: `titles` gives the two rows of one, `goes_on(a, b)` whether b is said in one sentence with a before it, `words` the
/// sentence of a stretch.
template <class Item, class Titles, class GoesOn, class Words>
std::vector<StudyPair> stretched_findings(const std::vector<Item>& items, const Titles& titles, const GoesOn& goes_on, const Words& words) {
    struct Pair {
        std::string title;
        std::vector<std::vector<const Item*>> stretches;
    };
    std::vector<Pair> pairs;
    for (const Item& item : items) {
        // Which of the two comes first changes with which is lower.
        auto [first, second] = titles(item);
        if (second < first) std::swap(first, second);
        const std::string title = first + " and " + second;
        auto found = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.title == title; });
        if (found == pairs.end()) found = pairs.insert(pairs.end(), {title, {}});
        auto& stretches = found->stretches;
        if (stretches.empty() || !goes_on(*stretches.back().back(), item)) stretches.emplace_back();
        stretches.back().push_back(&item);
    }
    std::vector<StudyPair> findings;
    for (const Pair& pair : pairs) {
        findings.push_back({pair.title, {}});
        for (const auto& stretch : pair.stretches) findings.back().findings.push_back(words(stretch));
    }
    return findings;
}

}  // namespace lw
