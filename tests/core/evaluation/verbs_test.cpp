/// The verbs on real runs: evaluate, read, curves, compare, tasks, and what they refuse.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "core/api/export.h"
#include "core/api/maps.h"
#include "core/api/text.h"
#include "core/evaluation/evaluation_json.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"
#include "tests/core/training/tiny_run.h"

#include <cmath>
#include <fstream>

using namespace lw;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a run is evaluated by every protocol and its evaluations are read back", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    for (const char* protocol : {"last-k", "dape-paper", "non-overlapping", "sliding"}) {
        CAPTURE(protocol);
        std::vector<std::size_t> seen;
        const auto got = evaluate(run.folder, short_spec(protocol), -1, {}, [&](const Evaluation& so_far) { seen.push_back(so_far.points.size()); });
        REQUIRE(got.ok());
        const Evaluation& evaluation = got.value();
        CHECK(seen == std::vector<std::size_t>{1, 2});
        CHECK(evaluation.complete);
        CHECK(evaluation.run == run.id);
        CHECK(evaluation.step == 3);
        CHECK(evaluation.recipe_hash == recipe_hash(run.recipe));
        CHECK_FALSE(evaluation.torch_version.empty());
        CHECK_FALSE(evaluation.attention_path.empty());
        for (const LengthPoint& point : evaluation.points) {
            CHECK(std::isfinite(point.perplexity));
            CHECK(point.perplexity > 1);
            CHECK(point.perplexity < 300);  // bytes, hardly trained
            CHECK(point.low <= point.perplexity);
            CHECK(point.perplexity <= point.high);
        }
    }
    const auto all = read_evaluations(run.folder).value();
    REQUIRE(all.size() == 4);
    CHECK(read_run(run.folder).value().evaluations.size() == 4);
    for (const Evaluation& evaluation : all) CHECK(evaluation.complete);
}

TEST_CASE("what cannot be kept or would take for ever is refused before anything is measured", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    EvaluationSpec spec = short_spec();
    spec.bootstrap = 1'000'001;
    const auto many = evaluate(run.folder, spec);
    REQUIRE_FALSE(many.ok());
    CHECK(many.error().kind == ErrorKind::invalid_argument);
    CHECK(contains(many.error().message, "1,000,001; it can be at most 1,000,000"));
    std::filesystem::create_directories(run.folder / "evaluations" / "last-k.json");
    bool measured = false;
    const auto blocked = evaluate(run.folder, short_spec(), -1, {}, [&](const Evaluation&) { measured = true; });
    REQUIRE_FALSE(blocked.ok());
    CHECK(blocked.error().kind == ErrorKind::io);
    CHECK(contains(blocked.error().message, "is a folder"));
    CHECK_FALSE(measured);
}

TEST_CASE("the same evaluation twice gives the same numbers", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("dape-kerple");
    const Evaluation first = evaluate(run.folder, short_spec()).value();
    const Evaluation again = evaluate(run.folder, short_spec()).value();
    for (std::size_t n = 0; n < first.points.size(); ++n) {
        CHECK(first.points[n].perplexity == again.points[n].perplexity);
        CHECK(first.points[n].low == again.points[n].low);
    }
    // An earlier checkpoint is another model.
    const Evaluation earlier = evaluate(run.folder, short_spec(), run.checkpoints.front().step).value();
    if (run.checkpoints.front().step != first.step) CHECK(earlier.points[0].loss != first.points[0].loss);
    CHECK(earlier.step == run.checkpoints.front().step);
}

TEST_CASE("cancelling an evaluation keeps its points, in the file too", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    const auto got = evaluate(run.folder, short_spec(), -1, context, [&](const Evaluation&) { stop.request_stop(); });
    REQUIRE(got.ok());
    CHECK_FALSE(got.value().complete);
    CHECK(got.value().points.size() == 1);
    const auto kept = read_evaluations(run.folder).value();
    REQUIRE(kept.size() == 1);
    CHECK_FALSE(kept.front().complete);
    CHECK(kept.front().points.size() == 1);
}

