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

TEST_CASE("an extended run is measured as the run it extends was", "[lab]") {
    const TinyLaboratory lab;
    const auto base = train(lab.recipe("rope"), lab.workspace).value();
    EvaluationSpec asked = short_evaluation();
    asked.documents = 5;
    const auto measured = evaluate(base.folder, asked).value();
    const auto extended = extend_run(base.folder, yarn(4), lab.workspace).value();
    const EvaluationSpec spec = evaluation_spec(extended.recipe);
    CHECK(spec.documents == 5);
    CHECK(spec.lengths == measured.protocol.lengths);
    REQUIRE(evaluate(extended.folder, spec).ok());
    CHECK(compare({base.folder, extended.folder}).ok());
}

TEST_CASE("an extended run's folder says what was changed", "[lab]") {
    const TinyLaboratory lab;
    const auto rope = train(lab.recipe("rope"), lab.workspace).value();
    CHECK(extend_run(rope.folder, yarn(4), lab.workspace).value().id == rope.id + "-yarn");
    const auto alibi = train(lab.recipe("alibi"), lab.workspace).value();
    SchemeSpec longer{"", {{"bias", alibi.recipe.scheme.slots.at("bias")}}};
    longer.slots.at("bias").params["factor"] = 2.5;
    CHECK(extend_run(alibi.folder, longer, lab.workspace).value().id == alibi.id + "-factor-2.5");
}

TEST_CASE("an extension made before is found again, another one is not", "[lab]") {
    const TinyLaboratory lab;
    const auto base = train(lab.recipe("rope"), lab.workspace).value();
    CHECK_FALSE(find_extended_run(base.folder, yarn(4), lab.workspace).value().has_value());
    const auto extended = extend_run(base.folder, yarn(4), lab.workspace).value();
    REQUIRE(find_extended_run(base.folder, yarn(4), lab.workspace).value().has_value());
    CHECK(find_extended_run(base.folder, yarn(4), lab.workspace).value()->folder == extended.folder);
    CHECK_FALSE(find_extended_run(base.folder, yarn(2), lab.workspace).value().has_value());
}

TEST_CASE("a preset becomes an extension only of the kind of model it was made for", "[lab]") {
    const auto scheme = [](const char* name) { return find_scheme(name).value(); };
    const auto yarn_on_rope = preset_extension(scheme("rope"), scheme("rope-yarn")).value();
    REQUIRE(yarn_on_rope.has_value());
    CHECK(yarn_on_rope->slots.count("rotation") == 0);
    CHECK(yarn_on_rope->slots.at("frequency").id == "yarn");
    CHECK_FALSE(preset_extension(scheme("rope"), scheme("rope")).value().has_value());
    CHECK_FALSE(preset_extension(scheme("rope"), scheme("alibi")).value().has_value());
    CHECK_FALSE(preset_extension(scheme("rope"), scheme("dape-rope")).value().has_value());
    CHECK_FALSE(preset_extension(scheme("nope"), scheme("rope-yarn")).value().has_value());
    // Of a trained bias only the interpolation is taken over: its other parameters are the run's own.
    auto trained = scheme("alibi");
    trained.slots.at("bias").params["max_bias"] = 4.0;
    const auto interpolated = preset_extension(trained, scheme("alibi-interpolation")).value();
    REQUIRE(interpolated.has_value());
    CHECK(std::get<double>(interpolated->slots.at("bias").params.at("max_bias")) == 4.0);
    CHECK(std::get<double>(interpolated->slots.at("bias").params.at("factor")) == 0.0);
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

TEST_CASE("the name of an extended run is one line of text that fits a table", "[lab]") {
    const TinyLaboratory lab;
    const auto base = lab.trained("rope");
    for (const std::string& name : {std::string("a\nb"), std::string("a\xff"), std::string(400, 'a')}) {
        SchemeSpec named = yarn(4);
        named.name = name;
        const auto refused = extend_run(base.folder, named, lab.workspace);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().kind == ErrorKind::invalid_argument);
        CHECK_THAT(refused.error().message, Catch::StartsWith("The name of an extended run"));
    }
    CHECK(list_runs(lab.workspace).value().runs.size() == 1);
}
