#include "core/study/report_writer.h"

#include "core/evaluation/protocol.h"
#include "core/lab/guard.h"
#include "core/position/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace report_formats_of {
#define LW_ENTRY(name) ReportWriter name();
#include "core/study/formats/entries.def"
#undef LW_ENTRY
}  // namespace report_formats_of

namespace {

const std::vector<ReportWriter>& writers() {
    static const std::vector<ReportWriter> all = {
#define LW_ENTRY(name) report_formats_of::name(),
#include "core/study/formats/entries.def"
#undef LW_ENTRY
    };
    return all;
}

}  // namespace

std::vector<StudyPair> findings_by_pair(const StudyTable& table) {
    if (table.pairs.empty() && !table.findings.empty()) return {{"", table.findings}};
    return table.pairs;
}

std::string value_words(const StudyTable& table, double value) {
    if (table.measure == "accuracy") return fmt::format("{:.1f}", 100 * value);
    if (!std::isfinite(value)) return "–";
    if (value >= 1e9) return fmt::format("{:.1e}", value);
    return value >= 1000 ? with_commas(std::llround(value)) : fmt::format("{:.2f}", value);
}

std::string deviation_words(const StudyTable& table, const StudyValue& value) {
    if (!value.deviation) return "";
    if (table.measure == "accuracy") return fmt::format("{:.1f}", 100 * *value.deviation);
    const double deviation = *value.deviation * value.value;
    // As many decimals as the value has.
    return value.value >= 1000 && deviation < 1000 ? fmt::format("{:.0f}", deviation) : value_words(table, deviation);
}

std::string seed_range(const StudyTable& table) {
    std::int64_t fewest = 0, most = 0;
    for (const StudyRow& row : table.rows) {
        for (const auto& value : row.values) {
            if (!value || row.published) continue;
            fewest = fewest == 0 ? value->seeds : std::min(fewest, value->seeds);
            most = std::max(most, value->seeds);
        }
    }
    return fewest == most ? std::to_string(most) : fmt::format("{} to {}", fewest, most);
}

std::string legend(const StudyReport& report, const StudyTable& table, const std::string& best, const std::string& near) {
    const bool several = std::any_of(table.rows.begin(), table.rows.end(), [](const StudyRow& row) {
        return std::any_of(row.values.begin(), row.values.end(), [](const auto& value) { return value && value->deviation; });
    });
    std::string words = table.measure == "accuracy" ? "Accuracy in per cent" : "Perplexity";
    words += several ? fmt::format(", mean over {} seeds ± standard deviation over seeds", seed_range(table)) : ", one seed";
    if (!table.protocol_line.empty()) words += "; " + table.protocol_line;
    if (table.test.empty()) return words + ". Nothing was tested, so that nothing is marked.";
    return words + fmt::format(". {}: best of its length; {}: not significantly worse ({}; {:.4g} %).", best, near, table.test, 100 * report.level);
}

std::vector<std::vector<std::string>> table_cells(const StudyTable& table, const CellText& text, const std::string& absent) {
    std::vector<std::vector<std::string>> rows;
    for (const StudyRow& row : table.rows) {
        std::vector<std::string> cells = {row.title};
        for (const auto& value : row.values) cells.push_back(value ? text(*value, row.published) : absent);
        rows.push_back(std::move(cells));
    }
    return rows;
}

const std::vector<ReportFormat>& report_formats() {
    static const std::vector<ReportFormat> formats = [] {
        std::vector<ReportFormat> all;
        for (const ReportWriter& writer : writers()) all.push_back(writer.info);
        return all;
    }();
    return formats;
}

Result<std::string> report_text(const StudyReport& report, const std::string& format) {
    return guarded<std::string>([&] {
        std::vector<std::string> known;
        for (const ReportWriter& writer : writers()) {
            if (writer.info.id == format) return writer.write(report);
            known.push_back(writer.info.id);
        }
        throw Failure(ErrorKind::invalid_argument, fmt::format("There is no report format \"{}\".{}", format, suggestion(format, known)));
    });
}

}  // namespace lw
