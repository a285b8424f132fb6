#pragma once
/// The evaluations of a study, sorted into tables and rows.

#include "core/api/study_report.h"
#include "core/evaluation/comparison.h"
#include "core/study/cells.h"

#include <set>
#include <string>
#include <vector>

namespace lw {

/// Cells that differ in their seed only. Points whose loss is no finite number are taken out and named.
struct ReportRow {
    std::string title;
    std::vector<EvaluatedRun> runs;
    [[nodiscard]] std::vector<EvaluatedRun> at(std::int64_t length) const;  ///< those that have the length
    [[nodiscard]] double loss(std::int64_t length) const;                   ///< mean over their seeds; infinite where none has it
};

struct ReportGroup {
    std::string title;                   ///< the cells' setting
    std::vector<const StudyCell*> cells;
    std::vector<ReportRow> rows;         ///< in the order of the cells; without those of which nothing is measured yet
    std::vector<std::int64_t> lengths;   ///< that any of them has, ascending
    std::vector<std::string> cautions;   ///< about points that were taken out
};

/// Of text cells; cells on synthetic tasks have no perplexity. The cells must outlive the groups.
[[nodiscard]] std::vector<ReportGroup> report_groups(const std::vector<StudyCell>& cells);

/// Compares rows of a group at every length, with Holm's correction over all of them and a plain sentence each. `reference` "" = all pairs, the
/// lower one first; else every row with the reference, then the best of each length with the others, which the marks rest on. What cannot be paired
/// goes into `cautions`.
[[nodiscard]] std::vector<Comparison> compare_rows(const ReportGroup& group, const StudySpec& spec, std::vector<std::string>& cautions);
/// Whether the group has the row that `spec.reference` names. A study with a continuation has tables of its own schemes beside, in which it need not be.
[[nodiscard]] bool has_reference(const ReportGroup& group, const StudySpec& spec);
/// What decides which rows are marked, for a legend: StudyTable::test.
[[nodiscard]] std::string test_words(const std::vector<Comparison>& comparisons, const StudySpec& spec, bool with_reference);
/// "Welch's t test", "paired t test, seed by seed"
[[nodiscard]] std::string test_name(const std::string& test);
/// What Holm's correction went over: "Holm's correction over all pairs and lengths of the table"
[[nodiscard]] std::string correction_words(const std::string& reference);
/// Whether anything tells the two apart or could: a test over seeds, or else a bootstrap interval. Equal to the last digit needs none.
[[nodiscard]] bool was_tested(const Comparison& comparison);
/// Whether the two differ by the test over seeds, or, where there is none, by the bootstrap over documents.
[[nodiscard]] bool is_significant(const Comparison& comparison, double level);

/// The values of a table as lines with bands, of as many rows as `trained` has lengths that they were trained at.
[[nodiscard]] CurveSet table_curves(const StudyTable& table, const std::vector<std::int64_t>& trained, const EvaluationSpec& evaluation);

/// Cells that are not in the table, with their reason.
void note_states(const std::vector<const StudyCell*>& cells, std::vector<std::string>& cautions);
/// What few seeds, or different numbers of them, leave open; `alone` is what is said of one seed.
void note_seeds(const std::set<std::size_t>& numbers, const std::string& alone, std::vector<std::string>& cautions);
/// That a paired test would see more, where all rows are continuations of the same seeds and another test is asked for.
void note_pairing(const ReportGroup& group, const StudySpec& spec, std::vector<std::string>& cautions);
/// Sentences that a reader needs beside the numbers of a group.
[[nodiscard]] std::vector<std::string> cautions_of(const ReportGroup& group);

}  // namespace lw
