/// LongPPL of real runs: kept like any evaluation, compared where one run marked the key tokens, and refused with a reason.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "tests/core/training/tiny_run.h"

#include <cmath>
#include <limits>

using namespace lw;

namespace {

/// Hardly trained models know nothing that would help by 2 nats: any gain makes a key token here.
EvaluationSpec key_spec(const std::filesystem::path& evaluator = {}) {
    EvaluationSpec spec = short_spec("longppl");
    spec.keys.evaluator = evaluator;
    spec.keys.short_context = 8;
    spec.keys.gain = 0;
    spec.keys.probability = -20;
    return spec;
}

std::string refusal(const std::filesystem::path& run, const EvaluationSpec& spec) {
    const auto got = evaluate(run, spec);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().kind == ErrorKind::invalid_argument);
    return got.error().message;
}

}  // namespace

TEST_CASE("LongPPL of a run is kept as an evaluation with who marked its key tokens", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    const Evaluation got = evaluate(run.folder, key_spec()).value();
    REQUIRE(got.points.size() == 2);
    REQUIRE(got.keys);
    CHECK(got.keys->run == run.id);
    CHECK(got.keys->step == 3);
    CHECK(got.protocol.keys.short_context == 8);
    for (const LengthPoint& point : got.points) {
        CHECK(point.tokens > 0);
        CHECK(point.tokens < point.candidates);
        CHECK(point.candidates == 6 * got.protocol.scored);
        CHECK(std::isfinite(point.perplexity));
        CHECK(std::isfinite(point.all_loss));
    }
    const auto kept = read_evaluations(run.folder).value();
    REQUIRE(kept.size() == 1);
    CHECK(kept.front().protocol.protocol == "longppl");
    CHECK(kept.front().points[1].tokens == got.points[1].tokens);
    CHECK(kept.front().points[1].candidates == got.points[1].candidates);
    const CurveSet curves = perplexity_curves({run.folder}, "longppl").value();
    REQUIRE(curves.lines.size() == 1);
    CHECK(curves.y_label == "LongPPL");
    CHECK(curves.lines[0].candidates.size() == 2);
    // The short context is a quarter of L unless another is asked for.
    EvaluationSpec usual = key_spec();
    usual.keys.short_context = 0;
    CHECK(evaluate(run.folder, usual).value().protocol.keys.short_context == run.recipe.training.length / 4);
}

TEST_CASE("runs compare by LongPPL where one of them marked the key tokens of both", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo first = lab.trained("alibi"), second = lab.trained("rope");
    REQUIRE(evaluate(first.folder, key_spec()).ok());
    REQUIRE(evaluate(second.folder, key_spec()).ok());
    const auto refused = compare({first.folder, second.folder}, "longppl");
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message, Catch::Contains("marked by"));
    const Evaluation marked = evaluate(second.folder, key_spec(first.folder)).value();
    CHECK(marked.keys->run == first.id);
    const Evaluation own = read_evaluations(first.folder).value().front();
    REQUIRE(marked.points.size() == own.points.size());
    for (std::size_t n = 0; n < own.points.size(); ++n) {
        CHECK(marked.points[n].document_tokens == own.points[n].document_tokens);
        CHECK(marked.points[n].loss != own.points[n].loss);
    }
    CHECK(compare({first.folder, second.folder}, "longppl").value().size() == 2);
    // The run itself as evaluator is the same measurement.
    const Evaluation itself = evaluate(first.folder, key_spec(first.folder)).value();
    CHECK(itself.points[1].loss == own.points[1].loss);
    CHECK(itself.protocol_line == own.protocol_line);
}

TEST_CASE("LongPPL refuses what cannot be measured, with the reason", "[evaluation][lab]") {
    const TinyLaboratory lab;
    const RunInfo run = lab.trained("alibi");
    EvaluationSpec spec = key_spec();
    spec.lengths = {8};
    CHECK_THAT(refusal(run.folder, spec), Catch::Contains("length 8 must be at least two tokens longer than the short context of 8 tokens"));
    spec = key_spec();
    spec.lengths = {1 << 20};
    CHECK_THAT(refusal(run.folder, spec), Catch::Contains("long enough"));
    spec = key_spec();
    spec.keys.gain = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(refusal(run.folder, spec), Catch::Contains("finite"));
    spec = key_spec();
    spec.keys.gain = 50;
    CHECK_THAT(refusal(run.folder, spec), Catch::Contains("is a key token"));
    spec = key_spec();
    spec.keys.short_context = -3;
    CHECK_THAT(refusal(run.folder, spec), Catch::Contains("short context is -3"));

    Recipe pieces = lab.recipe("alibi");
    pieces.training.steps = 3;
    pieces.data.tokenizer = "bpe";
    pieces.data.vocabulary = 320;
    CHECK_THAT(refusal(run.folder, key_spec(train(pieces, lab.workspace).value().folder)), Catch::Contains("other tokens (320 pieces"));
    Recipe copy = lab.recipe("alibi");
    copy.training.steps = 3;
    copy.data.source = "task:copy";
    const RunInfo task = train(copy, lab.workspace).value();
    CHECK_THAT(refusal(run.folder, key_spec(task.folder)), Catch::Contains("cannot mark key tokens"));
    CHECK_THAT(refusal(task.folder, key_spec()), Catch::Contains("accuracy"));
    CHECK(evaluate(run.folder, key_spec(lab.workspace / "no-such-run")).error().kind == ErrorKind::not_found);
}
