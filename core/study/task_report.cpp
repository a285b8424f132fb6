#include "core/study/task_report.h"

#include "core/evaluation/protocol.h"
#include "core/evaluation/statistics.h"
#include "core/study/cell_runs.h"
#include "core/study/report_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace lw {

namespace {

struct Measured {
    std::string title;
    std::vector<std::string> runs;
    std::map<std::int64_t, std::vector<double>> accuracy;  ///< by length, one for each seed
    std::int64_t examples = 0;
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
    double difference, p;
};

std::vector<Pair> pairs_of(const Setting& setting, const std::vector<std::int64_t>& lengths, double level) {
    std::vector<Pair> pairs;
    for (std::size_t n = 0; n < setting.rows.size(); ++n) {
        for (std::size_t m = n + 1; m < setting.rows.size(); ++m) {
            for (std::size_t column = 0; column < lengths.size(); ++column) {
                const auto a = setting.rows[n].accuracy.find(lengths[column]), b = setting.rows[m].accuracy.find(lengths[column]);
                if (a == setting.rows[n].accuracy.end() || b == setting.rows[m].accuracy.end()) continue;
                const double difference = summarise(a->second).mean - summarise(b->second).mean;
                const auto test = welch_test(a->second, b->second, level);
                pairs.push_back({difference >= 0 ? &setting.rows[n] : &setting.rows[m], difference >= 0 ? &setting.rows[m] : &setting.rows[n], column, std::abs(difference), test ? test->p : -1});
            }
        }
    }
    std::vector<double> p;
    for (const Pair& pair : pairs) {
        if (pair.p >= 0) p.push_back(pair.p);
    }
    const std::vector<double> corrected = holm_correction(p);
    std::size_t next = 0;
    for (Pair& pair : pairs) {
        if (pair.p >= 0) pair.p = corrected[next++];
    }
    return pairs;
}

std::string finding(const Pair& pair, std::int64_t length, double level) {
    const std::string grounds = pair.p < 0 ? "no test over seeds" : fmt::format("p = {:.3f}", pair.p);
    const std::string at = with_commas(length);
    if (pair.p >= 0 && pair.p < 1 - level) return fmt::format("{} is more accurate than {} at {} by {:.1f} points, {}.", pair.high->title, pair.low->title, at, 100 * pair.difference, grounds);
    return fmt::format("{} and {} do not differ significantly at {}: {:.1f} points, {}.", pair.high->title, pair.low->title, at, 100 * pair.difference, grounds);
}

void mark_best(StudyTable& table, const std::vector<Pair>& pairs, double level) {
    for (std::size_t column = 0; column < table.lengths.size() && table.rows.size() > 1; ++column) {
        StudyRow* best = nullptr;
        for (StudyRow& row : table.rows) {
            if (row.values[column] && (best == nullptr || row.values[column]->value > best->values[column]->value)) best = &row;
        }
        if (best == nullptr) continue;
        best->values[column]->best = true;
        for (const Pair& pair : pairs) {
            if (pair.column != column || pair.high->title != best->title || (pair.p >= 0 && pair.p < 1 - level)) continue;
            for (StudyRow& row : table.rows) {
                if (row.title == pair.low->title && row.values[column] && pair.p >= 0) row.values[column]->near_best = true;
            }
        }
    }
}

StudyTable make_table(const Setting& setting, double level) {
    StudyTable table;
    table.title = setting.title;
    table.measure = "accuracy";
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
    const auto pairs = pairs_of(setting, table.lengths, level);
    // Accuracies have Welch's test, whatever was asked for the losses of texts.
    if (std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.p >= 0; })) table.test = test_name("welch") + " with " + correction_words("");
    for (const Pair& pair : pairs) table.findings.push_back(finding(pair, table.lengths[pair.column], level));
    mark_best(table, pairs, level);
    for (const StudyCell* cell : setting.cells) {
        if (cell->state != "finished") table.cautions.push_back(fmt::format("{} is left out: {}{}", cell_line(*cell), cell->state, cell->message.empty() ? "." : ": " + cell->message));
    }
    return table;
}

}  // namespace

std::vector<StudyTable> task_tables(const StudyStatus& status) {
    std::vector<StudyTable> tables;
    for (const Setting& setting : settings_of(status)) tables.push_back(make_table(setting, status.spec.evaluation.level));
    return tables;
}

}  // namespace lw
