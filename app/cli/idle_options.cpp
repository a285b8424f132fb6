#include "app/cli/idle_options.h"

#include "core/api/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lw::cli {

OptionNames given_options(const CLI::App& command, const OptionNames& names) {
    OptionNames given;
    for (const auto& name : names) {
        if (command.get_option(name)->count() > 0) given.push_back(name);
    }
    return given;
}

void refuse_beside(const CLI::App& command, const std::string& chosen, const OptionNames& idle) {
    const auto given = given_options(command, idle);
    if (given.empty()) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("{} {} nothing with {}; leave {} out.", fmt::join(given, ", "), given.size() == 1 ? "means" : "mean", chosen,
                                                           given.size() == 1 ? "it" : "them"));
}

void refuse_without(const CLI::App& command, const std::string& needed, const OptionNames& idle) {
    const auto given = given_options(command, idle);
    if (given.empty()) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("{} {} nothing without {}.", fmt::join(given, ", "), given.size() == 1 ? "means" : "mean", needed));
}

void needs(CLI::App& command, const OptionNames& options, const std::string& needed) {
    for (const auto& option : options) command.get_option(option)->needs(command.get_option(needed));
}

void excludes(CLI::App& command, const std::string& option, const OptionNames& others) {
    for (const auto& other : others) command.get_option(option)->excludes(command.get_option(other));
}

}  // namespace lw::cli
