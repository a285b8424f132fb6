/// LongPPL measured on models: which tokens are keys, what is counted, and what is said where there are few or none.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"
#include "tests/support/small_model.h"

#include "core/attention/poll.h"
#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/key_token_filter.h"
#include "core/evaluation/transformer_scorer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

using namespace lw;
using namespace lw::test;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

EvaluationJob key_job(const std::vector<EvaluatedDocument>& documents, const std::vector<std::int64_t>& lengths, std::int64_t context) {
    EvaluationJob job = job_for(documents, "longppl", lengths);
    job.head.protocol.keys.short_context = context;
    job.head.run = "measured";
    job.head.keys = KeyEvaluator{"measured", "0123456789abcdef", 7};
    return job;
}

/// A model that the long context helps with every seventh token, by 3 nats to a loss of 1.
double helped(std::int64_t token, std::int64_t context) {
    if (token % 7 != 0) return 1.5;
    return context > 8 ? 1.0 : 4.0;
}

/// Documents with tokens of their own: 0 … 999, 1,000 … 1,999 and so on.
std::vector<EvaluatedDocument> apart(const NumberedDocuments& numbered) {
    static std::deque<std::vector<std::int32_t>> kept;
    std::vector<EvaluatedDocument> documents = numbered.documents;
    for (std::size_t n = 0; n < documents.size(); ++n) {
        std::vector<std::int32_t>& tokens = kept.emplace_back(numbered.tokens[n]);
        for (std::int32_t& token : tokens) token += static_cast<std::int32_t>(1000 * n);
        documents[n].tokens = tokens;
    }
    return documents;
}

/// The same where the context has up to 64 tokens; a longer one helps in the first two documents alone.
double helped_in_two(std::int64_t token, std::int64_t context) {
    return token >= 2000 && context > 64 && token % 7 == 0 ? 4.0 : helped(token, context);
}

/// Points, unit and line, but for the time they took.
void check_same(const Evaluation& a, const Evaluation& b) {
    CHECK(a.unit == b.unit);
    CHECK(a.protocol_line == b.protocol_line);
    CHECK(a.complete == b.complete);
    REQUIRE(a.points.size() == b.points.size());
    for (std::size_t n = 0; n < a.points.size(); ++n) {
        const LengthPoint &x = a.points[n], &y = b.points[n];
        CHECK(x.length == y.length);
        CHECK(x.document_loss == y.document_loss);
        CHECK(x.document_tokens == y.document_tokens);
        CHECK(x.low == y.low);
        CHECK(x.high == y.high);
        CHECK(x.warning == y.warning);
    }
}

}  // namespace

TEST_CASE("the measurement agrees with the golden case of LongPPL", "[evaluation][golden]") {
    const auto cases = golden_cases("longppl");
    REQUIRE(cases.size() == 1);
    const json& item = cases.front();
    const auto with_long = numbers(item.at("inputs").at("logp_long")), with_short = numbers(item.at("inputs").at("logp_short"));
    constexpr std::int64_t kTokens = 16, kContext = 4;
    const NumberedDocuments text({kTokens});
    const auto count = static_cast<std::int64_t>(with_long.size());
    MockScorer scorer([&](std::int64_t token, std::int64_t context) {
        const std::int64_t candidate = token - (kTokens - count);
        if (candidate < 0) return 1.0;
        return -(context > kContext ? with_long : with_short)[static_cast<std::size_t>(candidate)];
    });
    EvaluationJob job = key_job(text.documents, {kTokens}, kContext);
    job.head.protocol.scored = count;
    job.head.protocol.documents = 1;
    KeyTokenSpec keys;
    keys.gain = item.at("params").at("alpha").get<double>();
    keys.probability = item.at("params").at("beta").get<double>();
    KeyTokenFilter filter(keys, scorer);
    job.filter = &filter;
    const Evaluation got = run_evaluation(job, scorer);
    REQUIRE(got.points.size() == 1);
    check_golden(item, "longppl", got.points[0].perplexity);
    check_golden(item, "key_share", static_cast<double>(got.points[0].tokens) / static_cast<double>(got.points[0].candidates));
}

