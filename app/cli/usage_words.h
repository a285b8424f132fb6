#pragma once
/// What was wrong with the words of a command line, in sentences: CLI11's own speak of "At Most 1 required but received 2".

#include <CLI/CLI.hpp>

#include <string>

namespace lw::cli {

/// A sentence without its full stop, in place of error.what(). `app` is the whole program, which has parsed as far as the error; `command` is
/// the innermost command that was recognised.
[[nodiscard]] std::string usage_words(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error);

}  // namespace lw::cli
