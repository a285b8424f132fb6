/// Golden numbers of the protocols: windows and totals of the production code against an independent reference.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"

#include "core/evaluation/position_loss.h"
#include "core/evaluation/protocol.h"

#include <set>

using namespace lw;
using namespace lw::test;

namespace {

struct Measured {
    LossSum sum;
    double contexts = 0;
};

/// What the mock model gives on a plan's windows; a begin-of-sequence token counts as one token of context.
Measured measure(const LengthPlan& plan, const Loss& loss, bool bos) {
    Measured out;
    for (const Window& window : plan.windows) {
        for (std::int64_t token = window.scored_begin; token < window.end; ++token) {
            const std::int64_t context = token - window.begin + (bos ? 1 : 0);
            out.sum.add(loss(token, context));
            out.contexts += static_cast<double>(context);
        }
    }
    return out;
}

ProtocolRequest request_of(const json& item) {
    const json& inputs = item.at("inputs");
    ProtocolRequest request;
    request.documents = {{"text", inputs.at("N").get<std::int64_t>()}};
    request.lengths = {inputs.at("T").get<std::int64_t>()};
    request.scored = inputs.value("k", std::int64_t{0});
    request.stride = inputs.value("stride", std::int64_t{0});
    request.bos = item.at("params").value("bos", false);
    return request;
}

LengthPlan plan_of(const std::string& protocol, const ProtocolRequest& request) { return find_protocol(protocol).plan(request).lengths.front(); }

MockLoss mock_of(const json& item) {
    const json& mock = item.at("inputs").at("mock");
    return {mock.at("a").get<double>(), mock.at("b").get<double>(), mock.at("e").get<double>()};
}

}  // namespace

TEST_CASE("every golden case of the file is known to a test", "[evaluation][golden]") {
    // LongPPL is no protocol of the program; its case is left out on purpose.
    const std::set<std::string> tested = {"ppl", "stats", "tests", "loc", "longppl"};
    for (const json& item : golden_cases()) {
        const auto id = item.at("id").get<std::string>();
        CHECK(tested.count(id.substr(0, id.find('-'))) == 1);
    }
    CHECK(golden_cases().size() == 42);
}

TEST_CASE("non-overlapping windows give the golden perplexities", "[evaluation][golden]") {
    const auto cases = golden_cases("ppl-non-overlapping");
    REQUIRE(cases.size() == 4);
    for (const json& item : cases) {
        const ProtocolRequest request = request_of(item);
        const Measured got = measure(plan_of("non-overlapping", request), mock_of(item), request.bos);
        check_golden(item, "sum_nll", got.sum.nll);
        check_golden(item, "ppl", got.sum.perplexity());
        check_golden(item, "mean_context", got.contexts / static_cast<double>(got.sum.tokens));
        CHECK(got.sum.tokens == item.at("expect").at("count").get<std::int64_t>());
    }
}

TEST_CASE("sliding windows give the golden windows and perplexities", "[evaluation][golden]") {
    const auto cases = golden_cases("ppl-sliding");
    REQUIRE(cases.size() == 5);
    for (const json& item : cases) {
        const LengthPlan plan = plan_of("sliding", request_of(item));
        const Measured got = measure(plan, mock_of(item), false);
        CAPTURE(item.at("id").get<std::string>());
        check_golden(item, "sum_nll", got.sum.nll);
        check_golden(item, "ppl", got.sum.perplexity());
        CHECK(got.sum.tokens == item.at("expect").at("count").get<std::int64_t>());
        std::vector<std::vector<std::int64_t>> windows;
        std::int64_t least = plan.length;
        for (const Window& window : plan.windows) {
            windows.push_back({window.begin, window.end, window.scored()});
            if (window.begin > 0) least = std::min(least, window.scored_begin - window.begin);
        }
        CHECK(windows == item.at("expect").at("windows_begin_end_scored").get<std::vector<std::vector<std::int64_t>>>());
        if (windows.size() > 1) CHECK(least == item.at("expect").at("min_context_after_first_window").get<std::int64_t>());
    }
}

TEST_CASE("the last k tokens give the golden perplexities at every length", "[evaluation][golden]") {
    const auto cases = golden_cases("ppl-last-k");
    REQUIRE(cases.size() == 3);
    for (const json& item : cases) {
        ProtocolRequest request = request_of(item);
        request.places = 1;
        const Measured got = measure(plan_of("last-k", request), mock_of(item), false);
        check_golden(item, "sum_nll", got.sum.nll);
        check_golden(item, "ppl", got.sum.perplexity());
        CHECK(got.sum.tokens == item.at("expect").at("count").get<std::int64_t>());
    }
}

