/// What a reader of a table must be careful about, said aloud.
#include "core/evaluation/protocol.h"
#include "core/evaluation/resampling_units.h"
#include "core/study/report_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace lw {

namespace {

/// Below these, numbers move by a percent or more when they are measured again. Rules of thumb, said as such in docs/studies.md.
constexpr std::int64_t kFewSeeds = 5;
constexpr std::int64_t kFewTokens = 2000;

void note_units(const ReportGroup& group, std::vector<std::string>& cautions) {
    std::set<std::string> lines;
    const EvaluatedRun* first = nullptr;
    bool other_places = false;
    std::int64_t tokens = -1;
    for (const ReportRow& row : group.rows) {
        for (const EvaluatedRun& run : row.runs) {
            if (first == nullptr) first = &run;
            other_places = other_places || !same_places(run.evaluation, first->evaluation);
            lines.insert(run.evaluation.unit);
            for (const LengthPoint& point : run.evaluation.points) tokens = tokens < 0 ? point.tokens : std::min(tokens, point.tokens);
        }
    }
    if (first == nullptr) return;
    if (other_places) cautions.emplace_back("Not all runs scored the same documents and places, so their perplexities differ by more than their schemes.");
    if (lines.contains("place")) cautions.push_back(fmt::format("Fewer than {} documents: intervals resample places inside them and say nothing about other texts.", kFewestDocuments));
    if (tokens >= 0 && tokens < kFewTokens) cautions.push_back(fmt::format("Few tokens: only {} are scored at some length.", counted(tokens, "token")));
}

/// Warnings of the evaluations themselves, each once: they are the same for all runs on a text.
void note_warnings(const ReportGroup& group, std::vector<std::string>& cautions) {
    std::set<std::string> said;
    for (const ReportRow& row : group.rows) {
        for (const EvaluatedRun& run : row.runs) {
            for (const LengthPoint& point : run.evaluation.points) {
                if (point.warning.empty() || point.warning.find("resamples places") != std::string::npos) continue;  // said above for the table
                if (said.insert(point.warning).second) cautions.push_back(fmt::format("At {}: {}.", with_commas(point.length), point.warning));
            }
        }
    }
}

}  // namespace

void note_states(const std::vector<const StudyCell*>& cells, std::vector<std::string>& cautions) {
    std::map<std::string, std::int64_t> unfinished;
    for (const StudyCell* cell : cells) {
        if (cell->state == "diverged") cautions.push_back(fmt::format("{} diverged and is left out: {}", cell_line(*cell), cell->message));
        else if (cell->state == "failed") cautions.push_back(fmt::format("{} failed and is left out: {}", cell_line(*cell), cell->message));
        else if (cell->state != "finished") ++unfinished[cell->state];
    }
    for (const auto& [state, number] : unfinished) cautions.push_back(fmt::format("{} of {} not in the table yet: {}.", number, counted(static_cast<std::int64_t>(cells.size()), "cell"), state));
}

void note_seeds(const std::set<std::size_t>& numbers, const std::string& alone, std::vector<std::string>& cautions) {
    if (numbers.empty()) return;
    const auto fewest = static_cast<std::int64_t>(*numbers.begin());
    if (numbers.size() > 1) cautions.push_back(fmt::format("Rows rest on different numbers of seeds ({} to {}).", *numbers.begin(), *numbers.rbegin()));
    if (fewest == 1) cautions.push_back(fmt::format("One seed: {} Another seed may turn small differences round.", alone));
    else if (fewest < kFewSeeds) cautions.push_back(fmt::format("{}: a test over seeds is weak, so that \"not significantly worse\" is not \"equal\".", counted(fewest, "seed")));
}

void note_pairing(const ReportGroup& group, const StudySpec& spec, std::vector<std::string>& cautions) {
    const bool continued = std::all_of(group.cells.begin(), group.cells.end(), [](const StudyCell* cell) { return !cell->base.empty(); });
    if (spec.test == "paired" || !continued || group.rows.size() < 2) return;
    std::set<std::set<std::uint64_t>> seeds;
    for (const ReportRow& row : group.rows) {
        std::set<std::uint64_t> own;
        for (const EvaluatedRun& run : row.runs) own.insert(run.seed);
        seeds.insert(std::move(own));
    }
    if (seeds.size() > 1 || seeds.begin()->size() < 2) return;
    cautions.emplace_back(
        "Welch's test takes seeds for independent, but rows of one seed go on from the same weights: \"test\": \"paired\" in the study's file "
        "compares them seed by seed, which sees smaller differences.");
}

std::vector<std::string> cautions_of(const ReportGroup& group) {
    std::vector<std::string> cautions = group.cautions;
    note_states(group.cells, cautions);
    std::set<std::size_t> seeds;
    for (const ReportRow& row : group.rows) seeds.insert(row.runs.size());
    note_seeds(seeds, "there is no test over seeds, and intervals resample documents only.", cautions);
    note_units(group, cautions);
    note_warnings(group, cautions);
    return cautions;
}

}  // namespace lw
