/// study: many runs from one file, in a queue that survives a restart, and what they say together.

#include "app/cli/checks.h"
#include "app/cli/selection.h"
#include "app/cli/shell.h"
#include "app/cli/study_status.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <map>

namespace lw::cli {
namespace {

struct Options {
    std::string study, format = "text", out;
    std::vector<std::string> cells;
    std::int64_t priority = 0;
    bool dry_run = false;
};

bool is_file(const std::string& name) {
    std::error_code error;
    return name.ends_with(".json") || (name.find('/') != std::string::npos && std::filesystem::is_regular_file(name, error));
}

/// One of the same name is replaced, which is said where it is another one.
std::string added(Shell& shell, const std::string& file) {
    const auto& workspace = shell.workspace_folder();
    const auto spec = need(read_study(file, workspace));
    std::string replaced;
    for (const auto& id : need(list_studies(workspace))) {
        const auto before = read_study(workspace / "studies" / id / "study.json", workspace);
        if (before.ok() && before.value().name == spec.name && study_json(before.value()) != study_json(spec)) replaced = id;
    }
    auto id = need(add_study_file(workspace, file));
    if (!replaced.empty() && !shell.quiet)
        shell.print(fmt::format("The study {} was another one before and is replaced by this file; its runs stay.\n", replaced));
    return id;
}

/// A file is added to the workspace first, so that a study is begun and gone on with by the same command.
std::string study_of(Shell& shell, const std::string& name) { return is_file(name) ? added(shell, name) : name; }

/// What changed since the last look, a line each.
class Reporter {
public:
    explicit Reporter(Shell& shell) : shell_(shell) {}

