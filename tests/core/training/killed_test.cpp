#include "tests/support/catch_torch.h"

#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"
#include "tests/core/training/tiny_run.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace lw;

namespace {

constexpr const char* kChildVariable = "LENGTHWISE_TEST_KILLED_FOLDER";

Recipe killed_recipe(const std::filesystem::path& folder) {
    Recipe recipe;
    recipe.scheme = find_scheme("dape-kerple").value();
    recipe.model.layers = 2;
    recipe.model.heads = 4;
    recipe.model.width = 16;
    recipe.data.source = (folder / "corpus").string();
    recipe.data.tokenizer = "byte";
    recipe.training.length = 32;
    recipe.training.batch = 2;
    recipe.training.steps = 400;
    recipe.training.checkpoint_every = 1;
    recipe.training.validate_every = 3;
    recipe.training.validation_batches = 1;
    recipe.training.keep_checkpoints = 2;
    return recipe;
}

/// This test program again, as a process of its own that runs one hidden test case: a fork alone would share torch's threads.
pid_t start_child(const std::filesystem::path& folder) {
    const ScopedVariable variable(kChildVariable, folder.string());
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::execl("/proc/self/exe", "training_tests", "trains until it is killed", static_cast<char*>(nullptr));
    ::_exit(127);
}

std::int64_t last_step(const std::filesystem::path& workspace) {
    for (const RunInfo& run : list_runs(workspace).value().runs) return run.step;
    return -1;
}

void check_whole_files(const RunFolder& run) {
    CHECK_NOTHROW(run.read_record());
    CHECK(read_recipe(run.recipe_file()).ok());
    CHECK_NOTHROW(read_log_file(run.log_file()));
    for (const std::int64_t step : run.weight_steps()) CHECK_NOTHROW(read_tensor_file(run.weights_file(step)));
    for (const std::int64_t step : run.resumable_steps()) CHECK_NOTHROW(read_tensor_file(run.state_file(step)));
}

}  // namespace

TEST_CASE("trains until it is killed", "[.killed]") {
    const char* folder = std::getenv(kChildVariable);
    REQUIRE(folder != nullptr);
    (void)train(killed_recipe(folder), std::filesystem::path(folder) / "workspace");
}

TEST_CASE("a run killed at any moment leaves whole files and goes on as if nothing had happened", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = killed_recipe(lab.folder.path());
    // Moments after the first checkpoint, at whatever a step is doing then: saving takes most of the time of so small a model.
    for (const useconds_t moment : {0U, 1700U, 5300U, 11900U}) {
        INFO("killed after " << moment << " microseconds");
        std::filesystem::remove_all(lab.workspace);
        const pid_t child = start_child(lab.folder.path());
        REQUIRE(child > 0);
        while (last_step(lab.workspace) < 3 && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(2000);
        ::usleep(moment);
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status));
        const RunInfo cut = list_runs(lab.workspace).value().runs.at(0);
        CHECK(cut.status == "stopped");
        const RunFolder folder(cut.folder);
        check_whole_files(folder);
        REQUIRE_FALSE(folder.resumable_steps().empty());
        // A few steps on, then compared with a run that nobody killed.
        const std::int64_t target = folder.resumable_steps().back() + 3;
        const StopAt first(static_cast<double>(target)), second(static_cast<double>(target));
        const RunInfo resumed = resume(cut.folder, first.context()).value();
        const RunInfo whole = train(recipe, lab.folder / "undisturbed", second.context()).value();
        REQUIRE(resumed.step == target);
        REQUIRE(whole.step == target);
        const TensorFile a = read_tensor_file(folder.weights_file(target)), b = read_tensor_file(RunFolder(whole.folder).weights_file(target));
        for (const auto& [name, tensor] : a.tensors) CHECK(at::equal(tensor, b.tensors.at(name)));
    }
}
