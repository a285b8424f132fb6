/// Tables for a paper: LaTeX with booktabs. The sentences go into comments, since captions are written by hand.
#include "core/evaluation/protocol.h"
#include "core/study/report_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace lw {

namespace {

std::string escaped(const std::string& text) {
    static const std::map<std::string, std::string> special = {
        {"\\", "\\textbackslash{}"}, {"&", "\\&"}, {"%", "\\%"}, {"$", "\\$"}, {"#", "\\#"}, {"_", "\\_"}, {"{", "\\{"}, {"}", "\\}"}, {"~", "\\textasciitilde{}"},
        {"^", "\\textasciicircum{}"}, {"±", "$\\pm$"}, {"×", "$\\times$"}, {"–", "--"}, {"−", "$-$"}, {"…", "\\dots{}"}};
    std::string out;
    for (std::size_t n = 0; n < text.size();) {
        std::size_t bytes = 1;
        while (n + bytes < text.size() && (static_cast<unsigned char>(text[n + bytes]) & 0xC0U) == 0x80U) ++bytes;
        const std::string character = text.substr(n, bytes);
        const auto found = special.find(character);
        out += found == special.end() ? character : found->second;
        n += bytes;
    }
    return out;
}

std::string cell(const StudyTable& table, const StudyValue& value, bool published) {
    std::string text = escaped(value_words(table, value.value));
    if (value.best) text = "\\textbf{" + text + "}";
    else if (value.near_best) text = "\\underline{" + text + "}";
    const std::string deviation = deviation_words(table, value);
    return deviation.empty() || published ? text : text + " {\\scriptsize $\\pm$ " + escaped(deviation) + "}";
}

/// A line break in a name would end the comment.
std::string comment(std::string sentence) {
    std::replace_if(sentence.begin(), sentence.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return "% " + sentence + "\n";
}

std::string comments(const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& sentence : sentences) out += comment(sentence);
    return out;
}

std::string write_table(const StudyReport& report, const StudyTable& table) {
    std::string out;
    for (const StudyPair& pair : findings_by_pair(table)) out += comments(pair.findings);
    out += comments(table.cautions);
    if (table.rows.empty()) return out;
    std::vector<std::string> header = {escaped("Scheme")};
    for (const std::int64_t length : table.lengths) header.push_back(with_commas(length));
    out += "\\begin{table}\n\\centering\n\\begin{tabular}{l" + std::string(table.lengths.size(), 'r') + "}\n\\toprule\n";
    out += fmt::format("{} \\\\\n\\midrule\n", fmt::join(header, " & "));
    bool ruled = false;
    std::size_t n = 0;
    for (auto& row : table_cells(table, [&](const StudyValue& value, bool published) { return cell(table, value, published); }, "--")) {
        if (table.rows[n++].published && !ruled) {
            out += "\\midrule\n";
            ruled = true;
        }
        row.front() = escaped(row.front());
        out += fmt::format("{} \\\\\n", fmt::join(row, " & "));
    }
    std::string caption = table.title + ". " + legend(report, table, "Bold", "underlined");
    if (!table.published_source.empty()) caption += " Published: " + table.published_source;
    return out + "\\bottomrule\n\\end{tabular}\n\\caption{" + escaped(caption) + "}\n\\end{table}\n\n";
}

std::string write(const StudyReport& report) {
    std::string out = comment(fmt::format("{}: {} of {} finished. Needs \\usepackage{{booktabs}}.", report.name, report.finished, counted(report.cells, "cell"))) + comments(report.cautions);
    for (const StudyTable& table : report.tables) out += write_table(report, table);
    return out;
}

}  // namespace

namespace report_formats_of {
ReportWriter latex() { return {{"latex", ".tex", "LaTeX tables with booktabs"}, write}; }
}  // namespace report_formats_of

}  // namespace lw
