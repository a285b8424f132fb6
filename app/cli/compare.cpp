/// compare: each run against the first one, with intervals; and all their curves.

#include "app/cli/checks.h"
#include "app/cli/curve_runs.h"
#include "app/cli/curve_table.h"
#include "app/cli/intervals.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"
#include "core/api/published.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

namespace lw::cli {
namespace {

struct Options {
    std::vector<std::string> runs;
    std::string protocol = "last-k";
    std::string out, published;
    bool each_seed = false;
};

struct Compared {
    std::vector<Comparison> comparisons;
    std::string why_not;                ///< "" when there are comparisons
    std::optional<ErrorKind> refused;  ///< perplexities that cannot be paired
    std::vector<std::string> commands; ///< that would make the refused ones alike
};

/// Of the runs that were evaluated: one more run without an evaluation must not hide what the others say.
std::vector<RunInfo> evaluated_runs(const std::vector<RunInfo>& runs, const CurveSet& curves) {
    std::set<std::string> drawn;
    for (const auto& line : curves.lines) drawn.insert(line.runs.begin(), line.runs.end());
    std::vector<RunInfo> evaluated;
    for (const auto& run : runs) {
        const auto& files = run.evaluations;
        const bool has_file = std::find(files.begin(), files.end(), curves.protocol + ".json") != files.end();
        const bool again = std::any_of(evaluated.begin(), evaluated.end(), [&](const RunInfo& other) { return other.folder == run.folder; });
        // A run of a damaged file has none that could be drawn. Runs that only share their recipe and seed with another are not drawn either.
        if (has_file && !again && (drawn.contains(run.id) || curves.problems.empty())) evaluated.push_back(run);
    }
    return evaluated;
}

/// The title of a run that has an evaluation which cannot be read; "" where there is none.
std::string damaged_run(const std::vector<RunInfo>& runs, const CurveSet& curves) {
    if (curves.problems.empty()) return "";  // a run without an evaluation may have the title of one with it
    for (const auto& run : runs) {
        const bool has_file = std::find(run.evaluations.begin(), run.evaluations.end(), curves.protocol + ".json") != run.evaluations.end();
        if (has_file && std::find(curves.missing.begin(), curves.missing.end(), run.title) != curves.missing.end()) return run.title;
    }
    return "";
}

/// Too few evaluated runs: because one cannot be read, or because there are no others.
Compared too_few(const std::vector<RunInfo>& runs, const CurveSet& curves, std::optional<ErrorKind> refused) {
    const std::string damaged = damaged_run(runs, curves);
    if (damaged.empty() || !refused) return {{}, "A comparison needs two evaluated runs of different recipes.", refused, {}};
    return {{}, fmt::format("A comparison needs two evaluated runs of different recipes, and the evaluation of {} cannot be read.", damaged), ErrorKind::corrupt_file, {}};
}

Compared compare_evaluated(Shell& shell, const std::vector<RunInfo>& runs, const CurveSet& curves) {
    const auto evaluated = evaluated_runs(runs, curves);
    std::set<std::string> groups;
    for (const auto& line : curves.lines) groups.insert(line.group);
    if (groups.size() < 2) {
        std::set<std::uint64_t> seeds;
        for (const auto& run : evaluated) seeds.insert(run.recipe.seed);
        // Several runs of which too few are comparable are refused; one alone is shown.
        std::set<std::filesystem::path> folders;
        for (const auto& run : runs) folders.insert(run.folder);
        const std::optional<ErrorKind> refused = folders.size() > 1 ? std::optional(ErrorKind::invalid_argument) : std::nullopt;
        if (evaluated.size() < 2) return too_few(runs, curves, refused);
        return {{}, seeds.size() > 1 ? "All evaluated runs are seeds of one recipe; a comparison needs a second recipe."
                                     : "All evaluated runs have the same recipe and seed; a comparison needs a second recipe.", {}, {}};
    }
    std::vector<std::filesystem::path> folders;
    for (const auto& run : evaluated) folders.push_back(run.folder);
    auto compared = compare(folders, curves.protocol, shell.context());
    if (!compared.ok() && compared.error().kind == ErrorKind::cancelled) throw Failure(ErrorKind::cancelled, "The comparison was cancelled.");
    if (!compared.ok()) return {{}, compared.error().message, compared.error().kind, commands_to_align(evaluated, curves.protocol)};
    return {std::move(compared).value(), "", {}, {}};
}

std::string verdict(const Comparison& c, bool interval) {
    if (equal_losses(c)) return "equal";
    if (!interval) return "no interval";
    if (c.low <= 1 && c.high >= 1) return "does not differ clearly";
    return c.ratio < 1 ? "lower" : "higher";
}

/// What the intervals resample, and what they therefore cannot say. At the longest length: there the units are fewest.
std::string interval_words(const std::vector<Comparison>& comparisons, const std::string& protocol_line) {
    if (std::none_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) { return has_interval(c, protocol_line); })) return "";
    const auto& last = comparisons.back();
    return fmt::format("low and high: interval of the ratio, paired bootstrap over {}{} (sentences with the tests: --json)\n", last.units,
                       last.other_texts ? "" : ", which says nothing about other texts");
}

