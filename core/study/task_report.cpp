#include "core/study/task_report.h"

#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"
#include "core/study/cell_runs.h"
#include "core/study/report_rows.h"
#include "core/study/report_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lw {

namespace {

struct Measured {
    std::string title;
    std::vector<std::string> runs;
    std::map<std::int64_t, std::vector<double>> accuracy;  ///< by length, one for each seed
    std::int64_t examples = 0, train_length = 0;
};

struct Setting {
    std::string title;
    std::vector<const StudyCell*> cells;
    std::vector<Measured> rows;
};

template <class Titled>
Titled& titled(std::vector<Titled>& all, const std::string& title) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Titled& one) { return one.title == title; });
    if (found != all.end()) return *found;
    all.emplace_back();
    all.back().title = title;
    return all.back();
}

std::vector<Setting> settings_of(const StudyStatus& status) {
    std::vector<Setting> settings;
    for (const StudyCell& cell : status.cells) {
        if (!measures_task(cell)) continue;
        Setting& setting = titled(settings, cell.setting);
        setting.cells.push_back(&cell);
        const auto measured = cell.state == "finished" ? finished_task_evaluation(cell) : std::nullopt;
        if (!measured) continue;
        Measured& row = titled(setting.rows, cell.scheme);
        row.runs.push_back(cell.run);
        row.train_length = cell.recipe.training.length;
        for (const TaskPoint& point : measured->points) {
            row.accuracy[point.length].push_back(point.token_accuracy);
            row.examples = point.examples;
        }
    }
    return settings;
}

StudyValue value_of(std::int64_t length, const Measured& row, const std::vector<double>& accuracy, double level) {
    const MeanSummary mean = summarise(accuracy, level);
    StudyValue value{.length = length, .value = mean.mean, .low = mean.mean, .high = mean.mean};
    if (mean.interval) value.low = mean.interval->low, value.high = mean.interval->high;
    value.document_low = value.document_high = mean.mean;
    value.deviation = mean.deviation;
    value.seeds = mean.n;
    value.documents = row.examples;
    value.units = counted(row.examples, "example");
    return value;
}

struct Pair {
    const Measured *high, *low;
    std::size_t column;
    double difference, p;  ///< p -1 = no test
    std::int64_t seeds_high, seeds_low;
    [[nodiscard]] bool several_seeds() const { return std::min(seeds_high, seeds_low) > 1; }
    [[nodiscard]] bool significant(double level) const { return p >= 0 && p < 1 - level; }
};

/// Nothing where one of the two has not the length.
std::optional<MeanSummary> mean_at(const Measured& row, std::int64_t length) {
    const auto found = row.accuracy.find(length);
    return found == row.accuracy.end() ? std::nullopt : std::optional(summarise(found->second));
}

class TaskPairs {
public:
    TaskPairs(const Setting& setting, const std::vector<std::int64_t>& lengths, double level) : setting_(setting), lengths_(lengths), level_(level) {}

    std::vector<Pair> all() {
        for (std::size_t n = 0; n < setting_.rows.size(); ++n) {
            for (std::size_t m = n + 1; m < setting_.rows.size(); ++m) {
                for (std::size_t column = 0; column < lengths_.size(); ++column) add(setting_.rows[n], setting_.rows[m], column);
            }
        }
        return corrected();
    }

    /// With the reference, and with the best of each length, which the marks rest on.
    std::vector<Pair> with(const Measured& reference) {
        for (const Measured& row : setting_.rows) {
            for (std::size_t column = 0; column < lengths_.size() && &row != &reference; ++column) add(row, reference, column);
        }
        for (std::size_t column = 0; column < lengths_.size(); ++column) {
            const Measured* best = best_at(lengths_[column]);
            for (const Measured& row : setting_.rows) {
                if (best != nullptr && best != &reference && &row != best && &row != &reference) add(*best, row, column);
            }
        }
        return corrected();
    }

private:
    [[nodiscard]] const Measured* best_at(std::int64_t length) const {
        const Measured* best = nullptr;
        double highest = -1;
        for (const Measured& row : setting_.rows) {
            const auto mean = mean_at(row, length);
            if (!mean || mean->mean <= highest) continue;
            best = &row;
            highest = mean->mean;
        }
        return best;
    }

    void add(const Measured& a, const Measured& b, std::size_t column) {
        const auto mean_a = mean_at(a, lengths_[column]), mean_b = mean_at(b, lengths_[column]);
        if (!mean_a || !mean_b) return;
        const auto test = welch_test(a.accuracy.at(lengths_[column]), b.accuracy.at(lengths_[column]), level_);
        const double p = test ? test->p : -1;
        if (mean_a->mean >= mean_b->mean) pairs_.push_back({&a, &b, column, mean_a->mean - mean_b->mean, p, mean_a->n, mean_b->n});
        else pairs_.push_back({&b, &a, column, mean_b->mean - mean_a->mean, p, mean_b->n, mean_a->n});
    }

    std::vector<Pair> corrected() {
        std::vector<double> p;
        for (const Pair& pair : pairs_) {
            if (pair.p >= 0) p.push_back(pair.p);
        }
        const std::vector<double> by_holm = holm_correction(p);
        std::size_t next = 0;
        for (Pair& pair : pairs_) {
            if (pair.p >= 0) pair.p = by_holm[next++];
        }
        return std::move(pairs_);
    }

    const Setting& setting_;
    const std::vector<std::int64_t>& lengths_;
    double level_;
    std::vector<Pair> pairs_;
};

using Stretch = std::vector<const Pair*>;

