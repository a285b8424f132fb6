/// Differences between the rows of a table: paired bootstrap over documents, a test over seeds, Holm's correction, one sentence each.
#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"
#include "core/study/report_rows.h"
#include "core/study/report_sentences.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

class Pairing {
public:
    Pairing(const ReportGroup& group, std::vector<std::string>& cautions) : group_(group), cautions_(cautions) {}

    void all_pairs() {
        for (std::size_t n = 0; n < group_.rows.size(); ++n) {
            for (std::size_t m = n + 1; m < group_.rows.size(); ++m) {
                for (const std::int64_t length : group_.lengths) {
                    const ReportRow &first = group_.rows[n], &second = group_.rows[m];
                    const bool in_order = first.loss(length) <= second.loss(length);
                    add(in_order ? first : second, in_order ? second : first, length);
                }
            }
        }
    }

    void with_reference(const ReportRow& reference) {
        for (const ReportRow& row : group_.rows) {
            if (&row == &reference) continue;
            for (const std::int64_t length : group_.lengths) add(row, reference, length);
        }
        for (const std::int64_t length : group_.lengths) with_best(reference, length);
    }

    std::vector<Comparison> take() { return std::move(comparisons_); }

private:
    /// Whether a row is worse than the best of its length is not told by how either compares with the reference.
    void with_best(const ReportRow& reference, std::int64_t length) {
        const auto lower = [&](const ReportRow& a, const ReportRow& b) { return a.loss(length) < b.loss(length); };
        const auto best = std::min_element(group_.rows.begin(), group_.rows.end(), lower);
        if (&*best == &reference) return;
        for (const ReportRow& row : group_.rows) {
            if (&row != &*best && &row != &reference) add(*best, row, length);
        }
    }

    /// Runs that scored other places cannot be paired with the others: said once for each, not for every length.
    void add(const ReportRow& row_a, const ReportRow& row_b, std::int64_t length) {
        const std::vector<EvaluatedRun> a = row_a.at(length), b = row_b.at(length);
        if (a.empty() || b.empty()) return;
        try {
            if (auto comparison = compare_at(a, b, length)) comparisons_.push_back(std::move(*comparison));
        } catch (const Failure& failure) {
            if (std::find(cautions_.begin(), cautions_.end(), failure.what()) == cautions_.end()) cautions_.emplace_back(failure.what());
        }
    }

    const ReportGroup& group_;
    std::vector<std::string>& cautions_;
    std::vector<Comparison> comparisons_;
};

/// The test that was asked for, over all comparisons at once; Welch's where seeds cannot be paired, since a bootstrap would not be corrected.
void correct(std::vector<Comparison>& comparisons, const std::string& test) {
    std::vector<double> p;
    std::vector<Comparison*> tested;
    for (Comparison& comparison : comparisons) {
        const double of_test = test == "paired" && can_be_paired(comparison) ? comparison.paired_p : comparison.welch_p;
        if (of_test < 0) continue;
        p.push_back(of_test);
        tested.push_back(&comparison);
    }
    const std::vector<double> corrected = holm_correction(p);
    for (std::size_t n = 0; n < tested.size(); ++n) tested[n]->corrected_p = corrected[n];
}

/// The row of that title. A study with a continuation has tables of its own schemes beside, in which the title need not be.
const ReportRow* reference_row(const ReportGroup& group, const std::string& name) {
    const auto called = [&](const ReportRow& row) { return row.title == name; };
    const auto found = std::find_if(group.rows.begin(), group.rows.end(), called);
    return found == group.rows.end() ? nullptr : &*found;
}

}  // namespace

std::string test_name(const std::string& test) { return test == "paired" ? "paired t test, seed by seed" : "Welch's t test"; }

std::string correction_words(const std::string& reference) {
    if (reference.empty()) return "Holm's correction over all pairs and lengths of the table";
    return fmt::format("Holm's correction over all lengths of the table and the pairs with {} or with the best", reference);
}

bool has_reference(const ReportGroup& group, const StudySpec& spec) { return reference_row(group, spec.reference) != nullptr; }

std::string test_words(const std::vector<Comparison>& comparisons, const StudySpec& spec, bool with_reference) {
    const auto over_seeds = [](const Comparison& c) { return c.corrected_p >= 0; };
    const auto over_documents = [&](const Comparison& c) { return !over_seeds(c) && was_tested(c); };
    const bool seeds = std::any_of(comparisons.begin(), comparisons.end(), over_seeds), documents = std::any_of(comparisons.begin(), comparisons.end(), over_documents);
    if (!seeds) return documents ? "bootstrap over documents, not corrected for the number of comparisons" : "";
    std::string words = test_name(spec.test);
    const bool unpaired = std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) { return over_seeds(c) && !can_be_paired(c); });
    if (spec.test == "paired" && unpaired) words += ", Welch's where seeds cannot be paired,";
    words += " with " + correction_words(with_reference ? spec.reference : "");
    return documents ? words + "; bootstrap over documents, not corrected, where there is no test over seeds" : words;
}

/// One seed against the mean of several is chance: the single one may be the luckiest, which no interval over documents can tell. Only where both
/// sides have one seed do the documents decide.
bool was_tested(const Comparison& c) {
    if (c.corrected_p >= 0) return true;
    return c.seeds_a == c.seeds_b && (has_interval(c) || c.ratio == 1);
}

bool is_significant(const Comparison& c, double level) {
    if (c.corrected_p >= 0) return c.corrected_p < 1 - level;
    return was_tested(c) && has_interval(c) && (c.low > 1 || c.high < 1);
}

std::vector<Comparison> compare_rows(const ReportGroup& group, const StudySpec& spec, std::vector<std::string>& cautions) {
    Pairing pairing(group, cautions);
    const ReportRow* reference = reference_row(group, spec.reference);
    if (reference != nullptr) pairing.with_reference(*reference);
    else pairing.all_pairs();
    std::vector<Comparison> comparisons = pairing.take();
    correct(comparisons, spec.test);
    for (Comparison& comparison : comparisons) comparison.sentence = sentence_of(comparison, spec);
    return comparisons;
}

}  // namespace lw