    void show(const StudyStatus& status) {
        if (shell_.quiet) return;
        for (const auto& cell : status.cells) {
            std::string& before = states_[cell.id];
            if (!before.empty() && before != cell.state) {
                shell_.print(fmt::format("{:9}  {}, {}, seed {}  ({} of {} finished){}\n", cell.state, cell.scheme, cell.setting, cell.seed, status.count("finished"), status.cells.size(),
                                         cell.message.empty() || cell.state == "blocked" ? "" : "\n  " + cell.message));
            }
            before = cell.state;
        }
    }

private:
    Shell& shell_;
    std::map<std::string, std::string> states_;
};

/// The cells and what they will take.
void plan(Shell& shell, const StudyStatus& status) {
    const auto estimate = status.problems.empty() ? need(estimate_study(status, shell.device)) : StudyEstimate{};
    shell.print(status_text(status) + "\n" + estimate_text(estimate));
    Json document = status_json(status);
    document["estimate"] = estimate_json(estimate);
    shell.emit(document);
}

/// Of a file, which is not added to the workspace.
StudyStatus previewed(const Shell& shell, const std::string& file) {
    return need(preview_study(shell.workspace_folder(), need(read_study(file, shell.workspace_folder()))));
}

/// A study that cannot start is not what a script goes on with.
void try_out(Shell& shell, const StudyStatus& status) {
    plan(shell, status);
    if (!status.problems.empty()) shell.end_with(ErrorKind::invalid_argument);
}

/// Why a study ended with cells that are not finished: they wait for a run, or another program has theirs.
std::string left_text(const StudyStatus& status, std::int64_t left) {
    const auto blocked = status.count("blocked");
    std::string text;
    if (left > blocked) text += fmt::format("{} left to other programs, which work on the same runs.\n", cells_text(left - blocked));
    if (blocked > 0) text += fmt::format("{} blocked by runs that are not finished; run the study again when they are.\n", cells_text(blocked));
    return text;
}

/// What a person does next, after the counts.
std::string end_text(const Shell& shell, const StudyStatus& status, std::int64_t failed) {
    const auto id = status.folder.filename().string();
    const auto left = static_cast<std::int64_t>(status.cells.size()) - status.count("finished") - failed;
    std::string text = "\n" + counts_text(status);
    if (shell.stopped() || status.paused) {
        text += fmt::format("Go on with: lengthwise-cli study run {}\n", id);
    } else if (failed > 0) {
        text += fmt::format("What failed is in: lengthwise-cli study status {}; once it is mended: lengthwise-cli study retry {} CELL\n", id, id);
    } else if (left > 0) {
        text += left_text(status, left);
    }
    return text + fmt::format("Next: lengthwise-cli study report {}\n", id);
}

/// With --quiet nothing but what failed: the exit code says the rest.
void end(Shell& shell, const StudyStatus& status) {
    const auto failed = status.count("failed") + status.count("diverged");
    if (!shell.quiet) shell.print(end_text(shell, status, failed));
    if (shell.stopped() || status.paused) {
        shell.end_with(ErrorKind::cancelled);
    } else if (failed > 0) {
        const auto id = status.folder.filename().string();
        if (shell.quiet) shell.warn(fmt::format("{} failed. Why is in: lengthwise-cli study status {}", cells_text(failed), id));
        shell.end_with(ErrorKind::invalid_argument);
    }
    shell.emit(status_json(status));
}

void run(Shell& shell, const Options& options) {
    // What is only looked at is not written.
    if (options.dry_run && is_file(options.study)) return try_out(shell, previewed(shell, options.study));
    const auto id = study_of(shell, options.study);
    const auto status = need(study_status(shell.workspace_folder(), id));
    if (options.dry_run) return try_out(shell, status);
    for (const auto& note : status.notes) shell.note(note);
    if (status.problems.empty() && !shell.quiet) shell.print(counts_text(status) + estimate_text(need(estimate_study(status, shell.device))) + "\n");
    Reporter reporter(shell);
    StudyHooks hooks;
    hooks.on_status = [&](const StudyStatus& now) { reporter.show(now); };
    const auto context = shell.context();
    end(shell, need(run_study(shell.workspace_folder(), id, context, hooks)));
}

void add(Shell& shell, const Options& options) {
    const auto id = added(shell, options.study);
    shell.print(fmt::format("Added {}\n\n", id));
    plan(shell, need(study_status(shell.workspace_folder(), id)));
}

void list(Shell& shell) {
    const auto ids = need(list_studies(shell.workspace_folder()));
    if (ids.empty()) shell.print(fmt::format("No studies in {}. Begin with: lengthwise-cli study add FILE\n", shell.workspace_folder().string()));
    Json studies = Json::array();
    for (const auto& id : ids) {
        const auto status = study_status(shell.workspace_folder(), id);
        shell.print(fmt::format("{}  {}", id, status.ok() ? counts_text(status.value()) : status.error().message + "\n"));
        studies.push_back(status.ok() ? status_json(status.value()) : Json{{"id", id}, {"problems", {status.error().message}}});
    }
    shell.emit({{"studies", studies}});
}

void status(Shell& shell, const Options& options) {
    if (options.study.empty()) return list(shell);
    const auto found = need(study_status(shell.workspace_folder(), options.study));
    shell.print(status_text(found));
    shell.emit(status_json(found));
}

void report(Shell& shell, const Options& options) {
    const auto status = is_file(options.study) ? previewed(shell, options.study) : need(study_status(shell.workspace_folder(), options.study));
    auto reported = study_report(status, shell.context());
    if (!reported.ok() && reported.error().kind == ErrorKind::cancelled) throw Failure(ErrorKind::cancelled, "The report was cancelled.");
    const auto made = need(std::move(reported));
    const auto text = need(report_text(made, options.format));
    if (options.out.empty()) {
        shell.print(text);
    } else {
        make_parent_folder(options.out);
        need(write_text_file(options.out, text));
        shell.print(options.out + "\n");
    }
    shell.emit({{"name", made.name}, {"cells", made.cells}, {"finished", made.finished}, {"level", made.level}, {"test", made.test}, {"tables", list_json(made.tables)},
                {"cautions", made.cautions}});
}

void pause(Shell& shell, const Options& options) {
    need(pause_study(shell.workspace_folder(), options.study));
    shell.print(fmt::format("{} pauses at its next checkpoint. Go on with: lengthwise-cli study run {}\n", options.study, options.study));
    shell.emit({{"paused", options.study}});
}

void retry(Shell& shell, const Options& options) {
    auto cells = options.cells;
    if (cells.empty()) {
        for (const auto& cell : need(study_status(shell.workspace_folder(), options.study)).cells) {
            if (cell.state == "failed" || cell.state == "diverged") cells.push_back(cell.id);
        }
    }
    for (const auto& cell : cells) need(retry_cell(shell.workspace_folder(), options.study, cell));
    shell.print(cells.empty() ? fmt::format("No cell of {} has failed: there is nothing to try again.\n", options.study)
                              : fmt::format("{} to be tried again by: lengthwise-cli study run {}\n", cells_text(static_cast<std::int64_t>(cells.size())), options.study));
    shell.emit({{"retried", cells}});
}

void prioritise(Shell& shell, const Options& options) {
    for (const auto& cell : options.cells) need(prioritise_cell(shell.workspace_folder(), options.study, cell, options.priority));
    shell.print(fmt::format("priority {}\n", options.priority));
    shell.emit({{"cells", options.cells}, {"priority", options.priority}});
}

std::string formats_text() {
    std::string text;
    for (const auto& format : report_formats()) text += (text.empty() ? "" : ", ") + format.id;
    return text;
}

}  // namespace

void add_study(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "study", "Train, measure and compare many runs from one file", "lengthwise-cli study run resources/studies/demo.json && lengthwise-cli study report demo-models");
    command->require_subcommand(1);
    const auto part = [&](const char* name, const char* summary, const char* example, void (*action)(Shell&, const Options&)) {
        auto* child = shell.command(*command, name, summary, example);
        shell.on_run(child, [&shell, options, action] { action(shell, *options); });
        return child;
    };
    auto* adding = part("add", "Put a study's file into the workspace and show what it will take", "lengthwise-cli study add resources/studies/dape-ablation.json", add);
    adding->add_option("file", options->study, "File of the study, as docs/studies.md describes it")->required();
    auto* running = part("run", "Work on a study until all cells are finished; go on where it was stopped", "lengthwise-cli study run resources/studies/demo.json", run);
    running->add_option("study", options->study, "Study: id, or a file, which is added first (not with --dry-run)")->required();
    running->add_flag("--dry-run", options->dry_run, "Show the cells and what they will take, and stop");
    part("status", "How far a study is, or all studies", "lengthwise-cli study status my-study", status)->add_option("study", options->study, "Study: id");
    auto* reporting = part("report", "Means, differences and what to be careful about", "lengthwise-cli study report my-study --format latex -o table.tex", report);
    reporting->add_option("study", options->study, "Study: id, or a file, which is not added: the report of what the workspace's runs say of it")
        ->required();
    reporting->add_option("--format", options->format, formats_text())->capture_default_str();
    reporting->add_option("-o,--out", options->out, "File")->check(output_check());
    part("pause", "Stop the program that works on a study after saving", "lengthwise-cli study pause my-study", pause)->add_option("study", options->study, "Study: id")->required();
    auto* retrying = part("retry", "Try failed cells again", "lengthwise-cli study retry my-study 3fa2c1", retry);
    retrying->add_option("study", options->study, "Study: id")->required();
    retrying->add_option("cells", options->cells, "Cells by the beginning or end of their id; none = all that failed");
    auto* first = part("prioritise", "Work on some cells first", "lengthwise-cli study prioritise my-study --priority 1 3fa2c1", prioritise);
    first->add_option("study", options->study, "Study: id")->required();
    first->add_option("--priority", options->priority, "Higher ones come first")
        ->required()
        ->check(whole_number_check(-kLargestPriority, kLargestPriority));
    first->add_option("cells", options->cells, "Cells by the beginning or end of their id")->required();
}

}  // namespace lw::cli
