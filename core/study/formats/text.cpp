/// A report for a terminal: columns of equal width, then sentences.
#include "core/evaluation/protocol.h"
#include "core/study/report_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

/// Columns on a terminal: bytes that go on with a character take none.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return right ? space + text : text + space;
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows) {
        for (std::size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], width_of(row[n]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t n = 0; n < row.size(); ++n) line += (n > 0 ? "  " : "") + padded(row[n], widths[n], n > 0);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string cell(const StudyTable& table, const StudyValue& value, bool published) {
    std::string text = value_words(table, value.value);
    if (const std::string deviation = deviation_words(table, value); !deviation.empty() && !published) text += " ±" + deviation;
    return text + (value.best ? "*" : value.near_best ? "~" : " ");
}

std::string write_table(const StudyReport& report, const StudyTable& table) {
    std::string out = "\n" + table.title + "\n";
    if (!table.rows.empty()) {
        std::vector<std::string> header = {table.measure + " at"};
        for (const std::int64_t length : table.lengths) header.push_back(with_commas(length) + " ");
        auto rows = table_cells(table, [&](const StudyValue& value, bool published) { return cell(table, value, published); }, "– ");
        rows.insert(rows.begin(), header);
        out += columns(rows) + legend(report, table, "*", "~") + "\n";
    }
    if (!table.published_source.empty()) out += "Published: " + table.published_source + "\n";
    if (!table.cautions.empty()) out += "\nRead with care:\n";
    for (const std::string& caution : table.cautions) out += "- " + caution + "\n";
    for (const StudyPair& pair : findings_by_pair(table)) {
        out += "\n";
        for (const std::string& finding : pair.findings) out += finding + "\n";
    }
    return out;
}

std::string write(const StudyReport& report) {
    std::string out = fmt::format("{}: {} of {} finished\n", report.name, report.finished, counted(report.cells, "cell"));
    for (const std::string& caution : report.cautions) out += "- " + caution + "\n";
    for (const StudyTable& table : report.tables) out += write_table(report, table);
    return out;
}

}  // namespace

namespace report_formats_of {
ReportWriter text() { return {{"text", ".txt", "Tables and sentences for a terminal"}, write}; }
}  // namespace report_formats_of

}  // namespace lw