TEST_CASE("losses by position put seeds of one recipe together and name runs without them", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo first = lab.trained("alibi", 1), second = lab.trained("alibi", 2), other = lab.trained("rope", 1);
    REQUIRE(evaluate(first.folder, short_spec()).ok());
    REQUIRE(evaluate(second.folder, short_spec()).ok());
    const std::vector<std::filesystem::path> folders = {first.folder, second.folder, other.folder};
    const auto curves = position_curves(folders).value();
    REQUIRE(curves.lines.size() == 1);
    CHECK(curves.lines[0].seeds == 2);
    CHECK(curves.lines[0].train_length == 32);
    CHECK(curves.x_label == "Position in texts of 128 tokens");
    CHECK(curves.missing == std::vector<std::string>{other.title});
    CHECK(contains(curves.protocol_line, "same 16 last tokens"));
    const auto each = position_curves(folders, "last-k", PositionOrigin::start, false).value();
    REQUIRE(each.lines.size() == 2);
    REQUIRE(each.lines[0].length == curves.lines[0].length);
    for (std::size_t n = 0; n < each.lines[0].value.size(); ++n) CHECK(curves.lines[0].value[n] == Approx((each.lines[0].value[n] + each.lines[1].value[n]) / 2));
    const auto beyond = position_curves(folders, "last-k", PositionOrigin::training_length).value();
    REQUIRE(beyond.lines.size() == 1);
    CHECK(beyond.lines[0].length.front() == 1);
    CHECK(contains(beyond.x_label, "L = 32"));
    CHECK(position_curves(folders, "sliding").value().lines.empty());
    CHECK(position_curves(folders, "no such one").error().kind == ErrorKind::invalid_argument);
}

TEST_CASE("curves put seeds of one recipe together and name runs without the protocol", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo first = lab.trained("alibi", 1);
    const RunInfo second = lab.trained("alibi", 2);
    const RunInfo other = lab.trained("rope", 1);
    REQUIRE(evaluate(first.folder, short_spec()).ok());
    REQUIRE(evaluate(second.folder, short_spec()).ok());
    const auto curves = perplexity_curves({first.folder, second.folder, other.folder}).value();
    REQUIRE(curves.lines.size() == 1);
    CHECK(curves.lines[0].seeds == 2);
    CHECK(curves.lines[0].train_length == 32);
    CHECK(curves.missing == std::vector<std::string>{other.title});
    CHECK(contains(curves.protocol_line, "same 16 last tokens"));
    CHECK(contains(curves_csv(curves), curves.protocol_line));
    const auto apart = perplexity_curves({first.folder, second.folder}, "last-k", false).value();
    CHECK(apart.lines.size() == 2);

    // Seeds evaluated up to another length score other places, and the plot's label says so.
    EvaluationSpec longer = short_spec();
    longer.lengths = {32, 512};
    REQUIRE(evaluate(second.folder, longer).ok());
    const auto unlike = perplexity_curves({first.folder, second.folder}).value();
    REQUIRE(unlike.warnings.size() == 1);
    CHECK(contains(unlike.warnings.front(), "other places in some runs"));
    CHECK_FALSE(contains(unlike.protocol_line, "other places"));
    CHECK(measured_words(unlike) == unlike.warnings.front() + ": " + unlike.protocol_line);
    CHECK(contains(curves_csv(unlike), unlike.warnings.front()));  // the label travels with the numbers
    REQUIRE(evaluate(second.folder, short_spec()).ok());
    const auto alike = perplexity_curves({first.folder, second.folder}).value();
    CHECK(alike.warnings.empty());
    CHECK(measured_words(alike) == alike.protocol_line);

    // A run named twice is one run.
    const auto twice = perplexity_curves({first.folder, first.folder / ""}).value();
    REQUIRE(twice.lines.size() == 1);
    CHECK(twice.lines[0].runs.size() == 1);

    const auto refused = compare({first.folder, other.folder});
    REQUIRE_FALSE(refused.ok());
    CHECK(contains(refused.error().message, other.title));
    REQUIRE(evaluate(other.folder, short_spec()).ok());
    const auto compared = compare({first.folder, second.folder, other.folder}).value();
    REQUIRE(compared.size() == 2);
    CHECK(compared[0].seeds_b == 2);
    CHECK(compared[0].seeds_a == 1);
    CHECK(contains(compared[0].sentence, other.title));
}

TEST_CASE("numbers of an older checkpoint are said to be old", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    REQUIRE(evaluate(run.folder, short_spec()).ok());
    CHECK(perplexity_curves({run.folder}).value().problems.empty());
    // As if the run had been trained on after it was measured.
    const auto file = run.folder / "evaluations" / "last-k.json";
    Evaluation older = read_evaluations(run.folder).value().front();
    older.step -= 1;
    std::ofstream(file) << evaluation_json(older);
    const auto curves = perplexity_curves({run.folder}).value();
    REQUIRE(curves.problems.size() == 1);
    CHECK(contains(curves.problems.front(), "evaluate it again"));
    CHECK(curves.lines.size() == 1);
}

