/// study_report(): tables out of what is measured.
#include "core/api/published.h"
#include "core/evaluation/protocol.h"
#include "core/lab/guard.h"
#include "core/study/report_rows.h"
#include "core/study/report_sentences.h"
#include "core/study/task_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

std::optional<StudyValue> value_at(const ReportRow& row, std::int64_t length) {
    const auto runs = row.at(length);
    const auto point = runs.empty() ? std::nullopt : group_point(runs, length);
    if (!point) return std::nullopt;
    StudyValue value;
    value.length = length;
    value.value = std::exp(point->loss.mean);
    value.low = point->loss.interval ? std::exp(point->loss.interval->low) : value.value;
    value.high = point->loss.interval ? std::exp(point->loss.interval->high) : value.value;
    value.document_low = point->documents ? point->documents->low : value.value;
    value.document_high = point->documents ? point->documents->high : value.value;
    value.deviation = point->loss.deviation;
    value.seeds = point->loss.n;
    value.documents = point->document_count;
    value.tokens = point->tokens;
    value.units = point->units;
    return value;
}

StudyRow make_row(const ReportRow& row, const std::vector<std::int64_t>& lengths) {
    StudyRow made;
    made.title = row.title;
    for (const EvaluatedRun& run : row.runs) made.runs.push_back(run.evaluation.run);
    for (const std::int64_t length : lengths) made.values.push_back(value_at(row, length));
    return made;
}

StudyRow* lowest(StudyTable& table, std::size_t column) {
    StudyRow* best = nullptr;
    for (StudyRow& row : table.rows) {
        if (row.values[column] && (best == nullptr || row.values[column]->value < best->values[column]->value)) best = &row;
    }
    return best;
}

/// Marks the best of a length and those that a comparison with it does not tell apart. Where one of them was not tested nothing is marked: what has
/// no mark would look worse.
void mark_column(StudyTable& table, std::size_t column, double level) {
    StudyRow* best = lowest(table, column);
    if (best == nullptr) return;
    std::vector<std::string> near;
    for (const Comparison& c : table.comparisons) {
        if (c.length != table.lengths[column] || (c.a != best->title && c.b != best->title)) continue;
        if (!was_tested(c)) return;
        if (!is_significant(c, level)) near.push_back(c.a == best->title ? c.b : c.a);
    }
    best->values[column]->best = true;
    for (StudyRow& row : table.rows) {
        if (row.values[column] && std::find(near.begin(), near.end(), row.title) != near.end()) row.values[column]->near_best = true;
    }
}

/// One row alone is best of nothing, and without any comparison none is.
void mark_best(StudyTable& table, double level) {
    if (table.test.empty()) return;
    for (std::size_t column = 0; column < table.lengths.size(); ++column) mark_column(table, column, level);
}

bool trained_at(const ReportGroup& group, std::int64_t length) {
    return std::all_of(group.cells.begin(), group.cells.end(), [&](const StudyCell* cell) { return cell->recipe.training.length == length; });
}

/// Rows of what a paper states for the schemes of the table, at its lengths only. Models trained at another L are another table.
void add_published(StudyTable& table, const ReportGroup& group, const std::string& id) {
    if (id.empty()) return;
    const PublishedSet set = published_set(id).value();
    if (!trained_at(group, set.length)) return;
    std::vector<StudyRow> rows;
    for (const PublishedSeries& series : set.series) {
        StudyRow row;
        row.title = series.title + ", published";
        row.published = true;
        bool any = false;
        for (const std::int64_t length : table.lengths) {
            const auto point = std::find_if(series.points.begin(), series.points.end(), [&](const PublishedPoint& p) { return p.length == length; });
            std::optional<StudyValue> value;
            if (point != series.points.end()) value = StudyValue{.length = length, .value = point->perplexity, .low = point->perplexity, .high = point->perplexity};
            any = any || value;
            row.values.push_back(value);
        }
        const bool asked = std::any_of(table.rows.begin(), table.rows.end(), [&](const StudyRow& own) { return own.title == series.title; });
        if (any && asked) rows.push_back(std::move(row));
    }
    if (rows.empty()) return;
    table.published_source = fmt::format("{} ({} {}: {}.) {}", set.title, set.source, set.certainty, set.protocol, set.note);
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
}

StudyTable make_table(const ReportGroup& group, const StudySpec& spec) {
    StudyTable table;
    table.title = group.title;
    table.lengths = group.lengths;
    std::vector<std::int64_t> trained;
    for (const ReportRow& row : group.rows) {
        table.rows.push_back(make_row(row, group.lengths));
        trained.push_back(row.runs.front().train_length);
    }
    if (!group.rows.empty()) table.protocol_line = group.rows.front().runs.front().evaluation.protocol_line;
    table.cautions = cautions_of(group);
    note_pairing(group, spec, table.cautions);
    table.comparisons = compare_rows(group, spec, table.cautions);
    for (const Comparison& comparison : table.comparisons) table.findings.push_back(comparison.sentence);
    table.pairs = pair_findings(table.comparisons, table.lengths, spec);
    table.test = test_words(table.comparisons, spec, has_reference(group, spec));
    mark_best(table, spec.evaluation.level);
    table.curves = table_curves(table, trained, spec.evaluation);
    add_published(table, group, spec.published);
    return table;
}

/// Values that were asked for and stand nowhere would be looked for.
void note_published(StudyReport& report, const std::string& id) {
    const auto has = [](const StudyTable& table) { return !table.published_source.empty(); };
    if (id.empty() || std::any_of(report.tables.begin(), report.tables.end(), has)) return;
    report.cautions.push_back(fmt::format("No published value of {} is shown: it is of models trained at L = {}, and no table of that L has its schemes at its lengths.", id,
                                          with_commas(published_set(id).value().length)));
}

}  // namespace

Result<StudyReport> study_report(const StudyStatus& status, const RunContext& context) {
    return guarded<StudyReport>(context, [&] {
        StudyReport report;
        report.name = status.spec.name;
        report.level = status.spec.evaluation.level;
        report.test = test_name(status.spec.test);
        report.cells = static_cast<std::int64_t>(status.cells.size());
        report.finished = status.count("finished");
        for (const ReportGroup& group : report_groups(status.cells)) report.tables.push_back(make_table(group, status.spec));
        for (StudyTable& table : task_tables(status)) report.tables.push_back(std::move(table));
        report.cautions = status.notes;
        note_published(report, status.spec.published);
        report.cautions.insert(report.cautions.end(), status.problems.begin(), status.problems.end());
        return report;
    });
}

}  // namespace lw
