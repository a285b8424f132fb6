#include "app/cli/usage_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <regex>
#include <vector>

namespace lw::cli {
namespace {

std::string values(const std::string& count) { return count == "1" ? "one value" : count + " values"; }
std::string were_given(const std::string& count) { return count == "1" ? "one was given" : count == "0" ? "none was given" : count + " were given"; }

/// What an option takes, from the type that its help shows; the common options are the program's.
std::string kind_of_value(const CLI::App& command, const std::string& name) {
    for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
        const CLI::Option* option = app->get_option_no_throw(name);
        if (option == nullptr) continue;
        const std::string type = option->get_type_name();
        if (type.starts_with("INT") || type.starts_with("UINT")) return "a whole number";
        if (type.starts_with("FLOAT")) return "a number";
    }
    return "another kind of value";
}

struct Wording {
    const char* pattern;
    std::function<std::string(const std::smatch&, const CLI::App&)> words;
};

/// CLI11's sentences of one option, as its version 2 writes them; another version's stay as they are.
const std::vector<Wording>& wordings() {
    static const std::vector<Wording> all = {
        {R"((.+): At Most (\d+) required but received (\d+))", [](const auto& m, const auto&) { return fmt::format("{} takes {}, and {}", m[1].str(), values(m[2]), were_given(m[3])); }},
        {R"((.+): At least (\d+) required but received (\d+))", [](const auto& m, const auto&) { return fmt::format("{} needs {}, and {}", m[1].str(), values(m[2]), were_given(m[3])); }},
        {R"((.+): (\d+) required (.+) missing)", [](const auto& m, const auto&) { return fmt::format("{} needs {}", m[1].str(), values(m[2])); }},
        {R"(Could not convert: (.+) = ([^]*))",
         [](const auto& m, const auto& command) { return fmt::format("{} takes {}, which \"{}\" is not", m[1].str(), kind_of_value(command, m[1]), m[2].str()); }},
        {R"(A subcommand is required)", [](const auto&, const auto&) { return std::string("Which command? One is missing here"); }},
        {R"((.+) is required)", [](const auto& m, const auto&) { return fmt::format("{} is missing", m[1].str()); }},
    };
    return all;
}

}  // namespace

std::string usage_words(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        return fmt::format("Nothing here takes \"{}\"", fmt::join(app.remaining(true), "\", \""));
    }
    std::smatch found;
    for (const auto& wording : wordings()) {
        if (std::regex_match(text, found, std::regex(wording.pattern))) return wording.words(found, command);
    }
    return text;
}

}  // namespace lw::cli
