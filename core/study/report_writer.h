#pragma once
/// Ways to write a report, and the words that they share. A way is one file in formats/ and one line in its entries.def.

#include "core/api/study_report.h"

#include <functional>
#include <string>
#include <vector>

namespace lw {

struct ReportWriter {
    ReportFormat info;
    std::function<std::string(const StudyReport&)> write;
};

/// "12.34", "1,234" from a thousand on; accuracies in per cent.
[[nodiscard]] std::string value_words(const StudyTable& table, double value);
/// Standard deviation over seeds in the value's unit ("0.05"); "" with one seed. Of perplexity it is that of its logarithm times the value.
[[nodiscard]] std::string deviation_words(const StudyTable& table, const StudyValue& value);
/// What the numbers and marks of a table mean; `best` and `near` are how the format marks them.
[[nodiscard]] std::string legend(const StudyReport& report, const StudyTable& table, const std::string& best, const std::string& near);
/// "3", or "2 to 3" where rows differ.
[[nodiscard]] std::string seed_range(const StudyTable& table);

/// A table's cells before a format sets them: the rows' titles, then one text for each length.
using CellText = std::function<std::string(const StudyValue&, bool published)>;
[[nodiscard]] std::vector<std::vector<std::string>> table_cells(const StudyTable& table, const CellText& text, const std::string& absent);

}  // namespace lw
