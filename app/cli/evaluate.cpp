/// evaluate: perplexity against length, or accuracy against length for a run trained on a synthetic task.

#include "app/cli/checks.h"
#include "app/cli/evaluate_keys.h"
#include "app/cli/idle_options.h"
#include "app/cli/intervals.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace lw::cli {
namespace {

constexpr std::int64_t kMostLengths = 10000;

struct Options {
    std::string run;
    std::int64_t step = -1;
    std::int64_t examples = 256;
    std::optional<std::string> protocol, split;
    std::vector<std::string> length_words;
    std::optional<std::int64_t> scored, stride, documents, bootstrap;
    std::optional<double> level;
    KeyTokenOptions keys;
};

/// "128" or "41..100" as the lengths it means; nothing where it is neither.
std::vector<std::int64_t> lengths_of(const std::string& word) {
    const auto dots = word.find("..");
    const std::string ends[] = {word.substr(0, dots), dots == std::string::npos ? word : word.substr(dots + 2)};
    std::int64_t bounds[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i) {
        const char* last = ends[i].data() + ends[i].size();
        const auto read = std::from_chars(ends[i].data(), last, bounds[i]);
        if (read.ec != std::errc() || read.ptr != last) return {};
    }
    if (bounds[0] < 0 || bounds[1] - bounds[0] > kMostLengths) return {};
    std::vector<std::int64_t> lengths;
    for (std::int64_t n = 0; n <= bounds[1] - bounds[0]; ++n) lengths.push_back(bounds[0] + n);  // a bound may be the largest number
    return lengths;
}

std::vector<std::int64_t> lengths_of(const std::vector<std::string>& words) {
    std::vector<std::int64_t> all;
    for (const auto& word : words) {
        const auto lengths = lengths_of(word);
        for (const std::int64_t length : lengths)
            if (std::find(all.begin(), all.end(), length) == all.end()) all.push_back(length);
    }
    return all;
}

CLI::Validator length_check() {
    return {[](std::string& word) { return lengths_of(word).empty() ? fmt::format("\"{}\" is neither a length nor a range such as 41..100", word) : std::string(); },
            "LENGTH or FROM..TO"};
}

/// The run's own settings for the protocol, with the changes asked for.
EvaluationSpec spec_of(const Shell& shell, const Options& options, const RunInfo& run) {
    EvaluationSpec spec = evaluation_spec(run.recipe, options.protocol.value_or(""));
    if (options.split) spec.split = *options.split;
    if (!options.length_words.empty()) spec.lengths = lengths_of(options.length_words);
    if (options.scored) spec.scored = *options.scored;
    if (options.stride) spec.stride = *options.stride;
    if (options.documents) spec.documents = *options.documents;
    if (options.bootstrap) spec.bootstrap = *options.bootstrap;
    if (options.level) spec.level = *options.level;
    set_key_tokens(shell, options.keys, spec);
    return spec;
}

/// What the columns "low" and "high" are; "" where there is no interval.
std::string interval_line(const Evaluation& evaluation) {
    const auto with_interval = [&](const LengthPoint& point) { return has_interval(evaluation, point); };
    if (std::none_of(evaluation.points.begin(), evaluation.points.end(), with_interval)) return "";
    return fmt::format("low and high: {} % interval, bootstrap over {}s\n", compact(100 * evaluation.protocol.level), evaluation.unit);
}

std::string table_text(const Evaluation& evaluation) {
    if (evaluation.keys) return key_token_table(evaluation);
    Table table({"length", "perplexity", "low", "high", "loss", "tokens", "documents", "seconds"});
    std::string warnings;
    for (const auto& point : evaluation.points) {
        const bool interval = has_interval(evaluation, point);
        table.add({grouped(point.length), three_digits(point.perplexity), interval ? three_digits(point.low) : "–", interval ? three_digits(point.high) : "–", fmt::format("{:.4f}", point.loss),
                   grouped(point.tokens), grouped(point.documents), fmt::format("{:.1f}", point.seconds)});
        if (!point.warning.empty()) warnings += fmt::format("At {}: {}\n", grouped(point.length), point.warning);
    }
    return table.text() + warnings;
}

/// Numbers of a demo run are shown only: it comes with the program and keeps the ones it came with.
void emit_measured(Shell& shell, const RunInfo& run, Json document) {
    if (run.demo) shell.print("\nNot saved: demo runs are read-only.\n");
    document["saved"] = !run.demo;
    shell.emit(document);
}

/// A damaged file is written anew, which must not pass in silence.
template <class Read>
void warn_if_damaged(const Shell& shell, const Result<Read>& before) {
    if (!before.ok()) shell.warn(before.error().message);
}

/// Of --scored and --stride each protocol uses what its windows are made with.
void refuse_idle(const CLI::App& command, const std::string& protocol) {
    refuse_beside(command, "a run that was trained on a text and is measured by perplexity", {"--examples"});
    for (const auto& known : evaluation_protocols()) {
        if (known.id != protocol) continue;
        OptionNames idle;
        if (!known.uses_scored) idle.emplace_back("--scored");
        if (!known.uses_stride) idle.emplace_back("--stride");
        refuse_beside(command, "the protocol " + protocol, idle);
    }
}

/// "last-k, dape-paper or longppl": the protocols of which it holds.
std::string protocols_where(const std::function<bool(const ProtocolInfo&)>& holds) {
    std::vector<std::string> ids;
    for (const auto& protocol : evaluation_protocols())
        if (holds(protocol)) ids.push_back(protocol.id);
    const std::string last = ids.back();
    ids.pop_back();
    return ids.empty() ? last : fmt::format("{} or {}", fmt::join(ids, ", "), last);
}

void text_run(Shell& shell, const Options& options, const RunInfo& run) {
    warn_if_damaged(shell, read_evaluations(run.folder));
    const auto context = shell.context();
    const auto on_point = [&shell](const Evaluation& so_far) {
        if (!shell.shows_lines() || so_far.points.empty()) return;
        const auto& point = so_far.points.back();
        shell.print(fmt::format("length {}  {} {}\n", grouped(point.length), so_far.keys ? "LongPPL" : "perplexity", three_digits(point.perplexity)));
    };
    const auto evaluation = need(evaluate(run.folder, spec_of(shell, options, run), options.step, context, on_point));
    shell.print(fmt::format("{}, step {}: {}\n{}\n{}", run.title, evaluation.step, evaluation.protocol_line, interval_line(evaluation),
                            table_text(evaluation)));
    emit_measured(shell, run, to_json(evaluation));
    if (!evaluation.complete) shell.end_with(ErrorKind::cancelled);
}

std::string share(double value) { return fmt::format("{:.3f}", value); }

std::string points_text(const std::vector<TaskPoint>& points) {
    Table table({"length", "accuracy", "low", "high", "exact match", "low", "high", "chance", "examples"});
    for (const auto& p : points) {
        table.add({grouped(p.length), share(p.token_accuracy), share(p.low), share(p.high), share(p.exact_match), share(p.exact_low), share(p.exact_high),
                   compact(p.chance), grouped(p.examples)});
    }
    return table.text();
}

/// Training, validation and longer lengths side by side.
std::string summary_text(const TaskEvaluation& measured) {
    Table table({"", "accuracy", "exact match", "what"});
    const auto add = [&](const char* name, const std::optional<TaskPoint>& point) {
        if (point) table.add({name, share(point->token_accuracy), share(point->exact_match), fmt::format("{} examples up to length {}", grouped(point->examples), grouped(point->length))});
    };
    add("training", measured.train);
    add("validation", measured.validation);
    const TaskScore score = generalisation_score(measured.points, measured.train_length);
    if (score.lengths > 0) {
        table.add({"longer", share(score.token_accuracy), share(score.exact_match), fmt::format("mean over {} {} above {}", grouped(score.lengths),
                                                                                               score.lengths == 1 ? "length" : "lengths", grouped(measured.train_length))});
    }
    return table.text();
}

/// Accuracy by length (rows) and depth; "" for tasks without depths.
std::string depths_text(const std::vector<TaskPoint>& points) {
    std::vector<double> depths;
    for (const auto& p : points)
        for (const auto& one : p.depths) depths.push_back(one.depth);
    if (depths.empty()) return "";
    std::sort(depths.begin(), depths.end());
    depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
    std::vector<std::string> names{"length"};
    for (const double depth : depths) names.push_back(fmt::format("{:.2f}", depth));
    Table table(names);
    for (const auto& p : points) {
        std::vector<std::string> row{grouped(p.length)};
        for (const double depth : depths) {
            const auto found = std::find_if(p.depths.begin(), p.depths.end(), [&](const TaskDepth& one) { return one.depth == depth; });
            row.push_back(found == p.depths.end() ? "–" : fmt::format("{:.2f}", found->token_accuracy));
        }
        table.add(row);
    }
    return "\nAccuracy by depth (columns; 0 = beginning of the text)\n" + table.text();
}

/// What belongs to perplexity only would be ignored without a word.
void refuse_text_options(const Options& options) {
    std::vector<std::string> given;
    const auto note = [&](const char* name, bool set) {
        if (set) given.emplace_back(name);
    };
    note("--protocol", options.protocol.has_value());
    note("--split", options.split.has_value());
    note("--scored", options.scored.has_value());
    note("--stride", options.stride.has_value());
    note("--places", options.documents.has_value());
    note("--bootstrap", options.bootstrap.has_value());
    note("--level", options.level.has_value());
    for (const auto& name : given_key_options(options.keys)) given.push_back(name);
    if (!given.empty()) throw Failure(ErrorKind::invalid_argument, fmt::format("A run that was trained on a task is measured by accuracy: {} {} of no use there.", fmt::join(given, ", "), given.size() == 1 ? "is" : "are"));
}

void task_run(Shell& shell, const Options& options, const RunInfo& run) {
    refuse_text_options(options);
    warn_if_damaged(shell, read_task_evaluation(run.folder));
    const auto measured = need(evaluate_task(run.folder, lengths_of(options.length_words), options.examples, options.step, shell.context()));
    shell.print(fmt::format("{}, step {}: {}\nlow and high: 95 % intervals over examples\n\n{}\n{}{}", run.title, measured.step, measured.source,
                            points_text(measured.points), summary_text(measured), depths_text(measured.points)));
    emit_measured(shell, run, to_json(measured));
    if (!measured.complete) shell.end_with(ErrorKind::cancelled);
}

}  // namespace

