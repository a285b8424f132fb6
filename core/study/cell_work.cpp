#include "core/study/cell_work.h"

#include "core/study/cells.h"

#include <fmt/format.h>

namespace lw {

namespace {

namespace fs = std::filesystem;

/// A value, or the failure of the verb.
template <class T>
T need(Result<T> result) {
    if (!result.ok()) throw Failure(result.error().kind, result.error().message);
    return std::move(result).value();
}

void train_or_resume(const StudyCell& cell, const fs::path& workspace, const RunContext& context, const StudyHooks& hooks) {
    if (cell.folder.empty()) {
        (void)need(train(cell.recipe, workspace, context, hooks.training));
    } else {
        (void)need(resume(cell.folder, context, hooks.training));
    }
}

void measure(const StudyCell& cell, const RunContext& context, const StudyHooks& hooks) {
    if (measures_task(cell)) {
        (void)need(evaluate_task(cell.folder, cell.recipe.evaluation.lengths, kTaskExamples, -1, context));
        return;
    }
    const auto on_point = [&](const Evaluation& evaluation) {
        if (hooks.on_point) hooks.on_point(cell, evaluation);
    };
    (void)need(evaluate(cell.folder, cell.recipe.evaluation, -1, context, on_point));
}

}  // namespace

void work_on(const StudyCell& cell, const fs::path& workspace, const fs::path& base, const RunContext& context, const StudyHooks& hooks) {
    if (cell.state == "trained") return measure(cell, context, hooks);
    if (cell.steps != 0) return train_or_resume(cell, workspace, context, hooks);
    SchemeSpec extension = cell.extension;
    extension.name = cell.scheme;
    (void)need(extend_run(base, extension, workspace));
}

}  // namespace lw
