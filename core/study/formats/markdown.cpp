/// A report as Markdown, for notes and repositories.
#include "core/evaluation/protocol.h"
#include "core/study/report_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lw {

namespace {

/// A bar would end the cell.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string line_of(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string cell(const StudyTable& table, const StudyValue& value, bool published) {
    std::string text = value_words(table, value.value);
    if (const std::string deviation = deviation_words(table, value); !deviation.empty() && !published) text += " ± " + deviation;
    if (value.best) return "**" + text + "**";
    return value.near_best ? "*" + text + "*" : text;
}

std::string write_table(const StudyReport& report, const StudyTable& table) {
    std::string out = fmt::format("\n## {}\n\n", table.title);
    if (!table.rows.empty()) {
        std::vector<std::string> header = {table.measure + " at"}, rule = {"---"};
        for (const std::int64_t length : table.lengths) {
            header.push_back(with_commas(length));
            rule.emplace_back("---:");
        }
        out += line_of(header) + line_of(rule);
        for (auto& row : table_cells(table, [&](const StudyValue& value, bool published) { return cell(table, value, published); }, "–")) {
            row.front() = escaped(row.front());
            out += line_of(row);
        }
        out += "\n" + legend(report, table, "Bold", "italic") + "\n";
    }
    if (!table.published_source.empty()) out += "\nPublished: " + table.published_source + "\n";
    if (!table.cautions.empty()) out += "\nRead with care:\n\n";
    for (const std::string& caution : table.cautions) out += "* " + caution + "\n";
    for (const StudyPair& pair : findings_by_pair(table)) {
        out += pair.title.empty() ? "\n" : fmt::format("\n### {}\n\n", pair.title);
        for (const std::string& finding : pair.findings) out += "* " + finding + "\n";
    }
    return out;
}

std::string write(const StudyReport& report) {
    std::string out = fmt::format("# {}\n\n{} of {} finished.\n", report.name, report.finished, counted(report.cells, "cell"));
    if (!report.cautions.empty()) out += "\n";
    for (const std::string& caution : report.cautions) out += "* " + caution + "\n";
    for (const StudyTable& table : report.tables) out += write_table(report, table);
    return out;
}

}  // namespace

namespace report_formats_of {
ReportWriter markdown() { return {{"markdown", ".md", "Markdown with tables"}, write}; }
}  // namespace report_formats_of

}  // namespace lw
