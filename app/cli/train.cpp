/// train: a new run from a preset or a recipe file.

#include "app/cli/overrides.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/training.h"
#include "app/cli/values.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

struct Options {
    RecipeOptions recipe;
    bool dry_run = false;
};

void show_plan(Shell& shell, const Recipe& recipe) {
    const auto resolved = need(check_recipe(recipe));
    const auto estimate = need(estimate_training(resolved, shell.device));
    std::string text = fmt::format("hash         {}\nparameters   {}\nmemory       {} of {} available\n", recipe_hash(resolved),
                        grouped(estimate.parameters), byte_size(estimate.bytes), byte_size(estimate.bytes_available));
    if (estimate.seconds_per_step > 0) {
        text += fmt::format("time         about {} ({} s a step)\n",
                            duration(estimate.seconds_per_step * static_cast<double>(resolved.training.steps)),
                            compact(estimate.seconds_per_step));
    }
    text += fmt::format("attention    {}\n", estimate.attention_path);
    if (!estimate.advice.empty()) text += estimate.advice + "\n";
    shell.print(text + "\n" + recipe_json(resolved));
    shell.emit({{"recipe", to_json(resolved)}, {"hash", recipe_hash(resolved)},
                {"estimate", {{"parameters", estimate.parameters}, {"bytes", estimate.bytes}, {"bytes_available", estimate.bytes_available},
                              {"seconds_per_step", estimate.seconds_per_step}, {"attention_path", estimate.attention_path},
                              {"advice", estimate.advice}}}});
}

/// What fits and is worth knowing before the hours of training: lengths that will not be measured. What does not fit is refused with its reason.
void say_advice(Shell& shell, const Recipe& recipe) {
    const auto estimate = estimate_training(recipe, shell.device);
    if (!estimate.ok() || estimate.value().bytes > estimate.value().bytes_available) return;
    if (!estimate.value().advice.empty()) shell.note(estimate.value().advice);
}

void run(Shell& shell, const Options& options) {
    const auto recipe = build_recipe(options.recipe, shell.workspace_folder());
    if (options.dry_run) return show_plan(shell, recipe);
    const auto context = shell.context();
    say_advice(shell, recipe);
    report_end(shell, need(train(recipe, shell.workspace_folder(), context, printing_hooks(shell))));
}

}  // namespace

TrainHooks printing_hooks(Shell& shell) {
    TrainHooks hooks;
    hooks.on_start = [&shell](const RunInfo& run) {
        shell.print(fmt::format("{}: {}\n{} parameters, folder {}\n", run.title, scheme_line(run.recipe.scheme), grouped(run.parameters),
                                run.folder.string()));
    };
    hooks.on_log = [&shell](const LogPoint& point) {
        if (!shell.shows_lines()) return;
        auto line = fmt::format("step {}  loss {:.4f}  {} tokens/s", point.step, point.loss, compact(point.tokens_per_second));
        if (point.validation_loss) line += fmt::format("  validation loss {:.4f}", *point.validation_loss);
        shell.print(line + "\n");
    };
    return hooks;
}

void report_end(Shell& shell, const RunInfo& run) {
    if (run.status == "failed") throw Failure(ErrorKind::internal, run.message);
    shell.print(fmt::format("{} at step {}", run.status == "stopped" ? "Stopped" : "Finished", grouped(run.step)));
    if (run.best_loss > 0) shell.print(fmt::format(", best validation loss {:.4f} nats per token", run.best_loss));
    shell.print(fmt::format("\n{}\n", run.id));
    if (run.status == "stopped") {
        shell.emit(to_json(run));
        shell.end_with(ErrorKind::cancelled);
        return shell.print(fmt::format("Go on with: lengthwise-cli resume {}\n", run.id));
    }
    shell.emit(to_json(run));
    shell.print(fmt::format("Next: lengthwise-cli evaluate {}\n", run.id));
}

void add_train(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "train", "Train a new run from a preset or a recipe file",
                                  "lengthwise-cli train dape-kerple --corpus en-prose --steps 1000 --set training.clip=0.5");
    add_recipe_options(command, options->recipe);
    command->add_flag("--dry-run", options->dry_run, "Show the whole recipe and what it will take, and stop");
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
