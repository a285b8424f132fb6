#pragma once
/// What evaluate has for LongPPL alone: the options that say which tokens are key tokens, and its table.

#include "app/cli/shell.h"
#include "core/api/evaluation.h"

namespace lw::cli {

struct KeyTokenOptions {
    std::string evaluator;  ///< a run; "" = the measured one
    std::optional<std::int64_t> evaluator_step, short_context;
    std::optional<double> gain, probability;
};
void add_key_token_options(CLI::App* command, KeyTokenOptions& options);
/// Those that were given, as they are written.
[[nodiscard]] std::vector<std::string> given_key_options(const KeyTokenOptions& options);
/// Throws Failure(invalid_argument) where some are given for another protocol, which would ignore them without a word.
void set_key_tokens(const Shell& shell, const KeyTokenOptions& options, EvaluationSpec& spec);

/// One line per length, with warnings; for evaluations that have `keys`.
[[nodiscard]] std::string key_token_table(const Evaluation& evaluation);

}  // namespace lw::cli
