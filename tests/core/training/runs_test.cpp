#include "tests/support/catch_torch.h"

#include "core/storage/run_folder.h"
#include "tests/core/training/tiny_run.h"

#include <thread>

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

TEST_CASE("a folder that the system will not show is a problem of its own, not of the workspace", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo run = train(short_recipe(lab, "whole"), lab.workspace).value();
    std::filesystem::create_directory_symlink("loop", lab.workspace / "loop");  // leads to itself, so that not even root can look
    std::filesystem::create_directories(lab.workspace / "odd" / "run.json");    // a folder where a file should be
    const RunList list = list_runs(lab.workspace).value();
    REQUIRE(list.runs.size() == 1);
    CHECK(list.runs.front().id == run.id);
    REQUIRE(list.problems.size() == 2);
    CHECK(contains(list.problems[0] + list.problems[1], "loop: It cannot be read"));
    CHECK(find_run(lab.workspace, "whole").ok());
}

TEST_CASE("a run is never seen before it is whole", "[runs]") {
    const TinyLaboratory lab;
    std::filesystem::create_directories(lab.workspace);
    std::vector<std::string> torn;
    {
        const std::jthread looking([&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                for (const std::string& problem : list_runs(lab.workspace).value().problems) torn.push_back(problem);
            }
        });
        for (int n = 0; n < 5; ++n) REQUIRE(train(short_recipe(lab, "new"), lab.workspace).ok());
    }
    CHECK(torn.empty());
    for (const auto& entry : std::filesystem::directory_iterator(lab.workspace)) CHECK_FALSE(entry.path().filename().string().starts_with('.'));
}

TEST_CASE("a run killed before its first step can be resumed and deleted", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo run = train(short_recipe(lab, "cut"), lab.workspace).value();
    const RunFolder folder(run.folder);
    RunRecord record = folder.read_record();
    record.status = "running";
    record.step = 0;
    record.best_step = -1;
    record.loss_check.reset();
    folder.write_record(record);
    std::filesystem::remove(folder.log_file());
    std::filesystem::remove_all(folder.checkpoint_folder());
    std::filesystem::create_directories(folder.checkpoint_folder());
    CHECK(resume(run.folder).value().status == "finished");
    std::filesystem::remove(folder.record_file());  // as an earlier version left it
    CHECK_FALSE(read_run(run.folder).ok());
    CHECK(delete_run(run.folder).ok());
}

TEST_CASE("a run killed between its first weights and their state starts again", "[runs]") {
    const TinyLaboratory lab;
    Recipe recipe = short_recipe(lab, "between");
    recipe.training.checkpoint_every = 1;
    const RunInfo run = train(recipe, lab.workspace).value();
    const RunFolder folder(run.folder);
    RunRecord record = folder.read_record();
    record.status = "running";
    folder.write_record(record);
    std::filesystem::remove(folder.state_file(1));
    REQUIRE(folder.resumable_steps().empty());
    REQUIRE(folder.weight_steps().back() == 1);
    CHECK(resume(run.folder).value().status == "finished");
    CHECK(folder.resumable_steps() == std::vector<std::int64_t>{1});
}

TEST_CASE("a run is found by id, title or path, and the newest of several with one title", "[runs]") {
    const TinyLaboratory lab;
    const RunInfo first = train(short_recipe(lab, "Twin"), lab.workspace).value();
    const RunInfo second = train(short_recipe(lab, "Twin"), lab.workspace).value();
    const RunInfo other = train(short_recipe(lab, "Größe & more"), lab.workspace).value();
    CHECK(other.id == "gr-e-more-l32-s1");
    CHECK(find_run(lab.workspace, second.id).value().folder == second.folder);
    CHECK(find_run(lab.workspace, "GRÖßE & more").ok() == false);  // only ASCII letters are matched in any case
    CHECK(find_run(lab.workspace, "Größe & MORE").value().id == other.id);
    CHECK(find_run(lab.workspace, first.folder.string()).value().id == first.id);
    RunRecord record = RunFolder(first.folder).read_record();
    record.created = "2001-01-01T00:00:00Z";
    RunFolder(first.folder).write_record(record);
    CHECK(find_run(lab.workspace, "twin").value().id == second.id);
    record.created = "2999-01-01T00:00:00Z";
    RunFolder(first.folder).write_record(record);
    CHECK(find_run(lab.workspace, "twin").value().id == first.id);
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
    // A person's own run goes before the demo run of the same title and id, which keeps a name of its own.
    const RunInfo own = train(short_recipe(lab, "Demo of it"), lab.workspace).value();
    REQUIRE(own.id == run.id);
    CHECK_FALSE(find_run(lab.workspace, "demo of it").value().demo);
    CHECK_FALSE(find_run(lab.workspace, run.id).value().demo);
    CHECK(find_run(lab.workspace, "demo:" + run.id).value().demo);
    CHECK(find_run(lab.workspace, "demo:absent").error().kind == ErrorKind::not_found);
    CHECK_FALSE(delete_run(resources / "demo" / run.id).ok());
    CHECK(std::filesystem::exists(resources / "demo" / run.id));
}

TEST_CASE("by a title that demo runs of a text and of a task have the one of the text is meant", "[runs]") {
    const TinyLaboratory lab;
    const auto demo = lab.folder / "resources" / "demo";
    std::filesystem::create_directories(demo);
    const RunInfo text = train(short_recipe(lab, "Both"), lab.workspace).value();
    Recipe recipe = short_recipe(lab, "Both");
    recipe.data.source = "task:copy";
    const RunInfo task = train(recipe, lab.workspace).value();
    // Whichever is older.
    for (const auto& [first, second] : {std::pair{"a-run", "b-run"}, {"b-run", "a-run"}}) {
        std::filesystem::copy(text.folder, demo / first, std::filesystem::copy_options::recursive);
        std::filesystem::copy(task.folder, demo / second, std::filesystem::copy_options::recursive);
        const ScopedVariable variable("LENGTHWISE_RESOURCES", (lab.folder / "resources").string());
        for (const char* id : {first, second}) {
            RunRecord record = RunFolder(demo / id).read_record();
            record.created = std::string(id) == "a-run" ? "2001-01-01T00:00:00Z" : "2002-01-01T00:00:00Z";
            RunFolder(demo / id).write_record(record);
        }
        REQUIRE(demo_runs().size() == 2);
        CHECK(find_run(lab.folder / "empty", "both").value().id == first);
        CHECK(find_run(lab.folder / "empty", second).value().id == second);
        std::filesystem::remove_all(demo / first);
        std::filesystem::remove_all(demo / second);
    }
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
