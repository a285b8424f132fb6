/// Probe files through the API: every golden case, wrong expectations, files that are none.
#include "tests/support/catch_torch.h"

#include "core/api/probe.h"
#include "core/lab/probe_compare.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

using namespace lw;
using nlohmann::json;

namespace {

/// What the library does not compute, with the reason in a few words.
const std::set<std::string> kUnknown = {};

/// Expected numbers that nothing in the library has.
const std::set<std::string> kNotComputed = {};

const std::vector<std::string> kGroups = {"absolute", "rotary", "rope_scaling", "biases", "dape", "distance_maps", "temperature", "evaluation", "tasks"};

std::filesystem::path golden(const std::string& group) { return std::filesystem::path(LW_TEST_DATA) / "golden" / (group + ".json"); }
/// Further settings of the same methods, in the same format.
std::filesystem::path own(const std::string& group) { return std::filesystem::path(LW_TEST_DATA) / "golden" / "own" / (group + ".json"); }

std::vector<std::filesystem::path> golden_files() {
    std::vector<std::filesystem::path> all;
    for (const auto& group : kGroups) all.insert(all.end(), {golden(group), own(group)});
    return all;
}

json read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return json::parse(stream);
}

/// A file that vanishes with the test.
class Written {
public:
    explicit Written(const std::string& text) : path_(std::filesystem::temp_directory_path() / ("lengthwise-probe-" + std::to_string(++count()) + ".json")) {
        std::ofstream(path_) << text;
    }
    ~Written() { std::filesystem::remove(path_); }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    static int& count() {
        static int made = 0;
        return made;
    }
    std::filesystem::path path_;
};

ProbeReport report_of(const json& file) {
    const Written written(file.dump());
    return probe_file(written.path()).value();
}

/// A file with one case of a group, changed.
json single(const std::string& group, const std::string& id, const std::function<void(json&)>& change) {
    json file = read(golden(group));
    for (json test : file["cases"]) {
        if (test["id"] != id) continue;
        change(test);
        file["cases"] = json::array({test});
        return file;
    }
    FAIL("no case " << id);
    return {};
}

}  // namespace

TEST_CASE("every golden case that the library knows holds through the API", "[probe][golden]") {
    std::set<std::string> unknown, not_computed, not_read;
    for (const auto& file : golden_files()) {
        const auto report = probe_file(file).value();
        const auto& group = report.group;
        CHECK(file.stem() == group);
        CHECK(report.cases.size() == read(file)["cases"].size());
        for (const auto& one : report.cases) {
            INFO(group << "/" << one.id << ": " << one.reason);
            CHECK(one.status != ProbeStatus::deviates);
            if (one.status == ProbeStatus::unknown) unknown.insert(group + "/" + one.id);
            for (const auto& what : one.not_read) not_read.insert(group + "/" + one.id + "/" + what);
            for (const auto& value : one.values) {
                INFO(value.key << ": " << value.reason << " " << value.computed.substr(0, 200));
                CHECK(value.holds);
                if (value.computed.empty()) not_computed.insert(group + "/" + one.id + "/" + value.key);
            }
        }
    }
    CHECK(unknown == kUnknown);
    CHECK(not_computed == kNotComputed);
    CHECK(not_read == std::set<std::string>{});
}

TEST_CASE("what nothing takes account of is named, and numbers that nothing computes are no case that holds", "[probe]") {
    const auto unread = report_of(single("rope_scaling", "ntk-d64-s2", [](json& test) {
        test["params"]["mystery"] = 7;
        test["inputs"]["extra"] = {1, 2};
        test["params"]["note"] = "a word";
    }));
    CHECK(unread.count(ProbeStatus::holds) == 1);
    CHECK(unread.cases.at(0).not_read == std::vector<std::string>{"params.mystery", "inputs.extra"});
    const auto nothing = report_of(single("rope_scaling", "ntk-d64-s2", [](json& test) { test["expect"] = {{"colour", 3}}; }));
    CHECK(nothing.count(ProbeStatus::unknown) == 1);
    const auto wrong = report_of(single("rope_scaling", "ntk-by-parts-code-d64", [](json& test) { test["expect"]["beta_range"] = {1, 2}; }));
    CHECK(wrong.count(ProbeStatus::deviates) == 1);
    const auto leaks = report_of(single("temperature", "ssmax", [](json& test) { test["inputs"]["b"] = {0.3, -0.2}; }));
    CHECK(leaks.count(ProbeStatus::unknown) == 1);
}

TEST_CASE("a wrong expectation is reported with its place and distance", "[probe]") {
    const auto report = report_of(single("biases", "alibi-bias-H4", [](json& test) {
        json& data = test["expect"]["bias"]["data"];
        data[5] = data[5].get<double>() + 1e-6;
    }));
    REQUIRE(report.count(ProbeStatus::deviates) == 1);
    const auto& values = report.cases.at(0).values;
    const auto bias = std::find_if(values.begin(), values.end(), [](const ProbeValue& value) { return value.key == "bias"; });
    REQUIRE(bias != values.end());
    CHECK_FALSE(bias->holds);
    CHECK(bias->deviation == Approx(1e-6).epsilon(1e-6));
    CHECK(bias->reason.find("bias[0][1][0]") != std::string::npos);
}