TEST_CASE("curves of runs with other tokens say that they cannot be compared", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo bytes = lab.trained("alibi");
    Recipe recipe = lab.recipe("rope");
    recipe.training.steps = 3;
    recipe.data.tokenizer = "bpe";
    recipe.data.vocabulary = 320;
    const RunInfo pieces = train(recipe, lab.workspace).value();
    for (const RunInfo* run : {&bytes, &pieces}) REQUIRE(evaluate(run->folder, short_spec()).ok());
    CHECK(contains(measured_words(perplexity_curves({bytes.folder, pieces.folder}).value()), "tokens differ between runs (byte, 320 pieces"));
    CHECK_FALSE(contains(measured_words(perplexity_curves({bytes.folder}).value()), "tokens differ"));
}

TEST_CASE("evaluating refuses what cannot be measured, with the reason", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    EvaluationSpec spec = short_spec("slidng");
    CHECK(contains(evaluate(run.folder, spec).error().message, "sliding"));
    spec = short_spec();
    spec.split = "tests";
    CHECK(contains(evaluate(run.folder, spec).error().message, "split"));
    spec = short_spec();
    spec.lengths = {1 << 20};
    CHECK(contains(evaluate(run.folder, spec).error().message, "long enough"));
    RunContext absent;
    absent.device = "cuda:99";
    CHECK(evaluate(run.folder, short_spec(), -1, absent).error().kind == ErrorKind::unavailable);
    CHECK(evaluate(lab.workspace / "no-such-run", short_spec()).error().kind == ErrorKind::not_found);
    CHECK(contains(evaluate_task(run.folder, {32}).error().message, "not on a task"));
}

TEST_CASE("every protocol takes its own number of scored tokens, whatever a run's recipe holds", "[evaluation][lab]") {
    const TinyLaboratory lab;
    RunInfo run = lab.trained("alibi");
    CHECK(run.recipe.evaluation.scored == 0);
    // Recipes of earlier versions hold the default of last-k as if somebody had asked for it.
    for (const std::int64_t held : {std::int64_t{0}, std::int64_t{16}}) {
        CAPTURE(held);
        run.recipe.evaluation.scored = held;
        EvaluationSpec paper = evaluation_spec(run.recipe, "dape-paper");
        paper.lengths = {32, 512};
        CHECK(evaluate(run.folder, paper).value().protocol.scored == 256);
        CHECK(evaluation_spec(run.recipe, "sliding").stride == 0);
        EvaluationSpec shorter = evaluation_spec(run.recipe);
        shorter.lengths = {16, 64};
        CHECK(evaluate(run.folder, shorter).value().protocol.scored == 8);
        EvaluationSpec usual = evaluation_spec(run.recipe);
        usual.lengths = {32, 128};
        CHECK(evaluate(run.folder, usual).value().protocol.scored == 16);
    }
    run.recipe.evaluation.scored = 10;  // asked for
    CHECK(evaluation_spec(run.recipe).scored == 10);
    CHECK(evaluation_spec(run.recipe, "dape-paper").scored == 0);
    run.recipe.evaluation.protocol = "dape-paper";
    CHECK(evaluation_spec(run.recipe, "dape-paper").scored == 10);
}

TEST_CASE("one damaged file hides neither the other runs' curves nor the other protocols", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo whole = lab.trained("alibi"), damaged = lab.trained("rope");
    for (const RunInfo& run : {whole, damaged}) {
        REQUIRE(evaluate(run.folder, short_spec()).ok());
        REQUIRE(evaluate(run.folder, short_spec("sliding")).ok());
    }
    write_file(RunFolder(damaged.folder).evaluation_folder() / "last-k.json", "{");
    const CurveSet curves = perplexity_curves({whole.folder, damaged.folder}).value();
    CHECK(curves.lines.size() == 1);
    CHECK(curves.missing == std::vector<std::string>{damaged.title});
    REQUIRE(curves.problems.size() == 1);
    CHECK(contains(curves.problems.front(), "last-k.json"));
    CHECK(perplexity_curves({whole.folder, damaged.folder}, "sliding").value().lines.size() == 2);
    CHECK(contains(compare({whole.folder, damaged.folder}).error().message, "not a readable evaluation"));
}

TEST_CASE("a broken evaluation file is named, not skipped", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    REQUIRE(evaluate(run.folder, short_spec()).ok());
    const auto file = RunFolder(run.folder).evaluation_folder() / "last-k.json";
    write_file(file, read_file(file).substr(0, 500));
    const auto broken = read_evaluations(run.folder);
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().kind == ErrorKind::corrupt_file);
    CHECK(contains(broken.error().message, "last-k.json"));
    // Evaluating again repairs it.
    REQUIRE(evaluate(run.folder, short_spec()).ok());
    CHECK(read_evaluations(run.folder).ok());
}