TEST_CASE("of the same last tokens those alone count that the long context helps", "[evaluation]") {
    const NumberedDocuments text({900, 800, 700, 400, 400, 400, 400, 400, 400, 400});
    MockScorer scorer(helped);
    EvaluationJob job = key_job(text.documents, {64, 256}, 8);
    KeyTokenFilter filter(job.head.protocol.keys, scorer);
    job.filter = &filter;
    const Evaluation got = run_evaluation(job, scorer);
    REQUIRE(got.points.size() == 2);
    std::int64_t keys = 0, candidates = 0;
    std::set<std::string> documents;
    for (const ScoredPlace& place : got.places) {
        for (std::int64_t token = place.begin; token < place.end; ++token) {
            ++candidates;
            if (token % 7 != 0) continue;
            ++keys;
            documents.insert(place.document);
        }
    }
    for (const LengthPoint& point : got.points) {
        CHECK(point.tokens == keys);
        CHECK(point.candidates == candidates);
        CHECK(point.loss == Approx(1.0));
        CHECK(point.all_loss == Approx((1.5 * static_cast<double>(candidates - keys) + static_cast<double>(keys)) / static_cast<double>(candidates)));
        CHECK(point.documents == static_cast<std::int64_t>(documents.size()));
        CHECK(point.warning.empty());
    }
    CHECK(got.unit == "document");
    CHECK(got.position_loss.empty());
    CHECK(contains(got.protocol_line, "LongPPL, key tokens of the same 32 last tokens"));
    CHECK(contains(got.protocol_line, "against 8 tokens of context, marked by measured at step 7"));
    CHECK(contains(evaluation_json(got), "\"candidates\""));
    const Evaluation read = evaluation_from_json(evaluation_json(got), "here.json");
    CHECK(evaluation_json(read) == evaluation_json(got));
    CHECK(same_keys(read, got));
    Evaluation other = read;
    other.protocol.keys.gain = 1;
    CHECK_FALSE(same_keys(other, got));
    other.keys.reset();
    CHECK_FALSE(same_keys(other, got));
}

TEST_CASE("another model may mark the key tokens, and the losses stay those of the measured one", "[evaluation]") {
    const NumberedDocuments text({900, 800});
    MockScorer marking(helped);
    MockScorer measured([](std::int64_t token, std::int64_t) { return token % 7 == 0 ? 5.0 : 0.5; });
    EvaluationJob job = key_job(text.documents, {64}, 8);
    KeyTokenFilter filter(job.head.protocol.keys, measured, &marking);
    job.filter = &filter;
    const Evaluation got = run_evaluation(job, measured);
    REQUIRE(got.points.size() == 1);
    CHECK(got.points[0].loss == Approx(5.0));
    CHECK(got.points[0].tokens > 0);
    CHECK(got.points[0].tokens < got.points[0].candidates);
}

TEST_CASE("every candidate has the short context before it, and with a stride up to stride - 1 tokens more", "[evaluation]") {
    const NumberedDocuments text({300});
    for (const std::int64_t stride : {1, 3, 8, 20}) {  // of 32 candidates of a place: 3 and 20 leave a window that is shorter
        CAPTURE(stride);
        std::map<std::int64_t, std::set<std::int64_t>> contexts;  // short ones of a token
        MockScorer scorer([&](std::int64_t token, std::int64_t context) {
            if (context < 32) contexts[token].insert(context);  // the long windows' candidates have half of 64 and more
            return helped(token, context - std::min(context - 8, stride - 1));
        });
        EvaluationJob job = key_job(text.documents, {64}, 8);
        job.head.protocol.stride = stride;
        KeyTokenFilter filter(job.head.protocol.keys, scorer);
        job.filter = &filter;
        const Evaluation got = run_evaluation(job, scorer);
        CHECK(got.protocol.stride == stride);
        std::size_t candidates = 0;
        for (const ScoredPlace& place : got.places) {
            for (std::int64_t token = place.begin; token < place.end; ++token) {
                CHECK(contexts[token] == std::set<std::int64_t>{8 + (token - place.begin) % stride});
                ++candidates;
            }
        }
        CHECK(contexts.size() == candidates);
        CHECK(got.points[0].loss == Approx(1.0));
        CHECK(contains(got.protocol_line, stride == 1 ? "against 8 tokens of context" : "against 8 to " + std::to_string(7 + stride) + " tokens of context"));
    }
}

