/// The values of a table as lines with bands: the same numbers, so that what is left out of the one is not in the other either.
#include "core/evaluation/protocol.h"
#include "core/study/report_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

bool several_seeds(const StudyValue& value) { return value.deviation.has_value(); }

/// "95 % t interval over 3 seeds", "95 % bootstrap over 48 documents": of the lengths that have one.
std::string band_words(const StudyRow& row, double level) {
    std::int64_t fewest = 0, most = 0;
    std::string units;
    for (const auto& value : row.values) {
        if (!value) continue;
        if (several_seeds(*value)) {
            fewest = fewest == 0 ? value->seeds : std::min(fewest, value->seeds);
            most = std::max(most, value->seeds);
        }
        if (value->document_low != value->document_high) units = value->units;
    }
    const std::string percent = fmt::format("{:.4g} %", 100 * level);
    if (most > 0) return fmt::format("{} t interval over {}", percent, fewest == most ? counted(most, "seed") : fmt::format("{} to {} seeds", fewest, most));
    return units.empty() ? "no interval" : fmt::format("{} bootstrap over {}", percent, units);
}

/// A line has one kind of band: over seeds where it has any, and then none at a length that only one seed has.
void add_value(CurveLine& line, const StudyValue& value, bool over_seeds) {
    line.length.push_back(static_cast<double>(value.length));
    line.value.push_back(value.value);
    line.low.push_back(over_seeds ? value.low : value.document_low);
    line.high.push_back(over_seeds ? value.high : value.document_high);
    line.tokens.push_back(static_cast<double>(value.tokens));
    line.seeds = std::max(line.seeds, value.seeds);
}

}  // namespace

CurveSet table_curves(const StudyTable& table, const std::vector<std::int64_t>& trained, const EvaluationSpec& evaluation) {
    const bool accuracy = table.measure == "accuracy";
    CurveSet set;
    set.protocol = accuracy ? "task" : evaluation.protocol;
    set.protocol_line = table.protocol_line;
    set.x_label = "Length (tokens)";
    set.y_label = accuracy ? "Token accuracy" : "Perplexity";
    for (std::size_t n = 0; n < trained.size(); ++n) {
        const StudyRow& row = table.rows[n];
        const bool over_seeds = std::any_of(row.values.begin(), row.values.end(), [](const auto& value) { return value && several_seeds(*value); });
        CurveLine line;
        line.title = row.title;
        line.group = row.title + " in " + table.title;
        line.runs = row.runs;
        line.train_length = trained[n];
        line.band = band_words(row, evaluation.level);
        for (const auto& value : row.values) {
            if (value) add_value(line, *value, over_seeds);
        }
        if (!line.value.empty()) set.lines.push_back(std::move(line));
    }
    return set;
}

}  // namespace lw
