#pragma once
/// Options that would be read and then ignored: each is refused in one sentence instead. Between options the library's needs() and excludes() say
/// it; what depends on a value, or on the run, is said here.

#include <CLI/CLI.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace lw::cli {

using OptionNames = std::vector<std::string>;

/// Those of the options that were given to the command, as they are named here.
[[nodiscard]] OptionNames given_options(const CLI::App& command, const OptionNames& names);
/// Throws Failure(invalid_argument) where one of them was given: it means nothing with `chosen` ("the protocol last-k").
void refuse_beside(const CLI::App& command, const std::string& chosen, const OptionNames& idle);
/// Throws Failure(invalid_argument) where one of them was given: it means nothing without `needed` ("--lengths or --steps").
void refuse_without(const CLI::App& command, const std::string& needed, const OptionNames& idle);

/// The option needs the other one, or cannot stand beside any of the others: said by the library where the options are read.
void needs(CLI::App& command, const OptionNames& options, const std::string& needed);
void excludes(CLI::App& command, const std::string& option, const OptionNames& others);

}  // namespace lw::cli
