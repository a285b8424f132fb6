/// runs: what is in the workspace, and the demo models.

#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lw::cli {
namespace {

struct Options {
    std::string show, remove, pack, target;
    bool yes = false;
    bool log = false;
};

std::string status_text(const RunInfo& run) { return run.demo ? "demo" : run.status; }

/// Corpus or task; of a folder its name alone.
std::string trained_on(const RunInfo& run) {
    const auto& source = run.recipe.data.source;
    const std::filesystem::path path = source;
    return path.is_absolute() && path.has_filename() ? path.filename().string() : source;
}

/// An extended run was not trained: the loss in its record is that of the run whose weights it uses.
bool own_loss(const RunInfo& run) { return run.best_loss > 0 && run.base.empty(); }

void list(Shell& shell) {
    const auto workspace = shell.workspace_folder();
    RunList found;
    std::error_code error;
    if (std::filesystem::exists(workspace, error)) found = need(list_runs(workspace));
    auto runs = demo_runs();
    runs.insert(runs.end(), found.runs.begin(), found.runs.end());
    Table table({"run", "title", "status", "trained on", "L", "step", "parameters", "seed", "best loss", "evaluations"});
    for (const auto& run : runs) {
        table.add({run.id, run.title, status_text(run), trained_on(run), grouped(run.recipe.training.length), grouped(run.step),
                   grouped(run.parameters), std::to_string(run.recipe.seed), own_loss(run) ? fmt::format("{:.4f}", run.best_loss) : "–",
                   std::to_string(run.evaluations.size())});
    }
    shell.print(table.empty() ? fmt::format("No runs in {}. Begin with: lengthwise-cli train dape-kerple\n", workspace.string()) : table.text());
    for (const auto& problem : found.problems) shell.print(problem + "\n");
    for (const auto& run : runs) shell.warn_if_edited(run);
    shell.emit({{"workspace", workspace.string()}, {"runs", list_json(runs)}, {"problems", found.problems}});
}

/// The files by name, with the step and how far they go; one that cannot be read by its name alone.
std::vector<std::string> evaluations_of(const RunInfo& run) {
    const auto read = read_evaluations(run.folder);
    if (!read.ok()) return run.evaluations;
    std::vector<std::string> lines = run.evaluations;
    for (const auto& evaluation : read.value()) {
        const auto reach = evaluation.points.empty() ? 0 : evaluation.points.back().length;
        std::replace(lines.begin(), lines.end(), evaluation.protocol.protocol + ".json", fmt::format("{}.json: step {}, up to {} tokens{}", evaluation.protocol.protocol, grouped(evaluation.step), grouped(reach), evaluation.complete ? "" : ", not complete"));
    }
    return lines;
}

void show(Shell& shell, const std::string& name, bool with_log) {
    const auto run = shell.find(name);
    auto text = fmt::format("{} ({})\n{}\nstatus       {} at step {}\nparameters   {}\nfolder       {}\n", run.title, run.id,
                            scheme_line(run.recipe.scheme), status_text(run), grouped(run.step), grouped(run.parameters), run.folder.string());
    if (own_loss(run)) text += fmt::format("best loss    {:.4f} nats per token\n", run.best_loss);
    if (!run.base.empty()) text += fmt::format("weights of   {}\n", run.base.string());
    if (!run.message.empty()) text += run.message + "\n";
    for (const auto& c : run.checkpoints) text += fmt::format("checkpoint   step {}{}\n", c.step, c.best ? " (best)" : "");
    for (const auto& evaluation : evaluations_of(run)) text += fmt::format("evaluation   {}\n", evaluation);
    shell.print(text + "\n" + recipe_json(run.recipe) + "\n");
    Json document = to_json(run);
    if (with_log) {
        const auto log = need(read_log(run.folder));
        document["log"] = list_json(log);
        Table table({"step", "loss", "validation", "rate", "gradient norm", "tokens/s"});
        for (const auto& p : log) {
            table.add({grouped(p.step), fmt::format("{:.4f}", p.loss), p.validation_loss ? fmt::format("{:.4f}", *p.validation_loss) : "",
                       fmt::format("{:.2e}", p.rate), compact(p.gradient_norm), compact(p.tokens_per_second)});
        }
        shell.print("\n" + table.text());
    }
    shell.emit(document);
}

/// The folder of an id or path, read or not: a run whose files are damaged must be removable as well. A title may be that of another run
/// than the one meant, so it is not enough.
std::filesystem::path folder_to_remove(const Shell& shell, const std::string& name) {
    std::error_code error;
    const std::filesystem::path path = name.find('/') == std::string::npos ? shell.workspace_folder() / name : std::filesystem::absolute(name);
    if (std::filesystem::is_directory(path, error)) return path;
    const auto ids = shell.titled(name);
    if (ids.empty()) {
        const auto run = shell.find(name);
        if (run.demo) return run.folder;  // refused below, with the reason
        throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is no id; name the run to remove by its id: {}", name, run.id));
    }
    throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is a title; name the run to remove by its id: {}", name, fmt::join(ids, " or ")));
}

std::string what_goes(const RunInfo& run) {
    if (!run.base.empty()) return fmt::format(" (the weights stay with {})", run.base.filename().string());
    const auto count = run.checkpoints.size();
    return count == 0 ? "" : fmt::format(" with its {}", count == 1 ? "checkpoint" : fmt::format("{} checkpoints", count));
}

void remove(Shell& shell, const std::string& name, bool yes) {
    const auto folder = folder_to_remove(shell, name);
    if (!yes) {
        need(check_deletable(folder));  // --yes would not help
        const auto run = read_run(folder);
        const auto what = run.ok() ? what_goes(run.value()) : "";
        throw Failure(ErrorKind::invalid_argument, fmt::format("This would remove {}{}. Say --yes to do it.", folder.string(), what));
    }
    need(delete_run(folder));
    shell.print(fmt::format("Removed {}\n", folder.string()));
    shell.emit({{"removed", folder.string()}});
}

void pack(Shell& shell, const std::string& name, const std::string& target) {
    const auto packed = need(pack_run(shell.find(name).folder, target));
    shell.print(fmt::format("Packed into {}\n", packed.folder.string()));
    shell.emit(to_json(packed));
}

}  // namespace

