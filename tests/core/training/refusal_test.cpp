#include "tests/support/catch_torch.h"

#include "core/api/doctor.h"
#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"
#include "tests/core/training/tiny_run.h"

#include <csignal>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

using namespace lw;

namespace {

Error error_of(const Result<RunInfo>& result) {
    REQUIRE_FALSE(result.ok());
    return result.error();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool has_no_runs(const std::filesystem::path& folder) { return !std::filesystem::exists(folder) || std::filesystem::is_empty(folder); }

}  // namespace

TEST_CASE("a recipe larger than memory is refused before the start with what would fit", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("cope");
    recipe.training.length = 65536;
    recipe.training.batch = 256;
    const Error error = error_of(train(recipe, lab.workspace));
    CHECK(error.kind == ErrorKind::out_of_memory);
    CHECK(contains(error.message, "needs about"));
    CHECK(contains(error.message, "are available"));
    CHECK(has_no_runs(lab.workspace));
}

TEST_CASE("the estimate names parameters, bytes, time and the attention path", "[training]") {
    const TinyLaboratory lab;
    const TrainingEstimate estimate = estimate_training(lab.recipe("dape-kerple")).value();
    CHECK(estimate.parameters > 1000);
    CHECK(estimate.bytes > 4 * 4 * estimate.parameters);
    CHECK(estimate.bytes_available > 0);
    CHECK(estimate.seconds_per_step > 0);
    CHECK_FALSE(estimate.attention_path.empty());
    CHECK(estimate.advice.empty());
    Recipe large = lab.recipe("alibi");
    large.model.width = 65536;
    large.model.layers = 256;
    CHECK_FALSE(estimate_training(large).value().advice.empty());
    Recipe bounded = lab.recipe("learned");
    bounded.evaluation.lengths = {32, 64};  // trained on 32
    CHECK(contains(estimate_training(bounded).value().advice, "of its evaluation the length 64 will be left out."));
}

TEST_CASE("estimating a large model takes no memory of its size and counts past 64 bits", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("learned");
    recipe.scheme.slots.at("input").params["rows"] = std::int64_t{131072};
    recipe.model.width = 65536;  // a table of 34 GB
    const std::int64_t before = memory_use().peak;
    CHECK(estimate_training(recipe).value().parameters > std::int64_t{131072} * 65536);
    CHECK(memory_use().peak - before < 500'000'000);
    Recipe largest = lab.recipe("kerple-log");
    largest.model.layers = largest.model.heads = 256;
    largest.model.width = 65536;
    largest.model.ffn_width = 262144;
    largest.training.length = 1048576;
    largest.training.batch = 65536;
    const TrainingEstimate estimate = estimate_training(largest).value();
    CHECK(estimate.bytes == std::numeric_limits<std::int64_t>::max());
    CHECK_FALSE(estimate.advice.empty());
    CHECK(estimate_training(lab.recipe(), "cuda:63").error().kind == ErrorKind::unavailable);
}

TEST_CASE("a GPU that is not there is refused", "[training]") {
    const TinyLaboratory lab;
    RunContext context;
    context.device = "cuda:63";
    CHECK(error_of(train(lab.recipe(), lab.workspace, context)).kind == ErrorKind::unavailable);
    CHECK(has_no_runs(lab.workspace));
}

TEST_CASE("bf16 on the CPU is refused with a sentence", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.precision = "bf16";
    CHECK(contains(error_of(train(recipe, lab.workspace)).message, "for GPUs"));
    CHECK(has_no_runs(lab.workspace));
}

TEST_CASE("a workspace that cannot be written to is refused", "[training]") {
    const TinyLaboratory lab;
    const auto file = lab.folder / "file";
    write_file(file, "x");
    const Error error = error_of(train(lab.recipe(), file));
    CHECK(error.kind == ErrorKind::io);
    CHECK(contains(error.message, "a file is in its place"));
    CHECK(contains(error_of(train(lab.recipe(), "/proc/lengthwise")).message, "/proc/lengthwise"));
}

TEST_CASE("a vocabulary smaller than the tokenizer's is refused", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.model.vocabulary = 100;
    CHECK(contains(error_of(train(recipe, lab.workspace)).message, "model.vocabulary is 100"));
    CHECK(has_no_runs(lab.workspace));
}

TEST_CASE("an evaluation past the table of learned positions is refused before the start, where the recipe names its lengths", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("learned");
    CHECK(estimate_training(recipe).ok());
    recipe.evaluation.lengths = {recipe.training.length, 4 * recipe.training.length};
    CHECK(estimate_training(recipe).ok());  // the first of them can be measured
    recipe.evaluation.lengths = {4 * recipe.training.length};
    const Error error = error_of(train(recipe, lab.workspace));
    CHECK(error.kind == ErrorKind::invalid_argument);
    CHECK(contains(error.message, "Learned has a table of"));
    CHECK(has_no_runs(lab.workspace));
    const auto estimate = estimate_training(recipe);
    REQUIRE_FALSE(estimate.ok());
    CHECK(estimate.error().message == error.message);
}

TEST_CASE("a disk that fills up while saving fails the run with a sentence and keeps whole files", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.checkpoint_every = 2;
    recipe.training.validate_every = 100;
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    RunContext context;
    // The first checkpoint is written; then files may not grow past 8 kB, which the run's record needs and no checkpoint fits into.
    context.progress = [&](const Progress& progress) {
        const rlimit small{8192, before.rlim_max};
        if (progress.stage == "Training" && progress.done == 3) ::setrlimit(RLIMIT_FSIZE, &small);
    };
    const Result<RunInfo> result = train(recipe, lab.workspace, context);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    const Error error = error_of(result);
    CHECK(error.kind == ErrorKind::io);
    CHECK(contains(error.message, "Disk full"));
    const RunInfo run = list_runs(lab.workspace).value().runs.at(0);
    CHECK(run.status == "failed");
    CHECK(RunFolder(run.folder).resumable_steps() == std::vector<std::int64_t>{2});
    for (const CheckpointInfo& checkpoint : run.checkpoints) CHECK_NOTHROW(read_tensor_file(checkpoint.file));
    // With space again, it goes on.
    CHECK(resume(run.folder).value().status == "finished");
}

TEST_CASE("a checkpoint of another recipe is refused", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    const StopAt stop(3);
    const RunInfo run = train(recipe, lab.workspace, stop.context()).value();
    std::string text = read_file(RunFolder(run.folder).recipe_file());
    const std::size_t at = text.find("\"peak_rate\": 0.01");
    REQUIRE(at != std::string::npos);
    write_file(RunFolder(run.folder).recipe_file(), text.replace(at, 17, "\"peak_rate\": 0.02"));
    const Error error = error_of(resume(run.folder));
    CHECK(error.kind == ErrorKind::corrupt_file);
    CHECK(contains(error.message, "recipe.json was changed"));
}

TEST_CASE("a truncated checkpoint is refused by name", "[training]") {
    const TinyLaboratory lab;
    const StopAt stop(3);
    const RunInfo run = train(lab.recipe(), lab.workspace, stop.context()).value();
    const auto file = RunFolder(run.folder).weights_file(3);
    const std::string whole = read_file(file);
    write_file(file, whole.substr(0, whole.size() / 2));
    const Error error = error_of(resume(run.folder));
    CHECK(error.kind == ErrorKind::corrupt_file);
    CHECK(contains(error.message, "step-0000003.safetensors"));
}

TEST_CASE("a finished run is not trained again", "[training]") {
    const TinyLaboratory lab;
    const RunInfo run = train(lab.recipe(), lab.workspace).value();
    const auto written = std::filesystem::last_write_time(RunFolder(run.folder).weights_file(6));
    CHECK(resume(run.folder).value().status == "finished");
    CHECK(std::filesystem::last_write_time(RunFolder(run.folder).weights_file(6)) == written);
}

TEST_CASE("a finished run without checkpoints is not said to be done", "[training]") {
    const TinyLaboratory lab;
    const RunInfo run = train(lab.recipe(), lab.workspace).value();
    std::filesystem::remove_all(run.folder / "checkpoints");
    const Error error = error_of(resume(run.folder));
    CHECK(error.kind == ErrorKind::not_found);
    CHECK(contains(error.message, "finished at step 6, but its checkpoints are gone"));
}

TEST_CASE("weights without a training state cannot go on, and are not overwritten", "[training]") {
    const TinyLaboratory lab;
    const StopAt stop(3);
    const RunInfo run = train(lab.recipe(), lab.workspace, stop.context()).value();
    std::filesystem::remove(RunFolder(run.folder).state_file(3));
    const Error error = error_of(resume(run.folder));
    CHECK(error.kind == ErrorKind::not_found);
    CHECK(contains(error.message, "no checkpoint with a training state"));
    CHECK_NOTHROW(read_tensor_file(RunFolder(run.folder).weights_file(3)));
}