TEST_CASE("a length without key tokens is left out and named, and without any the measurement is refused", "[evaluation]") {
    const NumberedDocuments text({900, 800});
    MockScorer late([](std::int64_t token, std::int64_t context) { return token % 7 == 0 && context < 100 ? 4.0 : 1.0; });
    EvaluationJob job = key_job(text.documents, {64, 512}, 8);
    KeyTokenFilter filter(job.head.protocol.keys, late);
    job.filter = &filter;
    std::size_t points = 0;
    const Evaluation got = run_evaluation(job, late, {}, [&](const Evaluation&) { ++points; });
    REQUIRE(got.points.size() == 1);
    CHECK(points == 1);
    CHECK(got.points[0].length == 512);
    CHECK(contains(got.points[0].warning, "64 left out: none of"));
    // A point that is taken over from before says it once.
    job.known = got;
    const Evaluation again = run_evaluation(job, late);
    REQUIRE(again.points.size() == 1);
    CHECK(again.points[0].warning == got.points[0].warning);

    MockScorer plain([](std::int64_t, std::int64_t) { return 1.0; });
    KeyTokenFilter nothing(job.head.protocol.keys, plain);
    job.known.reset();
    job.filter = &nothing;
    try {
        (void)run_evaluation(job, plain);
        FAIL("no key token was found, and nothing was said");
    } catch (const Failure& failure) {
        CHECK(failure.kind() == ErrorKind::invalid_argument);
        CHECK(contains(failure.what(), "is a key token"));
        CHECK(contains(failure.what(), "2 nats"));
    }
}

TEST_CASE("what was measured before is taken over without reading the short contexts", "[evaluation]") {
    const NumberedDocuments text({900, 800});
    MockScorer scorer(helped);
    EvaluationJob job = key_job(text.documents, {64, 256}, 8);
    KeyTokenFilter filter(job.head.protocol.keys, scorer);
    job.filter = &filter;
    const Evaluation whole = run_evaluation(job, scorer);
    REQUIRE(whole.points.size() == 2);
    scorer.calls = 0;
    job.known = whole;
    CHECK(evaluation_json(run_evaluation(job, scorer)) == evaluation_json(whole));
    CHECK(scorer.calls == 0);
    // One length that is missing needs them.
    job.known->points.pop_back();
    CHECK(run_evaluation(job, scorer).points[1].loss == whole.points[1].loss);
    CHECK(scorer.calls > 0);
}

TEST_CASE("key tokens in few documents leave places to resample, and that is said", "[evaluation]") {
    const NumberedDocuments text(std::vector<std::int64_t>(10, 400));
    EvaluationJob job = key_job(apart(text), {64, 256}, 8);
    MockScorer scorer(helped_in_two);
    KeyTokenFilter filter(job.head.protocol.keys, scorer);
    job.filter = &filter;
    const Evaluation whole = run_evaluation(job, scorer);
    REQUIRE(whole.points.size() == 2);
    CHECK(whole.unit == "place");
    CHECK(contains(whole.protocol_line, "bootstrap over places, as few documents hold key tokens"));
    CHECK(whole.points[0].documents == 10);
    CHECK(whole.points[1].documents == 2);
    CHECK_FALSE(contains(whole.points[0].warning, "documents only"));
    CHECK(contains(whole.points[1].warning, "2 documents only: the interval resamples places inside them"));
    for (const LengthPoint& point : whole.points) {
        CHECK(static_cast<std::int64_t>(point.document_loss.size()) == point.places);
        CHECK(point.places > point.documents);
    }
    // Enough documents at every length: they are the unit.
    EvaluationJob shorter = key_job(apart(text), {64}, 8);
    shorter.filter = &filter;
    CHECK(run_evaluation(shorter, scorer).unit == "document");

    // However it was begun before, the answer is the same: by documents, with the point that has enough of them, or with the other one.
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    job.known = run_evaluation(job, scorer, context, [&](const Evaluation&) { stop.request_stop(); });
    CHECK(job.known->unit == "document");
    REQUIRE(job.known->points.size() == 1);
    check_same(run_evaluation(job, scorer), whole);
    job.known = whole;
    job.known->points.pop_back();
    check_same(run_evaluation(job, scorer), whole);
    job.known = whole;
    job.known->points.erase(job.known->points.begin());
    check_same(run_evaluation(job, scorer), whole);
    job.known = whole;
    scorer.calls = 0;
    check_same(run_evaluation(job, scorer), whole);
    CHECK(scorer.calls == 0);
}

