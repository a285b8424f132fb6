/// Runs that come with the program as runs of a study.
#include "tests/support/catch_torch.h"

#include "core/api/doctor.h"
#include "tests/core/study/small_study.h"

#include <algorithm>
#include <set>

using namespace lw;

namespace {

StudySpec shipped(const std::string& name) { return read_study(resource_folder() / "studies" / (name + ".json")).value(); }
StudySpec demo_study() { return shipped("demo"); }

}  // namespace

TEST_CASE("every demo run is a finished cell of a study that comes with the program", "[study]") {
    const TinyLaboratory lab;
    std::set<std::string> runs;
    for (const char* name : {"demo", "demo-absolute", "demo-recall", "demo-sorting"}) {
        const StudyStatus status = preview_study(lab.workspace, shipped(name)).value();
        INFO(name);
        for (const StudyCell& cell : status.cells) {
            CHECK(cell.state == "finished");
            CHECK(cell.run.starts_with("demo:"));
            runs.insert(cell.run);
        }
    }
    CHECK(runs.size() == demo_runs().size());
    CHECK(runs.size() == 25);
}

TEST_CASE("the report of the demo models has their seven schemes with three seeds each", "[study]") {
    const TinyLaboratory lab;
    const StudyReport report = study_report(preview_study(lab.workspace, demo_study()).value()).value();
    REQUIRE(report.tables.size() == 1);
    REQUIRE(report.tables.front().rows.size() == 7);
    for (const StudyRow& row : report.tables.front().rows) {
        REQUIRE(row.values.size() == 8);
        for (const auto& value : row.values) {
            REQUIRE(value);
            CHECK(value->seeds == 3);
        }
    }
}

TEST_CASE("a demo run that was measured in another way is no cell of a study", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = demo_study();
    spec.evaluation.documents = 8;
    const StudyStatus status = preview_study(lab.workspace, spec).value();
    REQUIRE_FALSE(status.cells.empty());
    CHECK(status.count("waiting") == static_cast<std::int64_t>(status.cells.size()));
}

TEST_CASE("a text that only finished runs have read may be gone", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = demo_study();
    CHECK(preview_study(lab.workspace, spec).value().problems.empty());
}

TEST_CASE("a demo run that would have to be measured anew is a problem that says its evaluation, before anything starts", "[study]") {
    const TinyLaboratory lab;
    StudySpec spec = demo_study();
    spec.schemes.clear();
    spec.evaluation = {};
    spec.continuation = {{"demo:rope-l128-s1"}, {{"as it is", {}}}, {512}, {0}, spec.sizes[0].training};
    const auto says = [&] {
        const StudyStatus status = preview_study(lab.workspace, spec).value();
        return std::any_of(status.problems.begin(), status.problems.end(), [](const std::string& problem) { return problem.find("keeps the evaluation it has") != std::string::npos; });
    };
    CHECK(says());
    spec.evaluation.lengths = {128, 256, 512, 1024, 2048, 4096, 8192, 16384};
    spec.evaluation.scored = 64;
    spec.evaluation.documents = 16;
    CHECK_FALSE(says());
    CHECK(preview_study(lab.workspace, spec).value().cells.at(0).state == "finished");
}
