/// evaluate: perplexity against length, or accuracy against length for a run trained on a synthetic task.

#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

struct Options {
    std::string run;
    std::int64_t step = -1;
    std::int64_t examples = 256;
    std::optional<std::string> protocol, split;
    std::vector<std::int64_t> lengths;
    std::optional<std::int64_t> scored, stride, documents, bootstrap;
};

/// The run's own evaluation spec, with the changes asked for.
EvaluationSpec spec_of(const Options& options, const RunInfo& run) {
    EvaluationSpec spec = run.recipe.evaluation;
    if (options.protocol) spec.protocol = *options.protocol;
    if (options.split) spec.split = *options.split;
    if (!options.lengths.empty()) spec.lengths = options.lengths;
    if (options.scored) spec.scored = *options.scored;
    if (options.stride) spec.stride = *options.stride;
    if (options.documents) spec.documents = *options.documents;
    if (options.bootstrap) spec.bootstrap = *options.bootstrap;
    return spec;
}

std::string table_text(const Evaluation& evaluation) {
    Table table({"length", "perplexity", "low", "high", "loss", "tokens", "documents", "seconds"});
    std::string warnings;
    for (const auto& point : evaluation.points) {
        table.add({grouped(point.length), compact(point.perplexity), compact(point.low), compact(point.high), fmt::format("{:.4f}", point.loss),
                   grouped(point.tokens), grouped(point.documents), fmt::format("{:.1f}", point.seconds)});
        if (!point.warning.empty()) warnings += fmt::format("At {}: {}\n", grouped(point.length), point.warning);
    }
    return table.text() + warnings;
}

void text_run(Shell& shell, const Options& options, const RunInfo& run) {
    const auto context = shell.context();
    const auto on_point = [&shell](const Evaluation& so_far) {
        if (!shell.shows_lines() || so_far.points.empty()) return;
        const auto& point = so_far.points.back();
        shell.print(fmt::format("length {}  perplexity {}\n", grouped(point.length), compact(point.perplexity)));
    };
    const auto evaluation = need(evaluate(run.folder, spec_of(options, run), options.step, context, on_point));
    shell.print(fmt::format("{}, step {}: {}\n{} % interval by bootstrap over documents\n\n{}", run.title, evaluation.step,
                            evaluation.protocol_line, compact(100 * evaluation.protocol.level), table_text(evaluation)));
    shell.emit(to_json(evaluation));
    if (!evaluation.complete) shell.end_with(ErrorKind::cancelled);
}

void task_run(Shell& shell, const Options& options, const RunInfo& run) {
    auto lengths = options.lengths;
    for (std::int64_t factor = 1; options.lengths.empty() && factor <= 8; factor *= 2) lengths.push_back(run.recipe.training.length * factor);
    const auto points = need(evaluate_task(run.folder, lengths, options.examples, shell.context()));
    Table table({"length", "accuracy", "low", "high", "exact match", "chance", "examples"});
    for (const auto& p : points) {
        table.add({grouped(p.length), fmt::format("{:.3f}", p.token_accuracy), fmt::format("{:.3f}", p.low), fmt::format("{:.3f}", p.high),
                   fmt::format("{:.3f}", p.exact_match), compact(p.chance), grouped(p.examples)});
    }
    shell.print(table.text());
    shell.emit({{"run", run.id}, {"points", list_json(points)}});
}

}  // namespace

void add_evaluate(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "evaluate", "Measure perplexity (or task accuracy) against length",
                                  "lengthwise-cli evaluate dape-kerple --lengths 128,512,2048");
    command->add_option("run", options->run, "Run: id, title or folder")->required();
    command->add_option("--lengths", options->lengths, "Lengths, separated by commas (default: L, 2L, … as the documents allow)")->delimiter(',');
    command->add_option("--protocol", options->protocol, "last-k, dape-paper, non-overlapping or sliding");
    command->add_option("--split", options->split, "train, validation or test");
    command->add_option("--scored", options->scored, "Scored tokens k of last-k; 0 = min(256, L/2)");
    command->add_option("--stride", options->stride, "Stride of sliding; 0 = half the length");
    command->add_option("--documents", options->documents, "At most so many places");
    command->add_option("--bootstrap", options->bootstrap, "Resamples for the interval");
    command->add_option("--examples", options->examples, "Examples per length of a task")->capture_default_str();
    command->add_option("--step", options->step, "Checkpoint; -1 = the best one")->capture_default_str();
    shell.on_run(command, [&shell, options] {
        const auto run = shell.find(options->run);
        if (run.recipe.data.source.rfind("task:", 0) == 0) return task_run(shell, *options, run);
        text_run(shell, *options, run);
    });
}

}  // namespace lw::cli
