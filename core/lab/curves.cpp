/// The verb behind every perplexity-against-length plot.

#include "core/api/evaluation.h"
#include "core/evaluation/comparison.h"
#include "core/lab/evaluated_runs.h"
#include "core/lab/guard.h"

#include <algorithm>

namespace lw {

Result<CurveSet> perplexity_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol, bool group_seeds) {
    return guarded<CurveSet>([&] {
        EvaluatedRuns read = read_evaluated_runs(runs, protocol);
        CurveSet set;
        set.protocol = protocol;
        set.x_label = "Length (tokens)";
        set.y_label = "Perplexity";
        set.lines = curve_lines(read.runs, group_seeds);
        set.missing = std::move(read.missing);
        set.problems = std::move(read.problems);
        // Runs measured in different ways may stand in one plot, but its label then says so.
        std::vector<std::string> lines;
        for (const EvaluatedRun& run : read.runs) {
            const std::string& line = run.evaluation.protocol_line;
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
        }
        for (const std::string& line : lines) set.protocol_line += (set.protocol_line.empty() ? "" : " | ") + line;
        const auto elsewhere = [&](const EvaluatedRun& run) { return !same_places(run.evaluation, read.runs.front().evaluation); };
        if (lines.size() > 1) {
            set.protocol_line = "settings differ between runs: " + set.protocol_line;
        } else if (std::any_of(read.runs.begin(), read.runs.end(), elsewhere)) {
            // Evaluations up to other lengths score other places, so such lines do not stand on the same tokens.
            set.protocol_line = "other places in some runs, whose longest length differs: " + set.protocol_line;
        }
        return set;
    });
}

}  // namespace lw
