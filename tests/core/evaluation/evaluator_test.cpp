/// The evaluator: any protocol over any source of losses, intervals and their unit, cancel, models that end early.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"

#include "core/attention/poll.h"
#include "core/evaluation/position_loss.h"

#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a uniform model's perplexity is its vocabulary by every protocol, length and stride", "[evaluation]") {
    const NumberedDocuments text({900, 417, 1300});
    for (const double vocabulary : {50.0, 257.0, 1024.0}) {
        for (const char* protocol : {"last-k", "dape-paper", "non-overlapping", "sliding"}) {
            for (const std::int64_t stride : {1, 7, 16}) {
                EvaluationJob job = job_for(text, protocol, {16, 33, 128});
                job.head.protocol.stride = stride;
                job.head.protocol.documents = 6;
                MockScorer scorer([&](std::int64_t, std::int64_t) { return std::log(vocabulary); });
                const Evaluation got = run_evaluation(job, scorer);
                REQUIRE(got.points.size() == 3);
                for (const LengthPoint& point : got.points) {
                    CAPTURE(protocol, stride, point.length);
                    CHECK(point.perplexity == Approx(vocabulary).epsilon(1e-12));
                    CHECK(point.low == Approx(vocabulary).epsilon(1e-12));
                    CHECK(point.high == Approx(vocabulary).epsilon(1e-12));
                }
            }
        }
    }
}

TEST_CASE("with last-k only context changes between lengths", "[evaluation]") {
    const NumberedDocuments text({4000, 3000, 2600});
    MockScorer by_token([](std::int64_t token, std::int64_t) { return 1.0 + 0.01 * static_cast<double>(token % 97); });
    const Evaluation same = run_evaluation(job_for(text, "last-k", {64, 256, 1024}), by_token);
    REQUIRE(same.points.size() == 3);
    CHECK(same.points[1].perplexity == same.points[0].perplexity);
    CHECK(same.points[2].perplexity == same.points[0].perplexity);
    CHECK(same.points[2].document_loss == same.points[0].document_loss);
    MockScorer by_context([](std::int64_t, std::int64_t context) { return 3.0 - 0.001 * static_cast<double>(context); });
    const Evaluation falling = run_evaluation(job_for(text, "last-k", {64, 256, 1024}), by_context);
    CHECK(falling.points[0].perplexity > falling.points[1].perplexity);
    CHECK(falling.points[1].perplexity > falling.points[2].perplexity);
}

TEST_CASE("what was measured before at the same places is taken over", "[evaluation]") {
    const NumberedDocuments text({4000, 3000, 2600});
    MockScorer old([](std::int64_t, std::int64_t) { return 1.0; }), fresh([](std::int64_t, std::int64_t) { return 2.0; });
    EvaluationJob job = job_for(text, "last-k", {64, 256, 1024});
    Evaluation begun = run_evaluation(job, old);
    begun.points.pop_back();
    job.known = begun;
    const Evaluation got = run_evaluation(job, fresh);
    REQUIRE(got.points.size() == 3);
    CHECK(got.points[0].loss == 1.0);
    CHECK(got.points[1].loss == 1.0);
    CHECK(got.points[2].loss == 2.0);
    // Another longest length means other places: all is measured anew.
    EvaluationJob longer = job_for(text, "last-k", {64, 256, 2048});
    longer.known = begun;
    CHECK(run_evaluation(longer, fresh).points.front().loss == 2.0);
}

TEST_CASE("losses by position are taken over with the longest length", "[evaluation]") {
    const NumberedDocuments text({4000, 3000, 2600});
    MockScorer scorer([](std::int64_t, std::int64_t) { return 1.0; });
    scorer.positions = true;
    EvaluationJob job = job_for(text, "last-k", {64, 256});
    const Evaluation whole = run_evaluation(job, scorer);
    REQUIRE_FALSE(whole.position_loss.empty());
    REQUIRE_FALSE(whole.boundary_loss.empty());
    scorer.calls = 0;
    job.known = whole;
    const Evaluation got = run_evaluation(job, scorer);
    CHECK(scorer.calls == 0);
    CHECK(got.position_edges == whole.position_edges);
    CHECK(got.position_loss == whole.position_loss);
    CHECK(got.boundary_edges == whole.boundary_edges);
    CHECK(got.boundary_loss == whole.boundary_loss);
}

