#include "core/study/report_rows.h"

#include "core/evaluation/protocol.h"
#include "core/lab/evaluated_runs.h"
#include "core/study/cell_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace lw {

namespace {

template <class Named>
Named& named(std::vector<Named>& all, const std::string& title) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.title == title; });
    if (found != all.end()) return *found;
    all.emplace_back();
    all.back().title = title;
    return all.back();
}

/// A mean with an infinite loss in it is infinite: such a point is left out, and said.
void drop_unusable(Evaluation& evaluation, const StudyCell& cell, std::vector<std::string>& cautions) {
    std::vector<std::string> lengths;
    std::erase_if(evaluation.points, [&](const LengthPoint& point) {
        const bool unusable = !std::isfinite(point.loss) || !std::isfinite(point.perplexity);
        if (unusable) lengths.push_back(with_commas(point.length));
        return unusable;
    });
    if (lengths.empty()) return;
    cautions.push_back(fmt::format("{}: the loss is not a finite number at {}; left out there.", cell_line(cell), listed(lengths)));
}

void add_cell(ReportGroup& group, const StudyCell& cell) {
    group.cells.push_back(&cell);
    if (cell.state != "finished") return;
    auto evaluation = finished_evaluation(cell);
    if (!evaluation) return;
    drop_unusable(*evaluation, cell, group.cautions);
    named(group.rows, cell.scheme).runs.push_back({cell.scheme, cell.scheme + " in " + cell.setting, tokenizer_words(cell.recipe.data), cell.recipe.training.length, std::move(*evaluation),
                                                   cell.seed, cell.run.starts_with("demo:")});
}

std::vector<std::int64_t> lengths_of(const ReportGroup& group) {
    std::set<std::int64_t> lengths;
    for (const ReportRow& row : group.rows) {
        for (const EvaluatedRun& run : row.runs) {
            for (const LengthPoint& point : run.evaluation.points) lengths.insert(point.length);
        }
    }
    return {lengths.begin(), lengths.end()};
}

}  // namespace

std::vector<EvaluatedRun> ReportRow::at(std::int64_t length) const {
    std::vector<EvaluatedRun> there;
    for (const EvaluatedRun& run : runs) {
        const auto& points = run.evaluation.points;
        if (std::any_of(points.begin(), points.end(), [&](const LengthPoint& point) { return point.length == length; })) there.push_back(run);
    }
    return there;
}

double ReportRow::loss(std::int64_t length) const {
    std::map<std::uint64_t, double> by_seed;  // of one seed the first counts, as in comparisons
    for (const EvaluatedRun& run : runs) {
        for (const LengthPoint& point : run.evaluation.points) {
            if (point.length == length) by_seed.emplace(run.seed, point.loss);
        }
    }
    if (by_seed.empty()) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const auto& [seed, loss] : by_seed) sum += loss;
    return sum / static_cast<double>(by_seed.size());
}

std::vector<ReportGroup> report_groups(const std::vector<StudyCell>& cells) {
    std::vector<ReportGroup> groups;
    for (const StudyCell& cell : cells) {
        if (!measures_task(cell)) add_cell(named(groups, cell.setting), cell);
    }
    for (ReportGroup& group : groups) group.lengths = lengths_of(group);
    return groups;
}

}  // namespace lw
