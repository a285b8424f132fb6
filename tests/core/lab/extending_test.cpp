/// Extended runs: plug-in methods on another run's weights.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "tests/core/training/tiny_run.h"

using namespace lw;

namespace {

SchemeSpec yarn(double factor) { return {"", {{"frequency", {"yarn", {{"factor", factor}}}}}}; }

EvaluationSpec short_evaluation() {
    EvaluationSpec spec;
    spec.lengths = {32, 128};
    return spec;
}

}  // namespace

TEST_CASE("an extended run shares the weights and reads with the extended scheme", "[lab]") {
    const TinyLaboratory lab;
    const auto base = train(lab.recipe("rope"), lab.workspace).value();
    const auto extended = extend_run(base.folder, yarn(4), lab.workspace).value();
    CHECK(extended.base == base.folder);
    CHECK_THAT(extended.title, Catch::Contains("YaRN"));
    CHECK(extended.recipe.scheme.slots.at("frequency").id == "yarn");
    REQUIRE(extended.checkpoints.size() == base.checkpoints.size());
    CHECK(extended.checkpoints.back().file == base.checkpoints.back().file);
    // With factor 1 it is the run itself; with factor 4 it reads long texts otherwise.
    const auto same = extend_run(base.folder, yarn(1), lab.workspace).value();
    const auto plain = evaluate(base.folder, short_evaluation()).value(), at_one = evaluate(same.folder, short_evaluation()).value(),
               at_four = evaluate(extended.folder, short_evaluation()).value();
    CHECK(at_one.points[1].loss == plain.points[1].loss);
    CHECK(at_four.points[1].loss != plain.points[1].loss);
    CHECK(read_run(base.folder).value().evaluations.size() == 1);
    CHECK(list_runs(lab.workspace).value().runs.size() == 3);
}

TEST_CASE("what a trained model cannot take is refused before a folder is made", "[lab]") {
    const TinyLaboratory lab;
    const auto base = train(lab.recipe("rope"), lab.workspace).value();
    CHECK_THAT(extend_run(base.folder, {"", {{"bias", {"alibi", {}}}}}, lab.workspace).error().message, Catch::Contains("trained with nothing in slot bias"));
    CHECK_THAT(extend_run(base.folder, {}, lab.workspace).error().message, Catch::Contains("at least one slot"));
    const auto alibi = train(lab.recipe("alibi"), lab.workspace).value();
    const SchemeSpec learning{"", {{"bias", {"alibi", {{"learned_slopes", true}}}}}};
    CHECK_THAT(extend_run(alibi.folder, learning, lab.workspace).error().message, Catch::Contains("lacks the tensor"));
    const auto extended = extend_run(base.folder, yarn(4), lab.workspace).value();
    CHECK_THAT(extend_run(extended.folder, yarn(2), lab.workspace).error().message, Catch::Contains("extend that run instead"));
    CHECK_THAT(resume(extended.folder).error().message, Catch::Contains("uses the weights of"));
    CHECK(list_runs(lab.workspace).value().runs.size() == 3);
}

TEST_CASE("a run whose weights are lent to another is not deleted, and a lost one is named", "[lab]") {
    const TinyLaboratory lab;
    const auto base = train(lab.recipe("rope"), lab.workspace).value();
    const auto extended = extend_run(base.folder, yarn(4), lab.workspace).value();
    CHECK_THAT(delete_run(base.folder).error().message, Catch::Contains(extended.id));
    const auto packed = pack_run(extended.folder, lab.folder / "packed").value();  // a copy holds the weights itself
    CHECK(packed.base.empty());
    std::filesystem::remove_all(base.folder);
    CHECK_THAT(read_run(extended.folder).value().message, Catch::Contains(base.id));
    CHECK(evaluate(packed.folder, short_evaluation()).ok());
    CHECK(delete_run(extended.folder).ok());
}
