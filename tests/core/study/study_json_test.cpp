/// study.json: what is read, what is refused, and that what is written reads the same.
#include "tests/support/catch_torch.h"

#include "core/api/study.h"
#include "core/study/study_json.h"

using namespace lw;

namespace {

std::string refusal(const std::string& text) {
    const auto read = parse_study(text);
    return read.ok() ? "" : read.error().message;
}

const char* const kSmall = R"({
  "name": "Kerple against ALiBi",
  "schemes": ["alibi", "kerple-log"],
  "seeds": [1, 2],
  "lengths": [32, 64],
  "corpora": ["sample:lighthouse"],
  "recipe": {"model": {"layers": 2, "heads": 2, "width": 16}, "data": {"tokenizer": "byte"}, "training": {"steps": 5}},
  "evaluation": {"lengths": [64, 32, 128]}
})";

}  // namespace

TEST_CASE("a small study is read with its defaults", "[study]") {
    const StudySpec spec = parse_study(kSmall).value();
    CHECK(spec.schemes.at(1).name == "Kerple");
    CHECK(spec.seeds == std::vector<std::uint64_t>{1, 2});
    REQUIRE(spec.sizes.size() == 1);
    CHECK(spec.sizes[0].model.layers == 2);
    CHECK(spec.sizes[0].training.steps == 5);
    CHECK(spec.sizes[0].training.peak_rate == TrainingSpec{}.peak_rate);
    CHECK(spec.corpora.at(0).tokenizer == "byte");
    CHECK(spec.test == "welch");
    CHECK(spec.continuation.extensions.empty());
}

TEST_CASE("sizes and corpora change what they name and keep the rest", "[study]") {
    const StudySpec spec = parse_study(R"({"name": "x", "schemes": ["alibi"], "recipe": {"model": {"layers": 2, "width": 32}, "training": {"steps": 9}},
        "sizes": [{"name": "small"}, {"name": "wide", "model": {"width": 64}, "training": {"peak_rate": 0.001}}],
        "corpora": ["en-prose", {"source": "math", "tokenizer": "byte"}]})").value();
    CHECK(spec.sizes.at(0).model.width == 32);
    CHECK(spec.sizes.at(1).model.width == 64);
    CHECK(spec.sizes.at(1).model.layers == 2);
    CHECK(spec.sizes.at(1).training.steps == 9);
    CHECK(spec.sizes.at(1).training.peak_rate == 0.001);
    CHECK(spec.corpora.at(0).tokenizer == "bpe");
    CHECK(spec.corpora.at(1).tokenizer == "byte");
}

TEST_CASE("what is written reads the same", "[study]") {
    StudySpec spec = parse_study(R"({"name": "x", "schemes": ["rope"], "seeds": [3], "lengths": [32], "reference": "YaRN", "test": "paired", "published": "dape-arxiv-125m-l128",
        "sizes": [{"name": "tiny", "model": {"width": 32}}], "evaluation": {"documents": 4},
        "continue": {"extensions": ["none", {"name": "YaRN", "slots": {"frequency": {"id": "yarn", "params": {"factor": 4.0}}}}], "lengths": [128], "steps": [0, 10],
                     "training": {"peak_rate": 0.0005}}})").value();
    const std::string written = study_json(spec);
    CHECK(written == study_json(parse_study(written).value()));
    CHECK(parse_study(written).value().continuation.training.peak_rate == 0.0005);
    CHECK(written.find("weight_decay") == std::string::npos);  // as by default
}

TEST_CASE("settings of further training are kept where they are the default and the study's are not", "[study]") {
    const StudySpec spec = parse_study(R"({"name": "x", "schemes": ["rope"], "recipe": {"training": {"batch": 16, "peak_rate": 0.002}},
        "continue": {"extensions": ["none"], "steps": [10], "training": {"batch": 32, "clip": 0.5}}})").value();
    REQUIRE(spec.continuation.training.batch == 32);
    REQUIRE(TrainingSpec{}.batch == 32);
    const StudySpec again = parse_study(study_json(spec)).value();
    CHECK(again.sizes.at(0).training.batch == 16);
    CHECK(again.continuation.training.batch == 32);
    CHECK(again.continuation.training.clip == 0.5);
    CHECK(again.continuation.training.peak_rate == 0.002);
}

