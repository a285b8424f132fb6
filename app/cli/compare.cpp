/// compare: each run against the first one, with intervals; and all their curves.

#include "app/cli/curve_table.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace lw::cli {
namespace {

struct Options {
    std::vector<std::string> runs;
    std::string protocol = "last-k";
    std::string out;
    bool each_seed = false;
};

struct Compared {
    std::vector<Comparison> comparisons;
    std::string why_not;                ///< "" when there are comparisons
    std::optional<ErrorKind> refused;  ///< perplexities that cannot be paired
};

/// Of the runs that were evaluated: one more run without an evaluation must not hide what the others say.
Compared compare_evaluated(const std::vector<RunInfo>& runs, const CurveSet& curves, const std::string& protocol) {
    std::set<std::string> evaluated, groups;
    for (const auto& line : curves.lines) {
        evaluated.insert(line.runs.begin(), line.runs.end());
        groups.insert(line.group);
    }
    if (groups.size() < 2) {
        const bool seeds = evaluated.size() > 1;
        return {{}, seeds ? "All evaluated runs are seeds of one recipe; a comparison needs a second recipe." : "A comparison needs two evaluated runs of different recipes.", {}};
    }
    std::vector<std::filesystem::path> folders;
    for (const auto& run : runs) {
        if (evaluated.contains(run.id)) folders.push_back(run.folder);
    }
    auto compared = compare(folders, protocol);
    if (!compared.ok()) return {{}, compared.error().message, compared.error().kind};
    return {std::move(compared).value(), "", {}};
}

void save(Shell& shell, const std::string& file, const CurveSet& curves) {
    if (file.empty()) return;
    make_parent_folder(file);
    need(write_text_file(file, curves_csv(curves)));
    shell.print(file + "\n");
}

void run(Shell& shell, const Options& options) {
    std::vector<RunInfo> runs;
    std::vector<std::filesystem::path> folders;
    for (const auto& name : options.runs) {
        runs.push_back(shell.find(name));
        folders.push_back(runs.back().folder);
    }
    const auto curves = need(perplexity_curves(folders, options.protocol, !options.each_seed));
    if (curves.lines.empty()) {
        throw Failure(ErrorKind::not_found, fmt::format("None of these runs has an evaluation by {}: lengthwise-cli evaluate them first.", options.protocol));
    }
    shell.print(curves.protocol_line + "\n\n" + curve_table(curves) + "\n");
    for (const auto& name : curves.missing) shell.print(fmt::format("{} has no evaluation by {}: lengthwise-cli evaluate it.\n", name, options.protocol));
    for (const auto& problem : curves.problems) shell.print(problem + "\n");
    const auto compared = compare_evaluated(runs, curves, options.protocol);
    for (const auto& comparison : compared.comparisons) shell.print(comparison.sentence + "\n");
    if (!compared.why_not.empty()) shell.print(compared.why_not + "\n");
    save(shell, options.out, curves);
    shell.emit({{"curves", to_json(curves)}, {"comparisons", list_json(compared.comparisons)}, {"note", compared.why_not}});
    if (compared.refused) shell.end_with(*compared.refused);
}

}  // namespace

void add_compare(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "compare", "Compare evaluated runs, each with the first",
                                  "lengthwise-cli compare kerple dape-kerple --out curves.csv");
    command->add_option("runs", options->runs, "Runs: ids, titles or folders")->required();
    command->add_option("--protocol", options->protocol, "Protocol of the evaluations")->capture_default_str();
    command->add_flag("--each-seed", options->each_seed, "A line for each seed instead of their mean");
    command->add_option("-o,--out", options->out, "CSV file of the curves");
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
