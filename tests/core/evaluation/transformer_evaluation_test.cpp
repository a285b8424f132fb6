/// Perplexity of real, tiny transformers: the evaluator's losses are the model's own, and tasks are counted right.
#include "tests/support/catch_torch.h"

#include "core/evaluation/evaluator.h"
#include "core/evaluation/task_accuracy.h"
#include "core/evaluation/transformer_scorer.h"
#include "tests/core/evaluation/mock_scorer.h"
#include "tests/support/small_model.h"

using namespace lw;
using namespace lw::test;

namespace {

EvaluationJob job_over(const std::vector<std::int32_t>& tokens, const std::vector<std::int64_t>& lengths) {
    EvaluationJob job = job_for({{"doc", tokens}}, "last-k", lengths);
    job.head.protocol.documents = 5;
    return job;
}

DataSpec copy_task() {
    DataSpec data;
    data.source = "task:copy";
    return data;
}

}  // namespace

TEST_CASE("evaluated losses are the model's own on the same windows", "[evaluation][model]") {
    const auto tokens = random_document(400);
    for (const char* preset : {"rope", "alibi", "dape-kerple"}) {
        CAPTURE(preset);
        Transformer model(small_model(), scheme(preset), 16, 1);
        model.eval();
        TransformerScorer scorer(model);
        const Evaluation got = run_evaluation(job_over(tokens, {16, 64}), scorer);
        REQUIRE(got.points.size() == 2);
        const at::NoGradGuard no_gradients;
        const at::Tensor all = at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end()));  // [N]
        for (const LengthPoint& point : got.points) {
            double sum = 0;
            for (const ScoredPlace& place : got.places) {
                const at::Tensor window = all.slice(0, place.end - point.length, place.end).unsqueeze(0);  // [1, T]
                at::Tensor targets = window.slice(1, 1).clone();                                           // [1, T - 1]
                targets.slice(1, 0, targets.size(1) - got.protocol.scored).fill_(-100);
                sum += model.loss(window.slice(1, 0, point.length - 1), targets).item<double>();
            }
            CHECK(point.loss == Approx(sum / static_cast<double>(got.places.size())).epsilon(1e-5));
        }
        CHECK(got.points[0].tokens == got.points[1].tokens);
        CHECK_FALSE(got.position_loss.empty());
    }
}

TEST_CASE("learned positions end the curve at their table and say so", "[evaluation][model]") {
    const auto tokens = random_document(400);
    Transformer model(small_model(), scheme("learned"), 16, 1);
    model.eval();
    TransformerScorer scorer(model);
    const Evaluation got = run_evaluation(job_over(tokens, {16, 64}), scorer);
    REQUIRE(got.points.size() == 1);
    CHECK(got.points[0].warning.find("64 and longer left out") != std::string::npos);
}

TEST_CASE("batching windows does not change their losses", "[evaluation][model]") {
    const auto tokens = random_document(200);
    Transformer model(small_model(), scheme("dape-kerple"), 16, 1);
    model.eval();
    TransformerScorer scorer(model);
    const TokenSpan text(tokens);
    const auto together = scorer.score({text.subspan(0, 40), text.subspan(40, 40), text.subspan(80, 40)}, 8);
    const auto alone = scorer.score({text.subspan(80, 40)}, 8);
    const auto every = scorer.score({text.subspan(80, 40)}, 39);
    REQUIRE(together.size() == 3);
    REQUIRE(every.front().size() == 39);
    for (std::size_t n = 0; n < 8; ++n) {
        CHECK(together[2][n] == Approx(alone[0][n]).epsilon(1e-5));
        CHECK(every[0][31 + n] == Approx(alone[0][n]).epsilon(1e-5));
    }
}

TEST_CASE("task accuracy of an untrained model lies near chance and inside its interval", "[evaluation][task]") {
    const auto task = open_task(copy_task());
    Transformer model(small_model(task->tokenizer()->size()), scheme("alibi"), 32, 1);
    model.eval();
    const auto point = measure_task(model, *task, 32, 64, 1);
    REQUIRE(point);
    CHECK(point->length == 32);
    CHECK(point->examples == 64);
    CHECK(point->low <= point->token_accuracy);
    CHECK(point->token_accuracy <= point->high);
    CHECK(point->token_accuracy < 0.5);
    CHECK(point->exact_match <= point->token_accuracy);
    CHECK(point->chance > 0);
    const auto again = measure_task(model, *task, 32, 64, 1);
    CHECK(again->token_accuracy == point->token_accuracy);
}