void add_evaluate(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "evaluate", "Measure perplexity (or task accuracy) against length",
                                  "lengthwise-cli evaluate demo:dape-kerple-l128-s1 --lengths 128,512,2048 --places 16");
    command->add_option("run", options->run, "Run: id, title or folder")->required();
    command->add_option("--lengths", options->length_words, "Lengths or ranges such as 41..100, separated by commas (default: L, 2L, … as the documents allow; the usual ones of a task)")
        ->delimiter(',')
        ->check(length_check());
    command->add_option("--protocol", options->protocol, protocols_where([](const ProtocolInfo&) { return true; }));
    command->add_option("--split", options->split, "train, validation or test");
    command->add_option("--scored", options->scored, "Scored tokens k of " + protocols_where([](const ProtocolInfo& one) { return one.uses_scored; }) + "; 0 = the protocol's own number");
    command->add_option("--stride", options->stride, "Stride of sliding (0 = half the length), or of the short windows of longppl (0 = 1)");
    command->add_option("--places,--documents", options->documents, "At most so many places, which are spread over the documents (default: the run's own, mostly 32)");
    command->add_option("--bootstrap", options->bootstrap, "Resamples for the interval; 0 = no interval")->check(whole_number_check(0, 1'000'000));
    command->add_option("--level", options->level, "Level of the interval, for example 0.95");
    command->add_option("--examples", options->examples, "Examples per length of a task")->capture_default_str()->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
    add_key_token_options(command, options->keys);
    command->add_option("--step", options->step, "Checkpoint; -1 = the best one")->capture_default_str();
    shell.on_run(command, [&shell, options, command] {
        const auto run = shell.find(options->run);
        if (run.recipe.data.source.rfind("task:", 0) == 0) return task_run(shell, *options, run);
        refuse_idle(*command, options->protocol.value_or(run.recipe.evaluation.protocol));
        text_run(shell, *options, run);
    });
}

}  // namespace lw::cli
