#pragma once
/// What a study found: per length mean and intervals, differences with their tests, and what a reader must be careful about.

#include "core/api/study.h"

namespace lw {

/// One scheme at one length.
struct StudyValue {
    std::int64_t length = 0;
    double value = 0;                    ///< perplexity: exp of the mean loss over seeds; or accuracy: mean over seeds
    double low = 0, high = 0;            ///< Student's interval over seeds (of perplexity: on its logarithm); both the value with one seed
    double document_low = 0, document_high = 0;  ///< bootstrap over documents; both the value where there is none
    std::optional<double> deviation{};   ///< over seeds, of the loss in nats per token or of the accuracy
    std::int64_t seeds = 0, documents = 0, tokens = 0;
    std::string units{};                 ///< what the bootstrap went over: "48 documents"
    bool best = false;                   ///< of its length: lowest perplexity, highest accuracy
    bool near_best = false;              ///< not significantly worse than the best
};

struct StudyRow {
    std::string title;
    std::vector<std::string> runs;                  ///< ids
    std::vector<std::optional<StudyValue>> values;  ///< one for each length of the table; absent where nothing was measured
    bool published = false;                         ///< stated by a paper: other texts and tokens, never compared
};

/// The findings of two schemes at all lengths.
struct StudyPair {
    std::string title;  ///< "Kerple and DAPE-Kerple"; "" where the findings belong to no pairs
    std::vector<std::string> findings;
};

/// Cells that differ in scheme and seed only.
struct StudyTable {
    std::string title;                       ///< "L = 128, small, en-prose"
    std::string measure = "perplexity";      ///< perplexity | accuracy
    std::string protocol_line;
    std::vector<std::int64_t> lengths;
    std::vector<StudyRow> rows;
    std::vector<Comparison> comparisons;     ///< every pair (or each with the reference, then with the best) at every length; `sentence` in plain words
    std::vector<std::string> findings;       ///< the sentences of the comparisons, one for each length; of accuracies, which have no ratio, these alone
    std::vector<std::string> cautions;       ///< few seeds, few tokens, unequal documents, diverged or missing runs
    std::string published_source;            ///< of the published rows; "" = none
    CurveSet curves;                         ///< the same as lines with bands
    /// What its marks rest on: "Welch's t test with Holm's correction over all pairs and lengths of the table"; "" = nothing was tested, and
    /// nothing is marked.
    std::string test{};
    /// The findings for a reader: by pair, with one sentence for lengths next to each other at which the outcome is the same, giving the range of the
    /// differences and of p.
    std::vector<StudyPair> pairs{};
};

struct StudyReport {
    std::string name;
    double level = 0.95;                  ///< of intervals; 1 - level is what significance is held against
    std::string test;                     ///< that was asked for: "Welch's t test", "paired t test, seed by seed"; what was made is said by each table
    std::int64_t cells = 0, finished = 0;
    std::vector<StudyTable> tables;
    std::vector<std::string> cautions;    ///< of the whole study
};
/// StudyTable::pairs; its findings under no title where it has none.
[[nodiscard]] std::vector<StudyPair> findings_by_pair(const StudyTable& table);

/// From the evaluations that are there: a study in work has a report too.
Result<StudyReport> study_report(const StudyStatus& status, const RunContext& context = {});

/// A way to write a report.
struct ReportFormat {
    std::string id;         ///< "text", "markdown", "latex", "csv"
    std::string extension;  ///< of files: ".md"
    std::string summary;
};
[[nodiscard]] const std::vector<ReportFormat>& report_formats();
/// Errors: invalid_argument with the nearest format.
Result<std::string> report_text(const StudyReport& report, const std::string& format);

}  // namespace lw
