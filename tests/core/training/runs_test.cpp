#include "tests/support/catch_torch.h"

#include "core/storage/run_folder.h"
#include "tests/core/training/tiny_run.h"

using namespace lw;

namespace {

Recipe short_recipe(const TinyLaboratory& lab, const std::string& name) {
    Recipe recipe = lab.recipe();
    recipe.name = name;
    recipe.training.steps = 1;
    return recipe;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("runs are listed oldest first and unreadable ones are named", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo b = train(short_recipe(lab, "B"), lab.workspace).value();
    const RunInfo a = train(short_recipe(lab, "A"), lab.workspace).value();
    // Made in the same second: the dates tell the order.
    RunRecord record = RunFolder(b.folder).read_record();
    record.created = "2001-01-01T00:00:00Z";
    RunFolder(b.folder).write_record(record);
    std::filesystem::create_directories(lab.workspace / "broken");
    write_file(lab.workspace / "broken" / "run.json", "{");
    std::filesystem::create_directories(lab.workspace / "something else");
    const RunList list = list_runs(lab.workspace).value();
    REQUIRE(list.runs.size() == 2);
    CHECK(list.runs[0].title == "B");
    CHECK(list.runs[1].title == "A");
    REQUIRE(list.problems.size() == 1);
    CHECK(contains(list.problems[0], "broken"));
}

TEST_CASE("a workspace that does not exist yet has no runs", "[runs]") {
    const TemporaryFolder folder;
    CHECK(list_runs(folder / "absent").value().runs.empty());
    write_file(folder / "file", "x");
    CHECK_FALSE(list_runs(folder / "file").ok());
}

TEST_CASE("a run is found by id, title or path, and candidates are named otherwise", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo first = train(short_recipe(lab, "Twin"), lab.workspace).value();
    const RunInfo second = train(short_recipe(lab, "Twin"), lab.workspace).value();
    const RunInfo other = train(short_recipe(lab, "Größe & more"), lab.workspace).value();
    CHECK(other.id == "gr-e-more-l32-s1");
    CHECK(find_run(lab.workspace, second.id).value().folder == second.folder);
    CHECK(find_run(lab.workspace, "GRÖßE & more").ok() == false);  // only ASCII letters are matched in any case
    CHECK(find_run(lab.workspace, "Größe & MORE").value().id == other.id);
    CHECK(find_run(lab.workspace, first.folder.string()).value().id == first.id);
    const auto twins = find_run(lab.workspace, "twin");
    REQUIRE_FALSE(twins.ok());
    CHECK(twins.error().kind == ErrorKind::not_found);
    CHECK(contains(twins.error().message, first.id));
    CHECK(contains(twins.error().message, second.id));
    const auto misspelt = find_run(lab.workspace, "twn-l32-s1");
    REQUIRE_FALSE(misspelt.ok());
    CHECK(contains(misspelt.error().message, "twin-l32-s1"));
}

TEST_CASE("deleting removes run folders and nothing else", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo run = train(short_recipe(lab, "gone"), lab.workspace).value();
    std::filesystem::create_directories(lab.workspace / "photos");
    CHECK_FALSE(delete_run(lab.workspace / "photos").ok());
    CHECK(std::filesystem::exists(lab.workspace / "photos"));
    {
        const RunLock lock{RunFolder(run.folder)};
        const Status busy = delete_run(run.folder);
        REQUIRE_FALSE(busy.ok());
        CHECK(contains(busy.error().message, "being trained"));
    }
    REQUIRE(delete_run(run.folder).ok());
    CHECK_FALSE(std::filesystem::exists(run.folder));
    CHECK_FALSE(delete_run(run.folder).ok());
}

TEST_CASE("demo runs are found, marked and protected", "[runs]") {
    const TinyLaboratory lab;
    const auto resources = lab.folder / "resources";
    std::filesystem::create_directories(resources / "demo");
    const RunInfo run = train(short_recipe(lab, "Demo of it"), lab.workspace).value();
    std::filesystem::rename(run.folder, resources / "demo" / run.id);
    const ScopedVariable variable("LENGTHWISE_RESOURCES", resources.string());
    REQUIRE(demo_runs().size() == 1);
    CHECK(demo_runs()[0].demo);
    CHECK(find_run(lab.workspace, "demo of it").value().demo);
    CHECK_FALSE(delete_run(resources / "demo" / run.id).ok());
    CHECK(std::filesystem::exists(resources / "demo" / run.id));
}

TEST_CASE("a run whose program died is shown as stopped with its last step", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo run = train(short_recipe(lab, "cut off"), lab.workspace).value();
    RunRecord record = RunFolder(run.folder).read_record();
    record.status = "running";
    record.step = 0;
    RunFolder(run.folder).write_record(record);
    CHECK(read_run(run.folder).value().status == "stopped");
    CHECK(read_run(run.folder).value().step == 1);
    const RunLock lock{RunFolder(run.folder)};
    CHECK(read_run(run.folder).value().status == "running");
}
