#include "app/cli/evaluate_keys.h"

#include "app/cli/intervals.h"
#include "app/cli/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace lw::cli {

void add_key_token_options(CLI::App* command, KeyTokenOptions& options) {
    const std::string group = "Key tokens (--protocol longppl)";
    command->add_option("--short", options.short_context, "Tokens of the short context K; 0 = L / 4")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 20))
        ->group(group);
    command
        ->add_option("--evaluator", options.evaluator,
                     "Run whose losses mark the key tokens (default: the run itself); runs compare only where they have the same one")
        ->group(group);
    command->add_option("--evaluator-step", options.evaluator_step, "Its checkpoint; -1 = the best one")->group(group);
    command->add_option("--gain", options.gain, "Least gain of the long context over the short one, nats (default: 2)")->group(group);
    command->add_option("--probability", options.probability, "Least ln P with the long context (default: -2)")->group(group);
}

std::vector<std::string> given_key_options(const KeyTokenOptions& options) {
    std::vector<std::string> given;
    if (options.short_context) given.emplace_back("--short");
    if (!options.evaluator.empty()) given.emplace_back("--evaluator");
    if (options.evaluator_step) given.emplace_back("--evaluator-step");
    if (options.gain) given.emplace_back("--gain");
    if (options.probability) given.emplace_back("--probability");
    return given;
}

void set_key_tokens(const Shell& shell, const KeyTokenOptions& options, EvaluationSpec& spec) {
    const auto given = given_key_options(options);
    if (spec.protocol != "longppl" && !given.empty()) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("{} {} of --protocol longppl; the protocol here is {}, which counts every scored token.", fmt::join(given, ", "),
                                  given.size() == 1 ? "is an option" : "are options", spec.protocol));
    }
    if (options.evaluator_step && options.evaluator.empty()) {
        throw Failure(ErrorKind::invalid_argument,
                      "--evaluator-step says which checkpoint of --evaluator is read, and no evaluator is given; of the run itself --step says it.");
    }
    if (!options.evaluator.empty()) spec.keys.evaluator = shell.find(options.evaluator).folder;
    spec.keys.evaluator_step = options.evaluator_step.value_or(-1);
    spec.keys.short_context = options.short_context.value_or(0);
    if (options.gain) spec.keys.gain = *options.gain;
    if (options.probability) spec.keys.probability = *options.probability;
}

std::string key_token_table(const Evaluation& evaluation) {
    Table table({"length", "LongPPL", "low", "high", "key tokens", "of", "share", "documents", "perplexity of all", "seconds"});
    std::string warnings;
    for (const auto& point : evaluation.points) {
        const bool interval = has_interval(evaluation, point);
        const double share = static_cast<double>(point.tokens) / static_cast<double>(point.candidates);
        table.add({grouped(point.length), three_digits(point.perplexity), interval ? three_digits(point.low) : "–", interval ? three_digits(point.high) : "–",
                   grouped(point.tokens), grouped(point.candidates), fmt::format("{:.2f} %", 100 * share), grouped(point.documents),
                   three_digits(std::exp(point.all_loss)), fmt::format("{:.1f}", point.seconds)});
        if (!point.warning.empty()) warnings += fmt::format("At {}: {}\n", grouped(point.length), point.warning);
    }
    return table.text() + warnings;
}

}  // namespace lw::cli