TEST_CASE("a number that does not fit is refused and does not turn negative", "[study]") {
    const std::string study = R"({"name": "x", "schemes": ["rope"], "seeds": [18446744073709551615], "continue": {"extensions": ["none"], "steps": [STEPS]}})";
    const auto with = [&](const std::string& steps) { return std::string(study).replace(study.find("STEPS"), 5, steps); };
    CHECK(refusal(with("10")).empty());  // seeds are that large
    CHECK_THAT(refusal(with("18446744073709551615")), Catch::Contains("\"steps\"") && Catch::Contains("18446744073709551615") && Catch::Contains("9223372036854775807"));
}

TEST_CASE("a misspelt key is refused with the right one, wherever it stands", "[study]") {
    CHECK_THAT(refusal(R"({"name": "x", "schemas": ["alibi"]})"), Catch::Contains("no key \"schemas\"") && Catch::Contains("schemes"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "recipe": {"training": {"stebs": 3}}})"), Catch::Contains("steps"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "recipe": {"modell": {}}})"), Catch::Contains("model"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "sizes": [{"name": "s", "model": {"widht": 8}}]})"), Catch::Contains("width") && Catch::Contains("\"s\""));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "continue": {"extension": []}})"), Catch::Contains("extensions"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibbi"]})"), Catch::Contains("alibi"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "evaluation": {"protocoll": "last-k"}})"), Catch::Contains("protocol"));
}

TEST_CASE("a training length beside the lists is refused, not ignored", "[study]") {
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "sizes": [{"name": "a", "training": {"length": 8}}]})"), Catch::Contains("the size \"a\"") && Catch::Contains("\"lengths\""));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "continue": {"extensions": ["none"], "steps": [2], "training": {"length": 7}}})"), Catch::Contains("\"lengths\""));
}

TEST_CASE("lists that cannot be meant are refused with a sentence", "[study]") {
    CHECK_THAT(refusal(R"({"name": "x"})"), Catch::Contains("no schemes"));
    CHECK_THAT(refusal(R"({"schemes": ["alibi"]})"), Catch::Contains("name"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi", "alibi"]})"), Catch::Contains("ALiBi twice"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "seeds": [1, 1]})"), Catch::Contains("seed 1 twice"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "seeds": []})"), Catch::Contains("seeds"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "lengths": [-4]})"), Catch::Contains("whole numbers"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": "alibi"})"), Catch::Contains("list"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "recipe": {"training": {"length": 64}}})"), Catch::Contains("\"lengths\""));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "test": "welsh"})"), Catch::Contains("welch"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "reference": "ALiBee"})"), Catch::Contains("ALiBi"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "published": "dape-arxiv"})"), Catch::Contains("dape-arxiv-125m"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "continue": {"extensions": ["none"]}})"), Catch::Contains("steps"));
    CHECK_THAT(refusal("{\"name\": \"x\",\n \"schemes\": [\"alibi\" }"), Catch::Contains("line 2"));
}

TEST_CASE("a key that stands twice is refused, and the same key in two objects is not", "[study]") {
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "seeds": [1], "seeds": [2]})"), Catch::Contains("\"seeds\" twice"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "recipe": {"training": {"steps": 3, "batch": 2, "steps": 4}}})"),
               Catch::Contains("\"steps\" twice"));
    CHECK(refusal(R"({"name": "x", "schemes": ["alibi"], "sizes": [{"name": "a"}, {"name": "b"}]})").empty());
}

TEST_CASE("names are one line", "[study]") {
    CHECK_THAT(refusal(R"({"name": "x\ny", "schemes": ["alibi"]})"), Catch::Contains("control character"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "sizes": [{"name": "a\tb"}]})"), Catch::Contains("The name of a size"));
    CHECK_THAT(refusal(R"({"name": "x", "schemes": [{"name": "a\u0007", "slots": {"bias": "alibi"}}]})"), Catch::Contains("The name of a scheme"));
}

TEST_CASE("a folder with and without a slash at its end is one corpus", "[study]") {
    CHECK_THAT(refusal(R"({"name": "x", "schemes": ["alibi"], "corpora": ["/texts/prose", "/texts/prose/"]})"), Catch::Contains("twice"));
    CHECK(parse_study(R"({"name": "x", "schemes": ["alibi"], "corpora": ["/texts/prose/"]})").value().corpora.at(0).source == "/texts/prose");
}

TEST_CASE("a study's folder is called after its name", "[study]") {
    CHECK(study_id("Kerple against ALiBi, L = 128") == "kerple-against-alibi-l-128");
    CHECK(study_folder_name("  Größe / 2 ") == "gr-e-2");
    CHECK(study_folder_name("…").empty());
    CHECK_THROWS_AS(study_id("…"), Failure);
}
