#include "tests/support/catch_torch.h"

#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"
#include "tests/core/storage/temporary_folder.h"

#include <thread>

using namespace lw;

namespace {

RunRecord example() {
    RunRecord record;
    record.status = "stopped";
    record.step = 40;
    record.parameters = 1234;
    record.best_step = 20;
    record.best_loss = 3.25;
    record.seed = 18446744073709551615ULL;
    record.loss_check = LossCheck{6.9, 6.9};
    return record;
}

}  // namespace

TEST_CASE("a run record comes back as it was written", "[storage]") {
    const TemporaryFolder folder;
    const RunFolder run(folder.path());
    run.write_record(example());
    const RunRecord back = run.read_record();
    CHECK(back.status == "stopped");
    CHECK(back.step == 40);
    CHECK(back.best_step == 20);
    CHECK(back.best_loss == 3.25);
    CHECK(back.seed == example().seed);
    REQUIRE(back.loss_check);
    CHECK(back.loss_check->evaluation == 6.9);
    CHECK(back.updated.size() == 20);
}

TEST_CASE("a damaged run record is refused by name", "[storage]") {
    const TemporaryFolder folder;
    const RunFolder run(folder.path());
    for (const char* text : {"", "{", "[]", R"({"status": 3, "step": 1, "parameters": 2})", R"({"status": "finished"})", R"({"format": 7})"}) {
        write_file(run.record_file(), text);
        INFO(text);
        CHECK_THROWS_WITH(run.read_record(), Catch::Contains("run.json"));
    }
}

TEST_CASE("only steps with weights and state can be resumed", "[storage]") {
    const TemporaryFolder folder;
    const RunFolder run(folder.path());
    make_folder(run.checkpoint_folder());
    for (const std::int64_t step : {250, 500, 12345678}) write_file(run.weights_file(step), "x");
    for (const std::int64_t step : {500, 750}) write_file(run.state_file(step), "x");
    write_file(run.checkpoint_folder() / "step-.safetensors", "x");
    write_file(run.checkpoint_folder() / "step-12x.safetensors", "x");
    CHECK(run.weights_file(250).filename() == "step-0000250.safetensors");
    CHECK(run.weight_steps() == std::vector<std::int64_t>{250, 500, 12345678});
    CHECK(run.resumable_steps() == std::vector<std::int64_t>{500});
}

TEST_CASE("the log is appended line by line and cut where a run goes on", "[storage]") {
    const TemporaryFolder folder;
    const RunFolder run(folder.path());
    {
        LogWriter log(run, 0);
        log.append({10, 3.5, 1e-3, 0.7, 100, std::nullopt});
        log.append({20, 3.0, 2e-3, 0.6, 110, 3.1});
    }
    REQUIRE(read_log_file(run.log_file()).size() == 2);
    CHECK(read_log_file(run.log_file())[1].validation_loss == 3.1);
    { LogWriter log(run, 10); }
    REQUIRE(read_log_file(run.log_file()).size() == 1);
    CHECK(read_log_file(run.log_file())[0].loss == 3.5);
}

TEST_CASE("a torn last line of the log is left out", "[storage]") {
    const TemporaryFolder folder;
    const auto file = folder / "log.jsonl";
    write_file(file, "{\"step\":1,\"loss\":2.5}\n{\"step\":2,\"lo");
    REQUIRE(read_log_file(file).size() == 1);
    CHECK(read_log_file(file)[0].loss == 2.5);
    write_file(file, "{\"step\":1,\"lo\n{\"step\":2,\"loss\":2.5}\n");
    CHECK_THROWS_WITH(read_log_file(file), Catch::Contains("Line 1"));
    CHECK(read_log_file(folder / "absent.jsonl").empty());
}

TEST_CASE("a run is locked by one trainer at a time", "[storage]") {
    const TemporaryFolder folder;
    const RunFolder run(folder.path());
    CHECK_FALSE(RunLock::held(run));
    {
        const RunLock lock(run);
        CHECK(RunLock::held(run));
        CHECK_THROWS_WITH(RunLock(run), Catch::Contains("being trained already"));
    }
    CHECK_FALSE(RunLock::held(run));
}

TEST_CASE("looking whether a run is locked does not keep it from starting", "[storage]") {
    const TemporaryFolder folder;
    const RunFolder run(folder.path());
    { const RunLock made(run); }
    std::jthread looking([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) (void)RunLock::held(run);
    });
    for (int n = 0; n < 300; ++n) CHECK_NOTHROW(RunLock(run));
}