void add_runs(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "runs", "List, show or delete runs", "lengthwise-cli runs show dape-kerple --log");
    shell.command(*command, "list", "All runs of the workspace and the demo models", "lengthwise-cli runs list");
    auto* show_command = shell.command(*command, "show", "One run with its recipe", "lengthwise-cli runs show dape-kerple");
    show_command->add_option("run", options->show, "Run: id, title or folder")->required();
    show_command->add_flag("--log", options->log, "Also the log of the training");
    auto* delete_command = shell.command(*command, "delete", "Remove a run from the workspace", "lengthwise-cli runs delete alibi-l128-s1 --yes");
    delete_command->add_option("run", options->remove, "Run: id or folder")->required();
    delete_command->add_flag("--yes", options->yes, "Really");
    auto* pack_command = shell.command(*command, "pack", "A small float16 copy of a run, for sharing", "lengthwise-cli runs pack alibi-l128-s1 shared/alibi");
    pack_command->add_option("run", options->pack, "Run: id, title or folder")->required();
    pack_command->add_option("folder", options->target, "New folder for the copy")->required();
    command->require_subcommand(0, 1);
    shell.on_run(command, [&shell, options] {
        if (!options->show.empty()) return show(shell, options->show, options->log);
        if (!options->pack.empty()) return pack(shell, options->pack, options->target);
        if (!options->remove.empty()) return remove(shell, options->remove, options->yes);
        list(shell);
    });
}

}  // namespace lw::cli
