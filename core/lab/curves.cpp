/// The verb behind every perplexity-against-length plot.

#include "core/api/evaluation.h"
#include "core/evaluation/comparison.h"
#include "core/evaluation/protocol.h"
#include "core/lab/evaluated_runs.h"
#include "core/lab/guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

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

/// Runs measured in different ways may stand in one plot, but its label then says so.
std::string protocol_line_of(const std::vector<EvaluatedRun>& runs) {
    const auto tokens = different(runs, [](const EvaluatedRun& run) { return run.tokenizer; });
    const auto texts = different(runs, [](const EvaluatedRun& run) { return run.evaluation.source; });
    const auto lines = different(runs, [](const EvaluatedRun& run) { return run.evaluation.protocol_line; });
    const auto elsewhere = [&](const EvaluatedRun& run) { return !same_places(run.evaluation, runs.front().evaluation); };
    std::vector<std::string> clauses;
    if (tokens.size() > 1) clauses.push_back(fmt::format("tokens differ between runs ({}), so their perplexities cannot be compared", fmt::join(tokens, ", ")));
    if (texts.size() > 1) clauses.push_back(fmt::format("texts differ between runs ({})", fmt::join(texts, ", ")));
    if (lines.size() > 1) clauses.emplace_back("settings differ between runs");
    // Evaluations up to other lengths score other places, so such lines do not stand on the same tokens.
    else if (texts.size() == 1 && std::any_of(runs.begin(), runs.end(), elsewhere)) clauses.emplace_back("other places in some runs, whose longest length differs");
    return fmt::format("{}{}{}", fmt::join(clauses, "; "), clauses.empty() ? "" : ": ", fmt::join(lines, " | "));
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
        set.protocol_line = protocol_line_of(read.runs);
        return set;
    });
}

}  // namespace lw