/// Of one length, or of several next to each other with the same outcome.
std::string finding(const Stretch& stretch, const std::vector<std::int64_t>& lengths, double level) {
    const Pair& pair = *stretch.front();
    Span difference, p;
    std::vector<std::int64_t> there;
    for (const Pair* one : stretch) {
        difference.take(100 * one->difference);
        p.take(one->p);
        there.push_back(lengths[one->column]);
    }
    const std::string &high = pair.high->title, &low = pair.low->title, at = lengths_words(there), points = span_words(difference) + " points";
    const std::string seeds = pair.seeds_high == pair.seeds_low ? counted(pair.seeds_high, "seed") : fmt::format("{} against {} seeds", pair.seeds_high, pair.seeds_low);
    if (pair.significant(level)) return fmt::format("{} is more accurate than {} at {} by {}, {}, {}.", high, low, at, points, p_words(p), seeds);
    if (pair.p >= 0) return fmt::format("{} and {} do not differ significantly at {}: {}, {}, {}.", high, low, at, points, p_words(p), seeds);
    const std::string why = pair.several_seeds() ? "no test, as no seed differs from another" : "no test over seeds";
    if (pair.difference == 0) return fmt::format("{} and {} are equally accurate at {}, {} ({}).", high, low, at, seeds, why);
    return fmt::format("{} and {} were not tested at {}: {} higher by {}, {} ({}).", high, low, at, high, points, seeds, why);
}

/// Whether one sentence is true of both, which stand next to each other.
bool goes_on(const Pair& x, const Pair& y, double level) {
    const bool tested = x.p >= 0 && y.p >= 0, untested = x.p < 0 && y.p < 0 && (x.difference == 0) == (y.difference == 0);
    return y.column == x.column + 1 && x.high == y.high && x.low == y.low && (tested || untested) && x.significant(level) == y.significant(level) &&
           x.seeds_high == y.seeds_high && x.seeds_low == y.seeds_low;
}

void add_findings(StudyTable& table, const std::vector<Pair>& pairs, double level) {
    for (const Pair& pair : pairs) table.findings.push_back(finding({&pair}, table.lengths, level));
    table.pairs = stretched_findings(
        pairs, [](const Pair& pair) { return std::pair(pair.high->title, pair.low->title); },
        [&](const Pair& x, const Pair& y) { return goes_on(x, y, level); },
        [&](const Stretch& stretch) { return finding(stretch, table.lengths, level); });
}

/// Marks the best of a length, all of them where several are, and those that are not shown to be worse. Where a side has one seed nothing is
/// marked: what has no mark would look worse.
void mark_column(StudyTable& table, std::size_t column, const std::vector<Pair>& pairs, double level) {
    double highest = -1;
    for (const StudyRow& row : table.rows) {
        if (row.values[column]) highest = std::max(highest, row.values[column]->value);
    }
    std::vector<std::string> near;
    for (const Pair& pair : pairs) {
        if (pair.column != column || mean_at(*pair.high, table.lengths[column])->mean != highest) continue;
        if (!pair.several_seeds()) return;
        if (!pair.significant(level)) near.push_back(pair.low->title);
    }
    for (StudyRow& row : table.rows) {
        if (!row.values[column]) continue;
        row.values[column]->best = row.values[column]->value == highest;
        row.values[column]->near_best = !row.values[column]->best && std::find(near.begin(), near.end(), row.title) != near.end();
    }
}

void fill_rows(StudyTable& table, const Setting& setting, double level) {
    std::set<std::int64_t> lengths;
    for (const Measured& row : setting.rows) {
        for (const auto& [length, values] : row.accuracy) lengths.insert(length);
    }
    table.lengths.assign(lengths.begin(), lengths.end());
    for (const Measured& row : setting.rows) {
        StudyRow made{row.title, row.runs, {}, false};
        for (const std::int64_t length : table.lengths) {
            const auto found = row.accuracy.find(length);
            made.values.push_back(found == row.accuracy.end() ? std::nullopt : std::optional(value_of(length, row, found->second, level)));
        }
        table.rows.push_back(std::move(made));
    }
}

void compare(StudyTable& table, const Setting& setting, const StudySpec& spec) {
    const double level = spec.evaluation.level;
    const auto reference = std::find_if(setting.rows.begin(), setting.rows.end(), [&](const Measured& row) { return row.title == spec.reference; });
    const bool has_reference = reference != setting.rows.end();
    TaskPairs compared(setting, table.lengths, level);
    const std::vector<Pair> pairs = has_reference ? compared.with(*reference) : compared.all();
    add_findings(table, pairs, level);
    if (std::none_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.several_seeds(); })) return;
    // Accuracies have Welch's test, whatever was asked for the losses of texts.
    table.test = test_name("welch") + " with " + correction_words(has_reference ? spec.reference : "");
    for (std::size_t column = 0; column < table.lengths.size(); ++column) mark_column(table, column, pairs, level);
}

StudyTable make_table(const Setting& setting, const StudySpec& spec) {
    StudyTable table;
    table.title = setting.title;
    table.measure = "accuracy";
    fill_rows(table, setting, spec.evaluation.level);
    compare(table, setting, spec);
    std::vector<std::int64_t> trained;
    std::set<std::size_t> seeds;
    for (const Measured& row : setting.rows) {
        trained.push_back(row.train_length);
        seeds.insert(row.runs.size());
    }
    table.curves = table_curves(table, trained, spec.evaluation);
    note_states(setting.cells, table.cautions);
    note_seeds(seeds, "there is no test over seeds and no interval.", table.cautions);
    return table;
}

}  // namespace

std::vector<StudyTable> task_tables(const StudyStatus& status) {
    std::vector<StudyTable> tables;
    for (const Setting& setting : settings_of(status)) tables.push_back(make_table(setting, status.spec));
    return tables;
}

}  // namespace lw
