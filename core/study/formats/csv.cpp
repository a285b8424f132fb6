/// The values of a report, one line each, with every digit.
#include "core/lab/csv_cell.h"
#include "core/study/report_writer.h"

#include <fmt/format.h>

namespace lw {

namespace {

std::string line_of(const StudyTable& table, const StudyRow& row, const StudyValue& v) {
    const std::string deviation = v.deviation ? fmt::format("{}", *v.deviation) : "";
    const std::string documents = row.published ? "," : interval_cells(v.document_low, v.document_high);
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(table.title), table.measure, csv_cell(row.title),
                       row.published ? 1 : 0, v.length, v.value, interval_cells(v.low, v.high), documents, deviation, v.seeds, v.documents, v.tokens,
                       v.best ? 1 : 0, v.near_best ? 1 : 0);
}

std::string write(const StudyReport& report) {
    std::string out = "setting,measure,scheme,published,length,value,low,high,document_low,document_high,deviation,seeds,documents,tokens,best,not_significantly_worse\n";
    for (const StudyTable& table : report.tables) {
        for (const StudyRow& row : table.rows) {
            for (const auto& value : row.values) {
                if (value) out += line_of(table, row, *value);
            }
        }
    }
    return out;
}

}  // namespace

namespace report_formats_of {
ReportWriter csv() { return {{"csv", ".csv", "All values with their intervals and counts"}, write}; }
}  // namespace report_formats_of

}  // namespace lw