TEST_CASE("an array of another shape deviates", "[probe]") {
    const auto report = report_of(single("absolute", "sin-E2", [](json& test) {
        test["expect"]["pe"] = {{"shape", {2, 4}}, {"data", test["expect"]["pe"]["data"]}};
    }));
    CHECK(report.count(ProbeStatus::deviates) == 1);
}

TEST_CASE("a case to be refused holds by its refusal only", "[probe]") {
    const auto computed = report_of(single("absolute", "sin-E2", [](json& test) { test["expect"] = {{"error", "should not work"}}; }));
    CHECK(computed.count(ProbeStatus::deviates) == 1);
    const auto unnamed = report_of(single("absolute", "learned-out-of-range", [](json& test) { test["expect"]["rows"] = 77; }));
    CHECK(unnamed.count(ProbeStatus::deviates) == 1);
    CHECK(unnamed.cases.at(0).reason.find("77") != std::string::npos);
    const auto refused = report_of(single("absolute", "sin-E2", [](json& test) { test["params"]["E"] = 3; }));
    CHECK(refused.count(ProbeStatus::deviates) == 1);
    CHECK(refused.cases.at(0).reason.find("odd") != std::string::npos);
}

TEST_CASE("without an expectation a case is computed", "[probe]") {
    const auto report = report_of(single("absolute", "sin-E2", [](json& test) { test.erase("expect"); }));
    REQUIRE(report.count(ProbeStatus::computed) == 1);
    const auto pe = json::parse(report.cases.at(0).values.at(0).computed);
    CHECK(pe["shape"] == json({4, 2}));
    CHECK(pe["data"][2].get<double>() == std::sin(1.0));
}

TEST_CASE("cases that nothing knows say why", "[probe]") {
    const auto reason_of = [](const std::string& group, const std::string& id, const std::function<void(json&)>& change) {
        const auto report = report_of(single(group, id, change));
        CHECK(report.count(ProbeStatus::unknown) == 1);
        return report.cases.at(0).reason;
    };
    CHECK(reason_of("absolute", "sin-E2", [](json& test) { test["params"]["method"] = "spiral"; }).find("spiral") != std::string::npos);
    CHECK(reason_of("absolute", "sin-E2", [](json& test) { test["inputs"].erase("positions"); }).find("positions") != std::string::npos);
    CHECK(reason_of("biases", "fire-T1", [](json& test) { test["params"]["eps"] = 0.1; }).find("eps") != std::string::npos);
    CHECK(reason_of("rope_scaling", "ntk-d64-s2", [](json& test) { test["params"]["b"] = "large"; }).find("large") != std::string::npos);
    const auto group = report_of({{"group", "rotory"}, {"cases", json::array({{{"id", "a"}}})}});
    CHECK(group.cases.at(0).reason.find("rotary") != std::string::npos);
}

TEST_CASE("sizes are whole numbers from 1 and are never bent into one", "[probe]") {
    const auto one_of = [](const json& heads) {
        const auto report = report_of(single("biases", "alibi-bias-H4", [&](json& test) { test["params"]["H"] = heads; }));
        return report.cases.at(0);
    };
    CHECK(one_of(4.0).status == ProbeStatus::holds);
    CHECK(one_of(4.5).status == ProbeStatus::unknown);
    CHECK_THAT(one_of(4.5).reason, Catch::Contains("4.5"));
    CHECK(one_of(true).status == ProbeStatus::unknown);
    for (const json& heads : {json(1e300), json(1e19), json(18446744073709551615ULL)}) {
        CHECK(one_of(heads).status == ProbeStatus::unknown);
        CHECK_THAT(one_of(heads).reason, Catch::Contains("16 digits"));
    }
    for (const int heads : {0, -1}) {
        CHECK(one_of(heads).status == ProbeStatus::deviates);
        CHECK_THAT(one_of(heads).reason, Catch::Contains("at least 1"));
    }
}

TEST_CASE("a case of another form is unknown, in words of this program", "[probe]") {
    const auto reason_of = [](const std::function<void(json&)>& change) {
        const auto report = report_of(single("biases", "alibi-bias-H4", change));
        CHECK(report.count(ProbeStatus::unknown) == 1);
        CHECK_THAT(report.cases.at(0).reason, !Catch::Contains("exception"));
        return report.cases.at(0).reason;
    };
    CHECK_THAT(reason_of([](json& test) { test["inputs"]["positions_q"] = "x"; }), Catch::Contains("\"positions_q\" is \"x\", which is no list of numbers"));
    CHECK_THAT(reason_of([](json& test) { test["inputs"]["positions_q"] = {{"data", {1, 2}}}; }), Catch::Contains("\"shape\" is missing"));
    CHECK_THAT(reason_of([](json& test) { test["inputs"]["positions_q"] = {{"shape", "x"}, {"data", {1, 2}}}; }), Catch::Contains("a text in quotes stands where a list is needed"));
    CHECK_THAT(reason_of([](json& test) { test["tolerance"].erase("rel"); }), Catch::Contains("\"rel\" is missing"));
}

