/// compare: each run against the first one, with intervals; and all their curves.

#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw::cli {
namespace {

struct Options {
    std::vector<std::string> runs;
    std::string protocol = "last-k";
    std::string out;
    bool each_seed = false;
};

/// Perplexity of every line at every length.
std::string curve_table(const CurveSet& curves) {
    std::set<double> lengths;
    for (const auto& line : curves.lines) lengths.insert(line.length.begin(), line.length.end());
    std::vector<std::string> header{"perplexity at"};
    for (double length : lengths) header.push_back(grouped(static_cast<std::int64_t>(length)));
    Table table(header);
    for (const auto& line : curves.lines) {
        std::vector<std::string> row{line.seeds > 1 ? fmt::format("{} ({} seeds)", line.title, line.seeds) : line.title};
        for (double length : lengths) {
            const auto at = std::find(line.length.begin(), line.length.end(), length);
            row.push_back(at == line.length.end() ? "–" : compact(line.value[static_cast<std::size_t>(at - line.length.begin())]));
        }
        table.add(row);
    }
    return table.text();
}

void run(Shell& shell, const Options& options) {
    std::vector<std::filesystem::path> folders;
    for (const auto& name : options.runs) folders.push_back(shell.find(name).folder);
    const auto curves = need(perplexity_curves(folders, options.protocol, !options.each_seed));
    const auto comparisons = folders.size() > 1 ? need(compare(folders, options.protocol)) : std::vector<Comparison>{};
    shell.print(curves.protocol_line + "\n\n" + curve_table(curves) + "\n");
    for (const auto& comparison : comparisons) shell.print(comparison.sentence + "\n");
    for (const auto& name : curves.missing) shell.print(fmt::format("{} has no evaluation by {}: lengthwise-cli evaluate it.\n", name, options.protocol));
    if (!options.out.empty()) {
        make_parent_folder(options.out);
        need(write_text_file(options.out, curves_csv(curves)));
        shell.print(options.out + "\n");
    }
    shell.emit({{"curves", to_json(curves)}, {"comparisons", list_json(comparisons)}});
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
