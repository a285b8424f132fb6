#include "core/lab/start_weights.h"

#include "core/api/runs.h"
#include "core/lab/load_model.h"

#include <fmt/format.h>

namespace lw {

namespace {

/// An extended run has the recipe of a model that was trained with its extension, but not those weights; nor has one whose recipe was changed
/// afterwards.
bool trained_by(const RunInfo& run, const std::string& hash) {
    return run.base.empty() && !run.recipe_edited.value_or(false) && training_hash(run.recipe) == hash;
}

RunInfo start_run(const StartSpec& start, const std::filesystem::path& workspace) {
    std::string unfinished;
    for (const auto& runs : {list_runs(workspace).value().runs, demo_runs()}) {
        for (const RunInfo& run : runs) {
            if (!trained_by(run, start.recipe)) continue;
            if (run.status == "finished" || run.demo) return run;
            unfinished = run.id;
        }
    }
    if (!unfinished.empty()) {
        throw Failure(ErrorKind::not_found, fmt::format("This recipe goes on with the weights of {}, which is not finished: resume it first.", unfinished));
    }
    throw Failure(ErrorKind::not_found, fmt::format("This recipe goes on with the weights of a run of the recipe {}, and there is none in {}. Train that one first.", start.recipe,
                                                    workspace.string()));
}

}  // namespace

std::optional<StartWeights> find_start(const Recipe& recipe, const std::filesystem::path& workspace) {
    if (recipe.start.recipe.empty()) return std::nullopt;
    const RunInfo run = start_run(recipe.start, workspace);
    const LoadedModel loaded = load_model(run.folder, recipe.start.step, "cpu");
    return StartWeights{model_tensors(*loaded.model), loaded.tokenizer};
}

}  // namespace lw