TEST_CASE("the evaluator gives the golden perplexities of all lengths in one go", "[evaluation][golden]") {
    const NumberedDocuments text({64});
    EvaluationJob job = job_for(text, "last-k", {16, 32, 64});
    job.head.protocol.scored = 8;
    MockScorer scorer{MockLoss{}};
    const Evaluation got = run_evaluation(job, scorer);
    const auto cases = golden_cases("ppl-last-k");
    REQUIRE(got.points.size() == 3);
    for (std::size_t n = 0; n < 3; ++n) {
        check_golden(cases[n], "ppl", got.points[n].perplexity);
        CHECK(got.points[n].tokens == 8);
    }
}

TEST_CASE("the DAPE paper's protocol gives its code's batch losses", "[evaluation][golden]") {
    const auto cases = golden_cases("ppl-dape-paper");
    REQUIRE(cases.size() == 2);
    for (const json& item : cases) {
        const std::vector<double> nll = numbers(item.at("inputs").at("batch_nll"));
        ProtocolRequest request;
        request.documents = {{"text", 3 * 12 + 1}};  // three sequences of 12 inputs and 12 targets
        request.lengths = {12};
        request.scored = item.at("params").at("k").get<std::int64_t>();
        const LengthPlan plan = plan_of("dape-paper", request);
        REQUIRE(plan.windows.size() == 3);
        const std::vector<double> expected = numbers(item.at("expect").at("batch_loss"));
        LossSum all;
        for (std::size_t n = 0; n < 3; ++n) {
            const Window& window = plan.windows[n];
            LossSum sum;
            for (std::int64_t token = window.scored_begin; token < window.end; ++token) {
                sum.add(nll[12 * n + static_cast<std::size_t>(token - window.begin - 1)]);
            }
            CHECK(sum.mean() == Approx(expected[n]).epsilon(1e-12));
            CHECK(sum.tokens == item.at("expect").at("tokens_per_batch").get<std::int64_t>());
            all += sum;
        }
        check_golden(item, "loss", all.mean());
        check_golden(item, "ppl", all.perplexity());
    }
}

TEST_CASE("a uniform model has a perplexity of exactly its vocabulary", "[evaluation][golden]") {
    const auto cases = golden_cases("ppl-uniform");
    REQUIRE(cases.size() == 2);
    for (const json& item : cases) {
        const double vocabulary = item.at("inputs").at("mock").at("vocabulary").get<double>();
        const auto uniform = [&](std::int64_t, std::int64_t) { return std::log(vocabulary); };
        const auto perplexity = [&](const std::string& protocol, bool bos) {
            ProtocolRequest request = request_of(item);
            request.bos = bos;
            return measure(plan_of(protocol, request), uniform, bos).sum.perplexity();
        };
        check_golden(item, "non_overlapping", perplexity("non-overlapping", false));
        check_golden(item, "non_overlapping_bos", perplexity("non-overlapping", true));
        check_golden(item, "sliding", perplexity("sliding", false));
    }
}

TEST_CASE("perplexity weights tokens, not documents", "[evaluation][golden]") {
    const json item = golden_cases("ppl-documents").at(0);
    std::vector<LossSum> documents;
    for (const json& losses : item.at("inputs").at("document_nll")) {
        documents.emplace_back();
        for (const double loss : losses.get<std::vector<double>>()) documents.back().add(loss);
    }
    check_golden(item, "ppl", total(documents).perplexity());
    CHECK(total(documents).tokens == 13);
    CHECK(std::abs(total(documents).perplexity() - item.at("expect").at("wrong_mean_of_document_ppl").get<double>()) > 1);
}

TEST_CASE("position losses are means over documents at each position", "[evaluation][golden]") {
    const json item = golden_cases("ppl-positionwise").at(0);
    const std::vector<double> nll = numbers(item.at("inputs").at("nll"));
    PositionLoss positions({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    PositionLoss wide({0, 4, 10});
    for (std::size_t n = 0; n < nll.size(); ++n) {
        positions.add(static_cast<std::int64_t>(n % 10), nll[n]);
        wide.add(static_cast<std::int64_t>(n % 10), nll[n]);
    }
    const std::vector<double> expected = numbers(item.at("expect").at("position_mean"));
    const std::vector<double> cumulative = numbers(item.at("expect").at("cumulative"));
    REQUIRE(positions.means().size() == 10);
    for (std::size_t n = 0; n < 10; ++n) CHECK(positions.means()[n] == Approx(expected[n]).epsilon(1e-12));
    CHECK(wide.means()[0] == Approx(cumulative[3]).epsilon(1e-12));
    CHECK((4 * wide.means()[0] + 6 * wide.means()[1]) / 10 == Approx(cumulative[9]).epsilon(1e-12));
}
