/// lengthwise-cli: everything the window does, for servers and scripts.

#include "app/cli/exit_codes.h"
#include "app/cli/shell.h"
#include "app/cli/usage_words.h"

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
    "  0 done\n"
    "  1 internal error\n"
    "  2 invalid usage or argument\n"
    "  3 not found\n"
    "  4 corrupt file\n"
    "  5 out of memory\n"
    "  6 cancelled; what was done is kept\n"
    "  7 unavailable here, such as a GPU that is absent\n"
    "  8 reading or writing failed\n"
    "  9 deviates: a number that probe computed is outside its tolerance\n"
    "\n"
    "Environment: LENGTHWISE_WORKSPACE, LENGTHWISE_THREADS, LENGTHWISE_DATA (fetched corpora), LENGTHWISE_RESOURCES.\n"
    "Ctrl-C once stops and keeps what is done; twice ends at once.";

void add_common_options(CLI::App& app, Shell& shell) {
    app.add_flag("--json", shell.json, "Print one JSON document on standard output instead of text");
    app.add_flag("-q,--quiet", shell.quiet, "No progress and no notes");
    app.add_option("--workspace", shell.workspace, "Folder of runs (default: ~/Lengthwise)")->envname("LENGTHWISE_WORKSPACE");
    app.add_option("--device", shell.device, "cpu, cuda or cuda:N")->capture_default_str();
    app.add_option("--threads", shell.threads, "Threads for computing; 0 = OMP_NUM_THREADS, else all cores")->check(CLI::Range(0, 1024));
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

/// Names of all commands below `app` and, with two dashes, of their options.
std::vector<std::string> known_words(const CLI::App& app) {
    std::vector<std::string> words;
    for (const auto* option : app.get_options()) {
        for (const auto& name : option->get_lnames()) words.push_back("--" + name);
    }
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        words.push_back(command->get_name());
        const auto below = known_words(*command);
        words.insert(words.end(), below.begin(), below.end());
    }
    return words;
}

/// The command or option that a mistyped word is close to, "" when none is.
std::string near_word(const CLI::App& app, const std::string& word) {
    std::string best;
    std::size_t least = 3;
    for (const auto& candidate : known_words(app)) {
        const auto distance = edit_distance(word, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    return best;
}

/// The first "--option" that no command has, without its value; "" when there is none.
std::string unknown_option(const CLI::App& app, const std::vector<std::string>& words) {
    const auto known = known_words(app);
    for (const auto& word : words) {
        const auto name = word.substr(0, word.find('='));
        if (name == "--") return "";
        if (name.rfind("--", 0) == 0 && std::find(known.begin(), known.end(), name) == known.end()) return name;
    }
    return "";
}

/// The first word that is no option, where no command was recognised; "" otherwise.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
    if (!app.get_subcommands().empty()) return "";
    const auto word = std::find_if(words.begin(), words.end(), [](const std::string& w) { return !w.empty() && w[0] != '-'; });
    return word == words.end() ? "" : *word;
}

/// The command that was recognised, the innermost one; the program itself where none was.
const CLI::App& chosen_command(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : chosen_command(*chosen.front());
}

int refuse_usage(const CLI::App& app, Shell& shell, const CLI::ParseError& error, const std::vector<std::string>& words) {
    std::string message = usage_words(app, chosen_command(app), error);
    std::string mistyped = unknown_command(app, words);
    if (!mistyped.empty()) {
        message = fmt::format("There is no command \"{}\".", mistyped);
    } else if (mistyped = unknown_option(app, words); !mistyped.empty()) {
        message = fmt::format("There is no option {}.", mistyped);
    }
    if (message.back() != '.' && message.back() != '?') message += ".";
    const std::string near = mistyped.empty() ? "" : near_word(chosen_command(app), mistyped);
    if (!near.empty()) message += fmt::format(" Did you mean {}?", near);
    shell.json = shell.json || std::find(words.begin(), words.end(), "--json") != words.end();
    return shell.fail({ErrorKind::invalid_argument, message + " See lengthwise-cli --help."});
}

/// The first word that is not UTF-8, in quotes and with its other bytes replaced; "" where there is none. What is typed ends in JSON files
/// and documents, which cannot hold it: better refused at once than when a measurement is written.
std::string other_than_utf8(const std::vector<std::string>& words) {
    for (const auto& word : words) {
        try {
            (void)Json(word).dump();
        } catch (const Json::type_error&) {
            return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
        }
    }
    return "";
}

int run(int argc, char** argv) {
    CLI::App app("Lengthwise: positional encodings and length extrapolation in transformers.", "lengthwise-cli");
    Shell shell;
    app.require_subcommand(1);
    app.footer(kFooter);
    app.set_version_flag("--version", fmt::format("lengthwise {}", LW_VERSION), "Print the version");
    app.get_formatter()->column_width(34);
    add_common_options(app, shell);
#define LW_COMMAND(name) add_##name(app, shell);
#include "app/cli/commands.def"
#undef LW_COMMAND
    if (argc < 2) {
        fmt::print("{}", app.help());
        return static_cast<int>(ExitCode::invalid_argument);
    }
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (const auto word = other_than_utf8(words); !word.empty()) {
        shell.json = std::find(words.begin(), words.end(), "--json") != words.end();
        return shell.fail({ErrorKind::invalid_argument, fmt::format("The word {} is not UTF-8 text; rename the file or the run, or type it in UTF-8.", word)});
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        return refuse_usage(app, shell, error, words);
    }
    return shell.run();
}

}  // namespace
}  // namespace lw::cli

int main(int argc, char** argv) { return lw::cli::run(argc, argv); }
