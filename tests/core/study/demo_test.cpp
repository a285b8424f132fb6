/// Runs that come with the program as runs of a study.
#include "tests/support/catch_torch.h"

#include "core/api/doctor.h"
#include "tests/core/study/small_study.h"

#include <algorithm>

using namespace lw;

namespace {

StudySpec demo_study() { return read_study(resource_folder() / "studies" / "demo-runs.json").value(); }

}  // namespace

TEST_CASE("the demo runs are finished cells of the study that comes with them", "[study]") {
    const TinyLaboratory lab;
    const StudyStatus status = preview_study(lab.workspace, demo_study()).value();
    CHECK(status.cells.size() == 27);
    CHECK(status.count("finished") == static_cast<std::int64_t>(demo_runs().size()));
    CHECK(std::all_of(status.cells.begin(), status.cells.end(), [](const StudyCell& cell) { return (cell.state == "finished") == cell.run.starts_with("demo:"); }));
    const StudyReport report = study_report(status).value();
    REQUIRE(report.tables.size() == 1);
    CHECK(report.tables.front().rows.size() == 9);
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
    spec.seeds = {1};  // all of them are there
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
    spec.evaluation.lengths = {128, 256, 512, 1024, 2048, 4096, 8192};
    spec.evaluation.scored = 64;
    spec.evaluation.documents = 16;
    CHECK_FALSE(says());
    CHECK(preview_study(lab.workspace, spec).value().cells.at(0).state == "finished");
}