TEST_CASE("a cancel while the points go over to places keeps those that were measured", "[evaluation]") {
    const NumberedDocuments text(std::vector<std::int64_t>(10, 400));
    EvaluationJob job = key_job(apart(text), {64, 256}, 8);
    MockScorer scorer(helped_in_two);
    KeyTokenFilter filter(job.head.protocol.keys, scorer);
    job.filter = &filter;
    std::stop_source after_point;
    RunContext stopped;
    stopped.stop = after_point.get_token();
    const Evaluation first = run_evaluation(job, scorer, stopped, [&](const Evaluation&) { after_point.request_stop(); });
    REQUIRE(first.points.size() == 1);
    REQUIRE(first.unit == "document");

    std::stop_source when_scored;
    RunContext context;
    context.stop = when_scored.get_token();
    context.progress = [&](const Progress& progress) {
        if (progress.stage == "Evaluating at 256" && progress.done >= progress.total) when_scored.request_stop();
    };
    const PollScope polling(context);
    const Evaluation got = run_evaluation(job, scorer, context);
    CHECK(when_scored.stop_requested());
    check_same(got, first);
    // What was kept is gone on with.
    job.known = got;
    EvaluationJob anew = job;
    anew.known.reset();
    RunContext undisturbed;
    const PollScope not_stopped(undisturbed);
    check_same(run_evaluation(job, scorer), run_evaluation(anew, scorer));
}

TEST_CASE("few key tokens are said to be few", "[evaluation]") {
    const NumberedDocuments text({900, 800});
    MockScorer rare([](std::int64_t token, std::int64_t context) { return token == 890 && context <= 8 ? 4.0 : 1.0; });
    EvaluationJob job = key_job(text.documents, {64}, 8);
    KeyTokenFilter filter(job.head.protocol.keys, rare);
    job.filter = &filter;
    const Evaluation got = run_evaluation(job, rare);
    REQUIRE(got.points.size() == 1);
    CHECK(got.points[0].tokens == 1);
    CHECK(contains(got.points[0].warning, "rests on 1 key token of"));
}

TEST_CASE("a cancel while the short contexts are read leaves nothing and no error", "[evaluation]") {
    const NumberedDocuments text({900, 800});
    MockScorer scorer(helped);
    EvaluationJob job = key_job(text.documents, {64}, 8);
    KeyTokenFilter filter(job.head.protocol.keys, scorer);
    job.filter = &filter;
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.progress = [&](const Progress& progress) {
        if (contains(progress.stage, "8 tokens of context") && progress.done >= 1) stop.request_stop();
    };
    const Evaluation got = run_evaluation(job, scorer, context);
    CHECK_FALSE(got.complete);
    CHECK(got.points.empty());
}

TEST_CASE("key tokens of a transformer are those that its losses token by token make", "[evaluation][model]") {
    Transformer model(small_model(), scheme("alibi"), 16, 1);
    model.eval();
    const auto tokens = random_document(300);
    TransformerScorer scorer(model);
    EvaluationJob job = key_job({{"doc", tokens}}, {32, 64}, 6);
    job.head.protocol.documents = 3;
    job.head.protocol.keys.gain = 0;
    job.head.protocol.keys.probability = -20;
    KeyTokenFilter filter(job.head.protocol.keys, scorer);
    job.filter = &filter;
    const Evaluation got = run_evaluation(job, scorer);
    REQUIRE(got.points.size() == 2);
    const at::NoGradGuard no_gradients;
    const at::Tensor all = at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end()));  // [N]
    // ln P of one token after the tokens from `begin` up to it.
    const auto log_probability = [&](std::int64_t begin, std::int64_t token) {
        const at::Tensor logits = model.forward(all.slice(0, begin, token).unsqueeze(0)).select(1, -1).to(at::kDouble);  // [1, V]
        return at::log_softmax(logits, -1)[0][all[token].item<std::int64_t>()].item<double>();
    };
    for (const LengthPoint& point : got.points) {
        double sum = 0;
        std::int64_t keys = 0, near = 0;
        for (const ScoredPlace& place : got.places) {
            for (std::int64_t token = place.begin; token < place.end; ++token) {
                const double with_long = log_probability(place.end - point.length, token), with_short = log_probability(token - 6, token);
                if (std::abs(with_long - with_short) < 1e-4) ++near;  // float32 may fall on either side
                if (with_long <= with_short) continue;
                sum -= with_long;
                ++keys;
            }
        }
        CHECK(keys > 0);
        CHECK(std::abs(point.tokens - keys) <= near);
        if (near == 0) CHECK(point.loss == Approx(sum / static_cast<double>(keys)).epsilon(1e-5));
    }
}
