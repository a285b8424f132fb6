/// lengthwise-cli: everything the window does, for servers and scripts.

#include "app/cli/exit_codes.h"
#include "app/cli/shell.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw::cli {

#define LW_COMMAND(name) void add_##name(CLI::App& app, Shell& shell);
#include "app/cli/commands.def"
#undef LW_COMMAND

namespace {

const char* const kFooter =
    "Example:\n"
    "  lengthwise-cli train dape-kerple --steps 1000 && lengthwise-cli evaluate dape-kerple\n"
    "\n"
    "Exit codes:\n"
    "  0 done               1 internal error       2 invalid usage or argument\n"
    "  3 not found          4 corrupt file         5 out of memory\n"
    "  6 cancelled          7 unavailable here     8 reading or writing failed\n"
    "  9 deviates: a number that probe computed is outside its tolerance\n"
    "\n"
    "Environment: LENGTHWISE_WORKSPACE, LENGTHWISE_THREADS, LENGTHWISE_DATA (fetched corpora), LENGTHWISE_RESOURCES.\n"
    "Ctrl-C once stops and keeps what is done; twice ends at once.";

void add_common_options(CLI::App& app, Shell& shell) {
    app.add_flag("--json", shell.json, "Print one JSON document on standard output instead of text");
    app.add_flag("-q,--quiet", shell.quiet, "No progress");
    app.add_option("--workspace", shell.workspace, "Folder of runs (default: ~/Lengthwise)")->envname("LENGTHWISE_WORKSPACE");
    app.add_option("--device", shell.device, "cpu, cuda or cuda:N")->capture_default_str();
    app.add_option("--threads", shell.threads, "Threads for computing; 0 = all cores")->check(CLI::Range(0, 1024));
}

/// Letters to change, add or leave out to get from one word to the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

/// The command or option that a mistyped word is close to, "" when none is.
std::string near_word(const CLI::App& app, const std::string& word) {
    std::string best;
    std::size_t least = 3;
    const auto consider = [&](const std::string& candidate) {
        const auto distance = edit_distance(word, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    };
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        consider(command->get_name());
        for (const auto* option : command->get_options()) {
            for (const auto& name : option->get_lnames()) consider("--" + name);
        }
    }
    return best;
}

/// The first word that is no option, where no command was recognised; "" otherwise.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
    if (!app.get_subcommands().empty()) return "";
    const auto word = std::find_if(words.begin(), words.end(), [](const std::string& w) { return !w.empty() && w[0] != '-'; });
    return word == words.end() ? "" : *word;
}

int refuse_usage(const CLI::App& app, Shell& shell, const CLI::ParseError& error, const std::vector<std::string>& words) {
    std::string message = error.what();
    std::string near;
    if (const auto command = unknown_command(app, words); !command.empty()) {
        message = fmt::format("There is no command \"{}\".", command);
        near = near_word(app, command);
    } else {
        for (const auto& word : words) {
            if (near.empty() && message.find(word) != std::string::npos) near = near_word(app, word);
        }
    }
    if (!near.empty()) message += fmt::format(" Did you mean {}?", near);
    if (message.back() != '.' && message.back() != '?') message += ".";
    shell.json = shell.json || std::find(words.begin(), words.end(), "--json") != words.end();
    return shell.fail({ErrorKind::invalid_argument, message + " See lengthwise-cli --help."});
}

int run(int argc, char** argv) {
    CLI::App app("Lengthwise: positional encodings and length extrapolation in transformers.", "lengthwise-cli");
    Shell shell;
    app.require_subcommand(1);
    app.footer(kFooter);
    app.get_formatter()->column_width(34);
    add_common_options(app, shell);
#define LW_COMMAND(name) add_##name(app, shell);
#include "app/cli/commands.def"
#undef LW_COMMAND
    if (argc < 2) {
        fmt::print("{}", app.help());
        return static_cast<int>(ExitCode::invalid_argument);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        return refuse_usage(app, shell, error, {argv + 1, argv + argc});
    }
    return shell.run();
}

}  // namespace
}  // namespace lw::cli

int main(int argc, char** argv) { return lw::cli::run(argc, argv); }