TEST_CASE("a run trained on a task is measured by accuracy at each length", "[evaluation][lab]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("alibi");
    recipe.data.source = "task:copy";
    recipe.training.steps = 2;
    const RunInfo run = train(recipe, lab.workspace).value();
    CHECK_FALSE(read_task_evaluation(run.folder).value().has_value());
    const TaskEvaluation measured = evaluate_task(run.folder, {32, 64}, 16).value();
    CHECK(measured.complete);
    CHECK(measured.step == 2);
    const std::vector<TaskPoint>& points = measured.points;
    REQUIRE(points.size() == 2);
    CHECK(points[0].length == 32);
    CHECK(points[1].length == 64);
    for (const TaskPoint& point : points) {
        CHECK(point.examples == 16);
        CHECK(point.low <= point.token_accuracy);
        CHECK(point.token_accuracy <= point.high);
    }
    CHECK(contains(evaluate(run.folder, short_spec()).error().message, "accuracy"));
    const TaskEvaluation kept = read_task_evaluation(run.folder).value().value();
    CHECK(kept.source == "task:copy");
    REQUIRE(kept.points.size() == 2);
    CHECK(kept.points[1].exact_high == points[1].exact_high);
    CHECK(kept.points[1].low == points[1].low);
    CHECK(kept.train_length == recipe.training.length);
    REQUIRE((kept.train && kept.validation));
    CHECK(kept.train->examples == 16);
    CHECK(kept.validation->token_accuracy == measured.validation->token_accuracy);
    CHECK(read_evaluations(run.folder).value().empty());  // accuracies are no perplexities
    CHECK_FALSE(evaluate_task(run.folder, {32}, 0).ok());
}

TEST_CASE("a task of the Chomsky-hierarchy benchmark is trained, measured at its usual lengths, and shown in maps", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const auto& all = tasks();
    const auto info = std::find_if(all.begin(), all.end(), [](const TaskInfo& task) { return task.id == "duplicate-string"; });
    Recipe recipe = lab.recipe("alibi");
    recipe.scheme = task_recipe(*info, recipe.scheme).scheme;
    recipe.data = task_recipe(*info, recipe.scheme).data;
    recipe.training.length = 8;
    recipe.training.steps = 3;
    const RunInfo run = train(recipe, lab.workspace).value();
    const TaskEvaluation measured = evaluate_task(run.folder, {}, 8).value();
    CHECK(measured.train_length == 8);
    CHECK(measured.points.front().length == 2);
    CHECK(measured.points.back().length == 40);
    CHECK(generalisation_score(measured.points, 8).lengths == 8);
    const TokenText text = read_text(run.folder, {.text = {}, .document = {}, .offset = 0, .length = 32}).value();
    CHECK(text.ids.size() == 30);  // ten bits and their copy twice
    CHECK(open_maps({.run = run.folder, .step = -1, .text = {.text = {}, .document = {}, .offset = 0, .length = 32}}).ok());
}

TEST_CASE("a task is measured at the checkpoint asked for, and a cancel keeps the lengths that were finished", "[evaluation][lab]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("alibi");
    recipe.data.source = "task:copy";
    recipe.training.steps = 6;
    const RunInfo run = train(recipe, lab.workspace).value();
    CHECK(evaluate_task(run.folder, {32}, 4, 3).value().step == 3);
    CHECK(evaluate_task(run.folder, {32}, 4, 5).error().kind == ErrorKind::not_found);
    std::filesystem::remove(RunFolder(run.folder).evaluation_folder() / "task.json");
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.progress = [&](const Progress& progress) {
        if (progress.stage == "Task at 64") stop.request_stop();
    };
    const TaskEvaluation cut = evaluate_task(run.folder, {32, 64, 128}, 200, -1, context).value();
    CHECK_FALSE(cut.complete);
    REQUIRE(cut.points.size() == 1);
    const TaskEvaluation kept = read_task_evaluation(run.folder).value().value();
    CHECK_FALSE(kept.complete);
    CHECK(kept.points.size() == 1);
    // What is whole stays.
    CHECK(evaluate_task(run.folder, {32, 64}, 4).value().complete);
    std::stop_source at_once;
    at_once.request_stop();
    context.stop = at_once.get_token();
    CHECK_FALSE(evaluate_task(run.folder, {32}, 4, -1, context).value().complete);
    CHECK(read_task_evaluation(run.folder).value().value().points.size() == 2);
}