/// The comparisons as a table; their sentences, with the tests seed by seed, are in the JSON.
std::string comparison_table(const std::vector<Comparison>& comparisons, const CurveSet& curves) {
    if (comparisons.empty()) return "";
    const bool seeds = std::any_of(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.welch_p >= 0; });
    const std::string name = curves.y_label == "Perplexity" ? "perplexity" : curves.y_label;
    std::vector<std::string> header{name + " / that of " + comparisons.front().b, "at", "ratio", "low", "high", ""};
    if (seeds) header.insert(header.end(), {"p", "seeds"});
    Table table(header);
    const auto ratio = [](double value) { return fmt::format("{:.4f}", value); };
    for (const auto& c : comparisons) {
        const bool interval = has_interval(c, curves.protocol_line);
        std::vector<std::string> row{c.a, grouped(c.length), ratio(c.ratio)};
        row.insert(row.end(), {interval ? ratio(c.low) : "–", interval ? ratio(c.high) : "–", verdict(c, interval)});
        if (seeds) row.insert(row.end(), {c.welch_p < 0 ? "–" : fmt::format("{:.2g}", c.welch_p), fmt::format("{} : {}", c.seeds_a, c.seeds_b)});
        table.add(row);
    }
    std::string text = "\n" + table.text() + interval_words(comparisons, curves.protocol_line);
    if (seeds) text += fmt::format("p: Welch's test over seeds on log {}, weak below 5 seeds\n", name);
    return text;
}

std::string missing_words(const std::string& title, const std::vector<RunInfo>& runs, const std::string& protocol) {
    const auto of_task = [&](const RunInfo& run) { return run.title == title && trained_on_task(run); };
    if (std::any_of(runs.begin(), runs.end(), of_task)) return fmt::format("{} was trained on a task, which is measured by its accuracy: lengthwise-cli figure accuracy.\n", title);
    return fmt::format("{} has no evaluation by {}: lengthwise-cli evaluate it.\n", title, protocol);
}

void save(Shell& shell, const std::string& file, const CurveSet& curves) {
    if (file.empty()) return;
    make_parent_folder(file);
    need(write_text_file(file, curves_csv(curves)));
    shell.print(file + "\n");
}

/// Below the runs' own lines: values that a paper states for schemes of these titles. The curves themselves stay without them.
CurveSet with_published(CurveSet curves, const PublishedSet& set) {
    const auto own = curves.lines;
    for (const auto& series : set.series) {
        if (std::none_of(own.begin(), own.end(), [&](const CurveLine& line) { return line.title == series.title; })) continue;
        CurveLine line;
        line.title = series.title + ", published";
        for (const auto& point : series.points) {
            line.length.push_back(static_cast<double>(point.length));
            line.value.push_back(point.perplexity);
        }
        curves.lines.push_back(std::move(line));
    }
    return curves;
}

/// The table; values of a paper stand below, with where they come from.
std::string curves_text(const CurveSet& curves, const std::string& published) {
    if (published.empty()) return measured_words(curves) + "\n\n" + curve_table(curves);
    const auto set = need(published_set(published));
    return fmt::format("{}\n\n{}\nPublished: {} ({} {}: {}.) {}\n", measured_words(curves), curve_table(with_published(curves, set)), set.title, set.source, set.certainty, set.protocol, set.note);
}

/// Papers state perplexities over all tokens; key tokens alone have others.
void check_published(const Options& options) {
    if (options.published.empty() || options.protocol != "longppl") return;
    throw Failure(ErrorKind::invalid_argument, "Published perplexities are over all tokens and do not stand beside LongPPL, which counts key tokens alone: leave "
                                               "--published out, or choose another --protocol.");
}

void run(Shell& shell, const Options& options) {
    check_published(options);
    const auto runs = find_runs(shell, options.runs);
    const auto curves = evaluated_curves(runs, options.protocol, options.each_seed);
    shell.print(curves_text(curves, options.published));
    for (const auto& name : curves.missing) shell.print(missing_words(name, runs, options.protocol));
    for (const auto& problem : curves.problems) shell.print(problem + "\n");
    const auto compared = compare_evaluated(shell, runs, curves);
    shell.print(comparison_table(compared.comparisons, curves));
    if (!compared.why_not.empty()) shell.print("\n" + compared.why_not + "\n");
    for (const auto& command : compared.commands) shell.print("  " + command + "\n");
    save(shell, options.out, curves);
    Json document{{"curves", to_json(curves)}, {"comparisons", comparisons_json(compared.comparisons, curves.protocol_line)},
                  {"note", compared.why_not}, {"commands", compared.commands}};
    if (compared.refused) document["error"] = {{"kind", error_kind_name(*compared.refused)}, {"message", compared.why_not}};
    shell.emit(document);
    if (compared.refused) shell.end_with(*compared.refused);
}

}  // namespace

void add_compare(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "compare", "Compare evaluated runs, each with the first",
                                  "lengthwise-cli compare demo:kerple-l128-s1 demo:dape-kerple-l128-s1 --out curves.csv");
    command->add_option("runs", options->runs, "Runs: ids, titles or folders")->required();
    command->add_option("--protocol", options->protocol, "Protocol of the evaluations")->capture_default_str();
    command->add_flag("--each-seed", options->each_seed, "A line for each seed instead of their mean");
    command->add_option("--published", options->published, "Values that a paper states, shown below: a set of resources/published, such as dape-arxiv-125m-l128");
    command->add_option("-o,--out", options->out, "CSV file of the curves")->check(output_check());
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
