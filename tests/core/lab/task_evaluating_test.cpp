/// Measuring runs of tasks past what their model can read: the refusal speaks of the task's own lengths.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "core/api/text.h"
#include "tests/core/training/tiny_run.h"

#include <algorithm>

using namespace lw;

namespace {

/// A tiny run of a task, trained up to a length, with a table of positions that refuses what lies past it.
RunInfo learned_run(const TinyLaboratory& lab, const std::string& id, std::int64_t length) {
    const auto& all = tasks();
    const auto info = std::find_if(all.begin(), all.end(), [&](const TaskInfo& task) { return task.id == id; });
    REQUIRE(info != all.end());
    const Recipe plain = lab.recipe("learned");
    Recipe recipe = task_recipe(*info, plain.scheme);
    recipe.model = plain.model;
    recipe.training = plain.training;
    recipe.training.length = length;
    recipe.training.steps = 3;
    return train(recipe, lab.workspace).value();
}

}  // namespace

TEST_CASE("past its table an encoder's run names the longest length of the task and its tokens", "[lab][task]") {
    const TinyLaboratory lab;
    const RunInfo run = learned_run(lab, "reverse-string", 10);
    CHECK(evaluate_task(run.folder, {10}, 4).ok());
    const auto refused = evaluate_task(run.folder, {10, 17}, 4);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::invalid_argument);
    CHECK_THAT(refused.error().message, Catch::Contains("at length 17 there are 34 tokens") && Catch::Contains("longest length that this model reads is 10 (20 tokens)"));
    const auto nothing = evaluate_task(run.folder, {0}, 4);
    REQUIRE_FALSE(nothing.ok());
    CHECK_THAT(nothing.error().message, !Catch::Contains("longest length"));
}

TEST_CASE("where a task's length is its tokens the refusal of the table says enough", "[lab][task]") {
    const TinyLaboratory lab;
    const RunInfo run = learned_run(lab, "copy", 32);
    const auto refused = evaluate_task(run.folder, {64}, 4);
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message, Catch::Contains("serves 32 tokens") && !Catch::Contains("longest length"));
}
