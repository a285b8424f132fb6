/// Evaluations on disk: everything comes back, and what is not whole is refused.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"
#include "tests/core/storage/temporary_folder.h"

#include "core/evaluation/evaluation_json.h"
#include "core/storage/atomic_file.h"

#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

Evaluation sample() {
    const NumberedDocuments text({4000, 3000});
    EvaluationJob job = job_for(text, "last-k", {64, 256});
    job.head.run = "2026-a-run";
    job.head.recipe_hash = "0123456789abcdef";
    job.head.step = 1500;
    job.head.source = "en-prose";
    job.head.device = "cpu";
    job.head.dtype = "float32";
    job.head.torch_version = "2.11.0";
    job.head.attention_path = "plain: \"small\"";
    job.head.threads = 2;
    job.head.seed = 18446744073709551615ULL;
    MockScorer scorer{MockLoss{}};
    scorer.positions = true;
    return run_evaluation(job, scorer);
}

Error refusal(const std::string& text) {
    try {
        (void)evaluation_from_json(text, "here.json");
    } catch (const Failure& failure) {
        return {failure.kind(), failure.what()};
    }
    return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an evaluation comes back from JSON as it was", "[evaluation][storage]") {
    const Evaluation before = sample();
    const std::string text = evaluation_json(before);
    const Evaluation after = evaluation_from_json(text, "here.json");
    CHECK(evaluation_json(after) == text);
    CHECK(after.seed == before.seed);
    CHECK(after.protocol_line == before.protocol_line);
    CHECK(after.places.back().document == before.places.back().document);
    REQUIRE(after.points.size() == before.points.size());
    CHECK(after.points[1].perplexity == before.points[1].perplexity);
    CHECK(after.points[1].document_loss == before.points[1].document_loss);
    CHECK(after.position_loss == before.position_loss);
    CHECK(after.boundary_edges == before.boundary_edges);
    CHECK(after.boundary_loss == before.boundary_loss);
}

TEST_CASE("numbers that JSON cannot hold come back as they were", "[evaluation][storage]") {
    Evaluation odd = sample();
    odd.points[0].loss = odd.points[0].perplexity = std::numeric_limits<double>::quiet_NaN();
    odd.points[1].loss = 800;
    odd.points[1].perplexity = std::exp(800.0);
    const Evaluation after = evaluation_from_json(evaluation_json(odd), "here.json");
    CHECK(std::isnan(after.points[0].perplexity));
    CHECK(std::isinf(after.points[1].perplexity));
}

TEST_CASE("a truncated evaluation is refused wherever it was cut", "[evaluation][storage]") {
    const std::string text = evaluation_json(sample());
    for (std::size_t length = 0; length + 3 < text.size(); length += 1 + text.size() / 50) {
        const Error error = refusal(text.substr(0, length));
        CHECK(error.kind == ErrorKind::corrupt_file);
        CHECK(contains(error.message, "here.json"));
    }
}

TEST_CASE("an evaluation that does not fit together is refused with the reason", "[evaluation][storage]") {
    const json good = json::parse(evaluation_json(sample()));
    const auto changed = [&](const std::function<void(json&)>& change) {
        json copy = good;
        change(copy);
        const Error error = refusal(copy.dump());
        CHECK(error.kind == ErrorKind::corrupt_file);
        return error.message;
    };
    CHECK(contains(changed([](json& j) { j["unit"] = 3; }), "\"unit\" is not text"));
    CHECK(contains(changed([](json& j) { j.erase("step"); }), "\"step\" is missing"));
    CHECK(contains(changed([](json& j) { j["step"] = "many"; }), "\"step\" is not a whole number"));
    CHECK(contains(changed([](json& j) { j["points"][0]["document_loss"].push_back(1.0); }), "33 losses for 32 token counts"));
    CHECK(contains(changed([](json& j) { j["points"][0].update({{"candidates", 3}, {"all_loss", 1.0}}); }), "key tokens among 3 candidates"));
    CHECK(contains(changed([](json& j) { j["places"][0][0] = 7; }), "document 7 of 2"));
    CHECK(contains(changed([](json& j) { j["position_loss"].push_back(1.0); }), "do not fit"));
    CHECK(contains(changed([](json& j) { j["format"] = 99; }), "another version"));
    CHECK(contains(changed([](json& j) { j = json::array(); }), "not a JSON object"));
}

TEST_CASE("a file of an earlier version names its resampling unit in the protocol's line", "[evaluation][storage]") {
    json old = json::parse(evaluation_json(sample()));
    old.erase("unit");
    CHECK(evaluation_from_json(old.dump(), "here.json").unit == "place");
    old["protocol_line"] = "same 64 last tokens, bootstrap over documents";
    CHECK(evaluation_from_json(old.dump(), "here.json").unit == "document");
}

TEST_CASE("a folder of evaluations is written and read by protocol", "[evaluation][storage]") {
    const TemporaryFolder folder;
    CHECK(read_evaluation_folder(folder / "none").empty());
    Evaluation evaluation = sample();
    write_evaluation(folder / "evaluations", evaluation);
    evaluation.protocol.protocol = "sliding";
    write_evaluation(folder / "evaluations", evaluation);
    write_evaluation(folder / "evaluations", evaluation);
    const auto all = read_evaluation_folder(folder / "evaluations");
    REQUIRE(all.size() == 2);
    CHECK(all[0].protocol.protocol == "last-k");
    CHECK(all[1].protocol.protocol == "sliding");
    write_file(folder.path() / "evaluations" / "notes.json", "my own notes");
    CHECK(read_evaluation_folder(folder / "evaluations").size() == 2);
    write_file(folder.path() / "evaluations" / "last-k.json", evaluation_json(evaluation).substr(0, 200));
    CHECK_THROWS_AS(read_evaluation_folder(folder / "evaluations"), Failure);
}

TEST_CASE("a cancelled evaluation never replaces a complete one", "[evaluation][storage]") {
    const TemporaryFolder folder;
    Evaluation complete = sample();
    Evaluation cancelled = complete;
    cancelled.complete = false;
    cancelled.points.pop_back();
    write_evaluation(folder.path(), cancelled);
    CHECK(read_evaluation_folder(folder.path()).front().points.size() == 1);
    write_evaluation(folder.path(), complete);
    CHECK(read_evaluation_folder(folder.path()).front().points.size() == 2);
    write_evaluation(folder.path(), cancelled);
    CHECK(read_evaluation_folder(folder.path()).front().points.size() == 2);
    CHECK(read_evaluation_folder(folder.path()).front().complete);
}