TEST_CASE("files that are no probe files are refused with a sentence", "[probe]") {
    const auto refusal = [](const std::string& text) {
        const Written written(text);
        const auto result = probe_file(written.path());
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::corrupt_file);
        return result.error().message;
    };
    CHECK(refusal("{\"group\": ").find("not valid JSON") != std::string::npos);
    CHECK(refusal("").find("empty") != std::string::npos);
    CHECK(refusal("{\"group\": 1e999}").find("too large") != std::string::npos);
    CHECK(refusal(R"({"group": "biases", "group": "rotary", "cases": []})").find("twice") != std::string::npos);
    CHECK(refusal("{\"cases\": " + std::string(100'000, '[')).find("brackets") != std::string::npos);
    CHECK(refusal("[]").find("object") != std::string::npos);
    CHECK(refusal("{\"cases\": []}").find("group") != std::string::npos);
    CHECK(refusal("{\"group\": \"biases\"}").find("cases") != std::string::npos);
    CHECK(refusal("{\"group\": \"biases\", \"format\": 2, \"cases\": []}").find("format") != std::string::npos);
    CHECK(refusal("{\"group\": \"biases\", \"cases\": [3]}").find("case 0") != std::string::npos);
    CHECK(refusal("{\"group\": \"biases\", \"cases\": [{\"id\": \"a\", \"params\": []}]}").find("params") != std::string::npos);
    CHECK(probe_file("/no/such/file.json").error().kind == ErrorKind::not_found);
    CHECK_THAT(probe_file(std::filesystem::temp_directory_path()).error().message, Catch::Contains("is a folder"));
}

TEST_CASE("values without heads are refused in words, not divided by", "[probe]") {
    const auto report = report_of(single("biases", "shaw-causal", [](json& test) { test["inputs"]["v"] = json::array(); }));
    REQUIRE(report.cases.size() == 1);
    CHECK(report.cases.front().status != ProbeStatus::holds);
}

TEST_CASE("ragged lists, words and nested objects compare; known mistakes do not", "[probe]") {
    const Tolerance tolerance{1e-3, 0};
    const auto hold = [&](const json& got, const json& want) {
        for (const auto& value : compared_values(got, want, tolerance)) {
            if (!value.holds) return false;
        }
        return true;
    };
    CHECK(hold({{"a", {{0}, {0, 1}}}}, {{"a", {{0}, {0, nullptr}}}}));
    CHECK_FALSE(hold({{"a", {{0}, {0, 1}}}}, {{"a", {{0}, {0}}}}));
    CHECK(hold({{"a", {{"b", 1.0}}}}, {{"a", {{"b", 1.0005}}}}));
    CHECK_FALSE(hold({{"a", {{"b", 1.0}}}}, {{"a", {{"b", 1.002}}}}));
    CHECK_FALSE(hold({{"a", "x"}}, {{"a", "y"}}));
    CHECK_FALSE(hold({{"a", nullptr}}, {{"a", 1}}));
    CHECK(hold({{"a", {{"shape", {1, 2}}, {"data", {1, 2}}}}}, {{"a", {{1, 2}}}}));
    CHECK(hold({{"a", 1}}, {{"a", 1}, {"wrong_a", 7}, {"off_by_one_a", 8}}));
}

TEST_CASE("a size that no memory holds is refused with the size and the memory, before anything is made", "[probe]") {
    constexpr std::int64_t kHuge = 4'000'000'000'000;  // 192 TB as numbers of a list
    const auto slopes = json{{"id", "huge"}, {"params", {{"method", "alibi"}, {"H", kHuge}}}, {"inputs", json::object()}};
    const auto text = json{{"id", "long"}, {"params", {{"protocol", "sliding"}}}, {"inputs", {{"N", kHuge}, {"T", 2}, {"stride", 1}, {"mock", {{"vocabulary", 4}}}}}};
    for (const auto& [group, test] : {std::pair{"biases", slopes}, {"evaluation", text}}) {
        const auto report = report_of({{"group", group}, {"cases", json::array({test})}});
        REQUIRE(report.cases.size() == 1);
        CHECK(report.cases[0].status == ProbeStatus::unknown);
        CHECK_THAT(report.cases[0].reason, Catch::Contains("4000000000000") && Catch::Contains("GB of memory"));
    }
    json expected = slopes;
    expected["expect"] = {{"error", "too large"}, {"H", kHuge}};
    CHECK(report_of({{"group", "biases"}, {"cases", json::array({expected})}}).count(ProbeStatus::holds) == 1);
}
