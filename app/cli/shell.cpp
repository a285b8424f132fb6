#include "app/cli/shell.h"

#include "core/api/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace lw::cli {

CLI::App* Shell::command(CLI::App& parent, const std::string& name, const std::string& summary, const std::string& example) {
    auto* command = parent.add_subcommand(name, summary);
    command->fallthrough();
    command->footer("Example:\n  " + example +
                    "\n\nAlso, as for every command: --json, --quiet, --workspace, --device, --threads (lengthwise-cli --help).");
    return command;
}

void Shell::on_run(CLI::App* command, std::function<void()> action) {
    command->callback([this, action = std::move(action)] { action_ = action; });
}

int Shell::run() {
    initialise(threads);
    interrupt_ = std::make_unique<Interrupt>();
    progress_ = std::make_unique<ProgressLine>(quiet ? ProgressLine::Style::off : ProgressLine::style_of_stderr());
    int code = static_cast<int>(ExitCode::ok);
    try {
        action_();
        if (ending_) code = static_cast<int>(*ending_);
    } catch (const Failure& failure) {
        code = fail({failure.kind(), failure.what()});
    } catch (const std::exception& error) {
        code = fail({ErrorKind::internal, error.what()});
    }
    clear_progress();
    const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    if (lost && code == 0) {
        std::fputs("lengthwise-cli: The output could not be written completely; is the disk full?\n", stderr);
        code = static_cast<int>(ExitCode::io);
    }
    return code;
}

int Shell::fail(const Error& error) {
    clear_progress();
    emit({{"error", {{"kind", error_kind_name(error.kind)}, {"message", error.message}}}});
    fmt::print(stderr, "lengthwise-cli: {}\n", error.message);
    return static_cast<int>(exit_code(error.kind));
}

std::filesystem::path Shell::workspace_folder() const {
    return workspace.empty() ? default_workspace() : std::filesystem::absolute(workspace);
}

RunInfo Shell::find(const std::string& name) const {
    std::error_code error;
    const bool folder = name.find('/') != std::string::npos && std::filesystem::is_directory(name, error);
    auto run = folder ? need(read_run(std::filesystem::absolute(name))) : need(find_run(workspace_folder(), name));
    warn_if_edited(run);
    if (!folder && name.rfind("demo:", 0) != 0) say_which(name, run);
    return run;
}

/// Where a name means several runs, a person must know which one it is that numbers are of.
void Shell::say_which(const std::string& name, const RunInfo& run) const {
    const auto demos = demo_runs();
    if (run.id == name) {
        const bool also_demo = !run.demo && std::any_of(demos.begin(), demos.end(), [&](const RunInfo& demo) { return demo.id == name; });
        if (also_demo) note(fmt::format("{} is your own run; the demo model of that name is demo:{}.", name, name));
        return;
    }
    if (!run.demo) {
        const auto ids = titled(name);
        if (ids.size() > 1) note(fmt::format("{} runs are called \"{}\": {}. The newest is taken, {}; name another one by its id.", ids.size(), name, fmt::join(ids, ", "), run.id));
        return;
    }
    std::vector<std::string> ids;
    for (const auto& demo : demos) {
        if (CLI::detail::to_lower(demo.title) == CLI::detail::to_lower(name)) ids.push_back(demo.id);
    }
    if (ids.size() > 1) note(fmt::format("{} demo models are called \"{}\": {}. {} is taken; name another one by its id.", ids.size(), name, fmt::join(ids, ", "), run.id));
}

std::vector<std::string> Shell::titled(const std::string& title) const {
    std::vector<std::string> ids;
    for (const auto& run : need(list_runs(workspace_folder())).runs) {
        if (CLI::detail::to_lower(run.title) == CLI::detail::to_lower(title)) ids.push_back(run.id);
    }
    return ids;
}

void Shell::warn_if_edited(const RunInfo& run) const {
    if (!run.recipe_edited.value_or(false)) return;
    warn(fmt::format("The recipe of {} was changed after it was trained, so its weights are not what the recipe says, and numbers of it are numbers of something else. "
                     "\"recipe\" in {} is what was trained: put it back into recipe.json, or train the changed one: lengthwise-cli train --recipe {}",
                     run.id, (run.folder / "run.json").string(), (run.folder / "recipe.json").string()));
}

RunContext Shell::context() {
    need(check_device(device));
    RunContext context;
    context.stop = interrupt_->token();
    context.device = device;
    context.progress = [this](const Progress& progress) { progress_->show(progress); };
    return context;
}

void Shell::print(const std::string& text) {
    if (json) return;
    clear_progress();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);  // whoever reads a pipe sees each line when it is written
}

void Shell::warn(const std::string& text) const {
    clear_progress();
    fmt::print(stderr, "lengthwise-cli: warning: {}\n", text);
}

void Shell::note(const std::string& text) const {
    if (quiet) return;
    clear_progress();
    fmt::print(stderr, "lengthwise-cli: note: {}\n", text);
}

void Shell::emit(const Json& document) {
    if (!json) return;
    clear_progress();
    // Text of others may hold bytes that are no UTF-8; they must not make the document unreadable.
    const auto text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);  // an error is seen at the end, with that of all other output
}

void Shell::clear_progress() const {
    if (progress_) progress_->clear();
}

bool Shell::shows_lines() const { return !json && !quiet && !progress_->rewrites(); }

}  // namespace lw::cli
