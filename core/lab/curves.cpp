/// The verbs behind plots of perplexity against length and of loss by position.

#include "core/api/evaluation.h"
#include "core/evaluation/comparison.h"
#include "core/evaluation/position_lines.h"
#include "core/evaluation/protocol.h"
#include "core/lab/evaluated_runs.h"
#include "core/lab/guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

namespace lw {
namespace {

/// The values that occur, each once.
std::vector<std::string> different(const std::vector<EvaluatedRun>& runs, const std::function<std::string(const EvaluatedRun&)>& of) {
    std::vector<std::string> values;
    for (const EvaluatedRun& run : runs) {
        if (const std::string value = of(run); std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    return values;
}

std::vector<std::string> ways_of(const std::vector<EvaluatedRun>& runs) {
    return different(runs, [](const EvaluatedRun& run) { return run.evaluation.protocol_line; });
}

/// Runs measured in different ways may stand in one plot, which then says so. `lengths`: they differ, where it matters.
std::vector<std::string> warnings_of(const std::vector<EvaluatedRun>& runs, const std::string& lengths) {
    const auto tokens = different(runs, [](const EvaluatedRun& run) { return run.tokenizer; });
    const auto texts = different(runs, [](const EvaluatedRun& run) { return run.evaluation.source; });
    const auto elsewhere = [&](const EvaluatedRun& run) { return !same_places(run.evaluation, runs.front().evaluation); };
    std::vector<std::string> clauses;
    if (tokens.size() > 1) clauses.push_back(fmt::format("tokens differ between runs ({}), so their perplexities cannot be compared", fmt::join(tokens, ", ")));
    if (texts.size() > 1) clauses.push_back(fmt::format("texts differ between runs ({})", fmt::join(texts, ", ")));
    const auto other_keys = [&](const EvaluatedRun& run) { return !same_keys(run.evaluation, runs.front().evaluation); };
    if (std::any_of(runs.begin(), runs.end(), other_keys)) {
        clauses.emplace_back("key tokens differ between runs, which were not all marked by one evaluator in one way, so their LongPPL cannot be compared");
    }
    if (ways_of(runs).size() > 1 || !lengths.empty()) clauses.push_back("settings differ between runs" + lengths);
    // Evaluations up to other lengths score other places, so such lines do not stand on the same tokens.
    else if (texts.size() == 1 && std::any_of(runs.begin(), runs.end(), elsewhere)) clauses.emplace_back("other places in some runs, whose longest length differs");
    return clauses;
}

void describe(CurveSet& set, const std::vector<EvaluatedRun>& runs, const std::string& lengths = "") {
    set.protocol_line = fmt::format("{}", fmt::join(ways_of(runs), " | "));
    set.warnings = warnings_of(runs, lengths);
}

/// "128", "128 or 256": the numbers that occur, from the smallest on.
std::string either(const std::vector<EvaluatedRun>& runs, const std::function<std::int64_t(const EvaluatedRun&)>& of) {
    std::set<std::int64_t> numbers;
    for (const EvaluatedRun& run : runs) numbers.insert(of(run));
    std::vector<std::string> words;
    for (const std::int64_t number : numbers) words.push_back(with_commas(number));
    return fmt::format("{}", fmt::join(words, " or "));
}

std::string position_label(const std::vector<EvaluatedRun>& runs, PositionOrigin origin) {
    if (origin == PositionOrigin::training_length) {
        return fmt::format("Tokens before the scored one beyond the training length L = {}", either(runs, [](const EvaluatedRun& run) { return run.train_length; }));
    }
    return fmt::format("Position in texts of {} tokens", either(runs, [](const EvaluatedRun& run) { return run.evaluation.points.back().length; }));
}

}  // namespace

Result<CurveSet> perplexity_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol, bool group_seeds) {
    return guarded<CurveSet>([&] {
        EvaluatedRuns read = read_evaluated_runs(runs, protocol);
        CurveSet set;
        set.protocol = protocol;
        set.x_label = "Length (tokens)";
        set.y_label = find_protocol(protocol).quantity;
        set.lines = curve_lines(read.runs, group_seeds);
        set.missing = std::move(read.missing);
        set.problems = std::move(read.problems);
        describe(set, read.runs);
        return set;
    });
}

Result<CurveSet> position_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol, PositionOrigin origin, bool group_seeds) {
    return guarded<CurveSet>([&] {
        EvaluatedRuns read = read_evaluated_runs(runs, protocol);
        CurveSet set;
        set.protocol = protocol;
        set.missing = std::move(read.missing);
        set.problems = std::move(read.problems);
        const auto lacks = [&](const EvaluatedRun& run) { return !has_positions(run, origin); };
        for (const EvaluatedRun& run : read.runs) {
            if (lacks(run)) set.missing.push_back(run.title);
        }
        std::erase_if(read.runs, lacks);
        set.y_label = "Loss (nats per token)";
        set.lines = position_lines(read.runs, origin, group_seeds);
        if (read.runs.empty()) return set;
        set.x_label = position_label(read.runs, origin);
        const auto longest = different(read.runs, [](const EvaluatedRun& run) { return with_commas(run.evaluation.points.back().length); });
        describe(set, read.runs, longest.size() > 1 ? fmt::format(" (longest lengths {})", fmt::join(longest, ", ")) : "");
        return set;
    });
}

}  // namespace lw