TEST_CASE("a point carries its counts and its losses for each unit", "[evaluation]") {
    const NumberedDocuments text({4000, 3000});
    MockScorer scorer{MockLoss{}};
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 256}), scorer);
    const LengthPoint& point = got.points.front();
    CHECK(point.documents == 2);
    CHECK(point.places == 32);
    CHECK(point.tokens == 32 * 32);
    REQUIRE(point.document_loss.size() == 32);
    LossSum sum;
    for (std::size_t n = 0; n < 32; ++n) {
        sum += {point.document_loss[n] * static_cast<double>(point.document_tokens[n]), point.document_tokens[n]};
    }
    CHECK(sum.perplexity() == Approx(point.perplexity).epsilon(1e-12));
    CHECK(point.perplexity == Approx(std::exp(point.loss)));
    CHECK(got.places.size() == 32);
    CHECK(got.protocol.scored == 32);
    CHECK(got.protocol.lengths == std::vector<std::int64_t>{64, 256});
}

TEST_CASE("with few documents places are resampled, and label and point say so", "[evaluation]") {
    const NumberedDocuments few({4000, 3000});
    MockScorer scorer{MockLoss{}};
    const Evaluation two = run_evaluation(job_for(few, "last-k", {64, 128}), scorer);
    CHECK(two.points.back().warning.empty());
    CHECK(contains(two.protocol_line, "same 32 last tokens at every length, 32 places of 2 documents, no BOS"));
    CHECK(contains(two.protocol_line, "bootstrap over places inside 2 documents"));
    CHECK(contains(two.points.front().warning, "2 documents only"));
    CHECK(two.points.front().document_loss.size() == 32);

    const NumberedDocuments many(std::vector<std::int64_t>(10, 900));
    const Evaluation ten = run_evaluation(job_for(many, "last-k", {64}), scorer);
    CHECK(contains(ten.protocol_line, "bootstrap over documents"));
    CHECK(ten.points.front().warning.empty());
    CHECK(ten.points.front().document_loss.size() == 10);
}

TEST_CASE("without resamples there is no interval, and neither label nor warning speaks of one", "[evaluation]") {
    const NumberedDocuments text({4000, 3000});
    MockScorer scorer{MockLoss{}};
    EvaluationJob job = job_for(text, "last-k", {64});
    job.head.protocol.bootstrap = 0;
    const Evaluation got = run_evaluation(job, scorer);
    CHECK(contains(got.protocol_line, "no interval"));
    CHECK_FALSE(contains(got.protocol_line, "bootstrap"));
    CHECK(got.points.front().low == got.points.front().perplexity);
    CHECK(got.points.front().warning.empty());
}

TEST_CASE("every document that holds a scored token is recorded, also those of short lengths only", "[evaluation]") {
    const NumberedDocuments text({4000, 700, 300});
    MockScorer scorer{MockLoss{}};
    const Evaluation got = run_evaluation(job_for(text, "dape-paper", {64, 512, 2048}), scorer);
    CHECK(got.documents == std::vector<std::string>{"doc/0", "doc/1", "doc/2"});
    CHECK(got.points.front().documents == 3);
    CHECK(got.points.back().documents == 1);
    CHECK(got.unit == "place");
}

TEST_CASE("a stop inside a pass through the model keeps the points before it", "[evaluation]") {
    const NumberedDocuments text({4000});
    MockScorer stopped([](std::int64_t, std::int64_t context) -> double {
        if (context > 100) throw Failure(ErrorKind::cancelled, "stopped");
        return 2.0;
    });
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 256}), stopped);
    CHECK(got.points.size() == 1);
    CHECK_FALSE(got.complete);
    CHECK(got.points.back().warning.find("left out") == std::string::npos);
}

TEST_CASE("a stop while a length's interval is made keeps the points before it", "[evaluation]") {
    const NumberedDocuments text({4000, 3000});
    const auto measure = [&](const RunContext& context) {
        MockScorer scorer{MockLoss{}};
        return run_evaluation(job_for(text, "last-k", {64, 128}), scorer, context);
    };
    int batches = 0, served = 0;
    RunContext counting;
    counting.serve = [&] { ++batches; };
    REQUIRE(measure(counting).points.size() == 2);

    std::stop_source stop;
    RunContext stopping, polled;
    stopping.stop = polled.stop = stop.get_token();
    stopping.serve = [&] {
        if (++served == batches) stop.request_stop();  // all is scored, and the interval of 128 comes next
    };
    const PollScope polling(polled);
    const Evaluation got = measure(stopping);
    CHECK(served == batches);
    CHECK(got.points.size() == 1);
    CHECK_FALSE(got.complete);
}

TEST_CASE("documents that differ widen the interval", "[evaluation]") {
    const NumberedDocuments text(std::vector<std::int64_t>(10, 900));
    EvaluationJob job = job_for(text, "last-k", {64});
    MockScorer even([](std::int64_t, std::int64_t) { return 3.0; });
    const LengthPoint narrow = run_evaluation(job, even).points.front();
    CHECK(narrow.low == Approx(narrow.high).epsilon(1e-12));
    // Later places have larger token numbers, so documents of different length differ here.
    const NumberedDocuments uneven({900, 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800});
    job = job_for(uneven, "last-k", {64});
    MockScorer varied([](std::int64_t token, std::int64_t) { return 0.002 * static_cast<double>(token); });
    const LengthPoint wide = run_evaluation(job, varied).points.front();
    CHECK(wide.low < wide.perplexity);
    CHECK(wide.perplexity < wide.high);
}

