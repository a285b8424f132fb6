/// The differences of a report, one line each, with every digit.
#include "core/lab/csv_cell.h"
#include "core/study/report_writer.h"

#include <fmt/format.h>

namespace lw {

namespace {

std::string p_cell(double p) { return p < 0 ? "" : fmt::format("{}", p); }

std::string line_of(const StudyTable& table, const Comparison& c) {
    const std::string effect = c.effect ? fmt::format("{}", *c.effect) : "";
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(table.title), csv_cell(c.a), csv_cell(c.b), c.length, c.ratio,
                       interval_cells(c.low, c.high), p_cell(c.welch_p), p_cell(c.paired_p), p_cell(c.corrected_p), effect, c.seeds_a, c.seeds_b,
                       c.documents, csv_cell(c.sentence));
}

/// Accuracies have no ratio: their sentences alone.
std::string sentence_line(const StudyTable& table, const std::string& sentence) {
    return csv_cell(table.title) + ",,,,,,,,,,,,,," + csv_cell(sentence) + "\n";
}

std::string write(const StudyReport& report) {
    std::string out = "setting,a,b,length,perplexity_ratio,low,high,welch_p,paired_p,holm_p,hedges_g,seeds_a,seeds_b,documents,sentence\n";
    for (const StudyTable& table : report.tables) {
        for (const Comparison& comparison : table.comparisons) out += line_of(table, comparison);
        if (table.measure != "accuracy") continue;
        for (const std::string& finding : table.findings) out += sentence_line(table, finding);
    }
    return out;
}

}  // namespace

namespace report_formats_of {
ReportWriter csv_differences() { return {{"csv-differences", ".csv", "All differences between schemes with their tests"}, write}; }
}  // namespace report_formats_of

}  // namespace lw
