#pragma once
/// What every command shares: the options of all commands, output as text or JSON, progress, Ctrl-C.

#include "app/cli/exit_codes.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "core/api/context.h"
#include "core/api/result.h"
#include "core/api/runs.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw::cli {

using Json = nlohmann::ordered_json;

/// The value, or the error as the exception that ends the command with its exit code.
template <class T>
T need(Result<T> result) {
    if (!result.ok()) throw Failure(result.error().kind, result.error().message);
    return std::move(result).value();
}

class Shell {
public:
    bool json = false;
    bool quiet = false;
    std::string workspace;  ///< "" = the default one
    std::string device = "cpu";
    int threads = 0;

    /// Adds a command with its summary, an example for --help and what it does.
    CLI::App* command(CLI::App& parent, const std::string& name, const std::string& summary, const std::string& example);
    void on_run(CLI::App* command, std::function<void()> action);

    /// Runs what was chosen and turns errors into exit codes.
    int run();

    [[nodiscard]] std::filesystem::path workspace_folder() const;
    /// A run by folder, id or title. Warns where its recipe was changed after it was trained, and notes which of several of one title it is.
    [[nodiscard]] RunInfo find(const std::string& name) const;
    /// Ids of the workspace's runs with that title in any case, oldest first.
    [[nodiscard]] std::vector<std::string> titled(const std::string& title) const;
    /// Stop token, progress and the checked device.
    [[nodiscard]] RunContext context();

    /// Text for people; nothing with --json.
    void print(const std::string& text);
    /// On standard error, also with --json: what is shown must be read with care.
    void warn(const std::string& text) const;
    /// On standard error, also with --json: what helps to read what is shown. Nothing with --quiet.
    void note(const std::string& text) const;
    /// Where the run's recipe is not what was trained; nothing otherwise.
    void warn_if_edited(const RunInfo& run) const;
    /// The command's one JSON document; nothing without --json.
    void emit(const Json& document);
    /// The command succeeded in part: what is there was printed, and the exit code says why it is not all.
    void end_with(ErrorKind kind) { ending_ = exit_code(kind); }
    void end_with(ExitCode code) { ending_ = code; }
    void clear_progress() const;
    [[nodiscard]] bool shows_lines() const;
    [[nodiscard]] bool stopped() const { return interrupt_ && interrupt_->token().stop_requested(); }

    /// Prints the error and returns its exit code.
    int fail(const Error& error);

private:
    void say_which(const std::string& name, const RunInfo& run) const;

    std::function<void()> action_;
    std::optional<ExitCode> ending_;
    std::unique_ptr<Interrupt> interrupt_;
    std::unique_ptr<ProgressLine> progress_;
};

}  // namespace lw::cli