TEST_CASE("cancelling keeps the points that were finished", "[evaluation]") {
    const NumberedDocuments text({4000, 3000});
    MockScorer scorer{MockLoss{}};
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    int points = 0;
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 128, 256}), scorer, context, [&](const Evaluation& so_far) {
        CHECK(so_far.points.size() == static_cast<std::size_t>(++points));
        if (points == 2) stop.request_stop();
    });
    CHECK(points == 2);
    CHECK(got.points.size() == 2);
    CHECK_FALSE(got.complete);
    CHECK(got.points[1].length == 128);
}

TEST_CASE("progress counts tokens up to their total and serves between batches", "[evaluation]") {
    const NumberedDocuments text({4000, 3000});
    MockScorer scorer{MockLoss{}};
    RunContext context;
    double last = -1;
    double total_tokens = 0;
    std::int64_t served = 0;
    context.progress = [&](const Progress& progress) {
        CHECK(progress.done >= last);
        last = progress.done;
        total_tokens = progress.total;
    };
    context.serve = [&] { ++served; };
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 256}), scorer, context);
    CHECK(got.complete);
    CHECK(total_tokens == 32 * (64 + 256));
    CHECK(last == total_tokens);
    CHECK(served == scorer.calls);
}

TEST_CASE("short windows go through the model together, within the token limit", "[evaluation]") {
    const NumberedDocuments text({4000, 3000});
    MockScorer scorer{MockLoss{}};
    (void)run_evaluation(job_for(text, "last-k", {64}), scorer);
    CHECK(scorer.calls == 8);  // 32 windows of 64 tokens, 256 tokens a call
    CHECK(scorer.largest_call == 256);
}

TEST_CASE("a model whose positions end keeps its shorter points", "[evaluation]") {
    const NumberedDocuments text({4000});
    MockScorer bounded(MockLoss{}, 128);
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 128, 256, 512}), bounded);
    REQUIRE(got.points.size() == 2);
    CHECK(contains(got.points.back().warning, "256 and longer left out: the table ends"));
    MockScorer nothing(MockLoss{}, 8);
    CHECK_THROWS_AS(run_evaluation(job_for(text, "last-k", {64}), nothing), Failure);
}

TEST_CASE("a loss that is not a number is kept as such and named", "[evaluation]") {
    const NumberedDocuments text({4000});
    MockScorer broken([](std::int64_t, std::int64_t context) { return context > 100 ? std::numeric_limits<double>::quiet_NaN() : 2.0; });
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 256}), broken);
    REQUIRE(got.points.size() == 2);
    CHECK(got.points[0].perplexity == Approx(std::exp(2.0)));
    CHECK(std::isnan(got.points[1].perplexity));
    CHECK(contains(got.points[1].warning, "not a finite number"));
}

TEST_CASE("position losses show where a model breaks", "[evaluation]") {
    const NumberedDocuments text({4000});
    MockScorer breaks([](std::int64_t, std::int64_t context) { return context < 128 ? 2.0 : 5.0; });
    breaks.positions = true;
    const Evaluation got = run_evaluation(job_for(text, "last-k", {64, 512}), breaks);
    REQUIRE(got.position_edges.size() == got.position_loss.size() + 1);
    CHECK(got.position_edges.back() == 512);
    for (std::size_t n = 0; n < got.position_loss.size(); ++n) {
        CHECK(got.position_loss[n] == Approx(got.position_edges[n] < 128 ? 2.0 : 5.0));
    }
    REQUIRE(got.boundary_edges.size() == got.boundary_loss.size() + 1);
    for (std::size_t n = 0; n < got.boundary_loss.size(); ++n) {
        const auto begin = got.boundary_edges[n], last = got.boundary_edges[n + 1] - 1;
        if (last < 128) CHECK(got.boundary_loss[n] == Approx(2.0));
        if (begin >= 128) CHECK(got.boundary_loss[n] == Approx(5.0));
    }
    CHECK(std::count(got.boundary_edges.begin(), got.boundary_edges.end(), 65) == 1);  // L + 1
    // Scoring every row changes nothing of the scored ones.
    MockScorer plain([](std::int64_t, std::int64_t context) { return context < 128 ? 2.0 : 5.0; });
    const Evaluation without = run_evaluation(job_for(text, "last-k", {64, 512}), plain);
    CHECK(without.position_loss.empty());
    CHECK(without.points.back().perplexity == got.points.back().perplexity);
}