TEST_CASE("a cancelled task measurement gives nothing", "[evaluation][task]") {
    const auto task = open_task(copy_task());
    Transformer model(small_model(task->tokenizer()->size()), scheme("alibi"), 32, 1);
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    CHECK_FALSE(measure_task(model, *task, 32, 64, 1, context));
}

TEST_CASE("answers of one example hang together, so the interval goes over examples", "[evaluation][task]") {
    // Ten examples of 100 answers each, half of them all right and half all wrong: as uncertain as ten throws of a coin.
    std::vector<TaskAnswers> clustered;
    for (int n = 0; n < 10; ++n) clustered.push_back({n % 2 == 0 ? 100 : 0, 100, n < 4 ? 0 : 1});
    const TaskPoint wide = task_point(64, clustered, 0.1, {0.0, 0.5, 1.0});
    CHECK(wide.token_accuracy == 0.5);
    CHECK(wide.high - wide.low > 0.4);
    CHECK(wide.exact_match == 0.5);
    CHECK(wide.exact_low == Approx(0.2366).margin(1e-3));  // Wilson, 5 of 10
    CHECK(wide.exact_high == Approx(0.7634).margin(1e-3));
    CHECK(wide.examples == 10);
    REQUIRE(wide.depths.size() == 2);  // nothing stood at 1
    CHECK(wide.depths[0].examples == 4);
    CHECK(wide.depths[1].depth == 0.5);
    CHECK(wide.depths[1].token_accuracy == 0.5);
    // All right: the interval does not shrink to nothing, and it does not count the 1,000 answers as 1,000 trials.
    const TaskPoint perfect = task_point(64, std::vector<TaskAnswers>(10, TaskAnswers{100, 100}), 0.1);
    CHECK(perfect.token_accuracy == 1);
    CHECK(perfect.high == 1);
    CHECK(perfect.low == Approx(0.7225).margin(1e-3));
}

TEST_CASE("what does not count is trained and not measured", "[evaluation][task]") {
    Batch batch{at::tensor(std::vector<std::int64_t>{0, 1, 3, 3}).unsqueeze(0), at::tensor(std::vector<std::int64_t>{-100, -100, 2, 0}).unsqueeze(0)};
    const at::Tensor said = at::tensor(std::vector<std::int64_t>{0, 0, 2, 1}).unsqueeze(0);
    CHECK(answers_of(said, batch).front().counted == 2);
    CHECK(answers_of(said, batch).front().right == 1);
    batch.counted = batch.targets.eq(2);
    CHECK(answers_of(said, batch).front().counted == 1);
    CHECK(answers_of(said, batch).front().right == 1);
    Transformer model(small_model(4), scheme("alibi"), 16, 1);
    model.eval();
    const double both = model.loss(batch.tokens, batch.targets).item<double>();
    batch.targets[0][3] = -100;
    CHECK(model.loss(batch.tokens, batch.targets).item<double>() != Approx(both));
}

TEST_CASE("an encoder without mask is measured on a task of the benchmark, at its training and validation examples too", "[evaluation][task]") {
    DataSpec data;
    data.source = "task:stack-manipulation";
    SchemeSpec unmasked = scheme("alibi");
    unmasked.slots["visibility"] = {"full", {}};
    const auto task = open_task(data);
    Transformer model(small_model(task->tokenizer()->size()), unmasked, trained_tokens(data, 10), 1);
    model.eval();
    const auto point = measure_task(model, *task, 20, 50, 1);
    REQUIRE(point);
    CHECK(point->examples == 50);
    CHECK(point->chance == 0.5);
    TrainingSpec training;
    training.length = 10;
    training.batch = 8;
    const auto batches = task_batches(task, 1, 10);
    for (const TaskSplit split : {TaskSplit::train, TaskSplit::validation}) {
        const auto measured = measure_split(model, *task, *batches, training, split, 20);
        REQUIRE(measured);
        CHECK(measured->examples == 20);
        CHECK(measured->length == 10);
    }
}

TEST_CASE("the score is the mean over the lengths above the trained ones", "[evaluation][task]") {
    std::vector<TaskPoint> points(4);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].length = 39 + static_cast<std::int64_t>(i);
        points[i].token_accuracy = 1.0 - 0.25 * static_cast<double>(i);
        points[i].exact_match = 0.5;
    }
    const TaskScore score = generalisation_score(points, 40);
    CHECK(score.lengths == 2);
    CHECK(score.token_accuracy == 0.375);
    CHECK(score.exact_match == 0.5);
    CHECK(generalisation_score(points, 42).lengths == 0);
}
