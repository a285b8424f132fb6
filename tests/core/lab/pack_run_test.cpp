/// Packed copies: small, whole or absent, and never trained on by accident.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"
#include "tests/core/training/tiny_run.h"

#include <limits>

using namespace lw;

namespace {

RunInfo finished(const TinyLaboratory& lab) {
    Recipe recipe = lab.recipe();
    recipe.training.steps = 3;
    return train(recipe, lab.workspace).value();
}

std::size_t entries_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a packed copy holds the best weights as float16 and can be used like the run", "[lab][pack]") {
    const TinyLaboratory lab;
    const RunInfo run = finished(lab);
    const RunInfo copy = pack_run(run.folder, lab.folder / "copy").value();
    CHECK(copy.status == "finished");
    REQUIRE(copy.checkpoints.size() == 1);
    CHECK(copy.checkpoints.front().best);
    CHECK(RunFolder(copy.folder).resumable_steps().empty());
    for (const auto& [name, tensor] : read_tensor_file(copy.checkpoints.front().file).tensors) {
        if (tensor.is_floating_point()) CHECK(tensor.scalar_type() == at::kHalf);
    }
    GenerateRequest request;
    request.run = copy.folder;
    request.tokens = 2;
    CHECK(generate(request).ok());
}

TEST_CASE("a target that ends in a slash is the folder before the slash", "[lab][pack]") {
    const TinyLaboratory lab;
    const RunInfo run = finished(lab);
    std::filesystem::create_directories(lab.folder / "shared");
    const RunInfo copy = pack_run(run.folder, (lab.folder / "shared").string() + "/copy/").value();
    CHECK(copy.id == "copy");
    CHECK(entries_in(lab.folder / "shared") == 1);
}

TEST_CASE("a copy that cannot be finished leaves nothing behind", "[lab][pack]") {
    const TinyLaboratory lab;
    const RunInfo run = finished(lab);
    std::filesystem::create_directories(lab.folder / "shared");
    CHECK_FALSE(pack_run(run.folder, lab.folder / "shared").ok());  // it exists
    std::filesystem::remove(run.folder / "tokenizer.json");
    std::filesystem::create_directories(run.folder / "tokenizer.json");  // not to be copied as a file
    CHECK_FALSE(pack_run(run.folder, lab.folder / "shared" / "copy").ok());
    CHECK(entries_in(lab.folder / "shared") == 0);
}

TEST_CASE("a packed copy of a stopped run cannot go on, and its weights stay as they are", "[lab][pack]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.steps = 50;
    recipe.training.checkpoint_every = 40;  // the best weights come from a validation before any checkpoint
    const StopAt stop(4);
    const RunInfo run = train(recipe, lab.workspace, stop.context()).value();
    REQUIRE(run.status == "stopped");
    const RunInfo copy = pack_run(run.folder, lab.workspace / "copy").value();
    const auto file = copy.checkpoints.front().file;
    const std::string before = read_file(file);
    const auto resumed = resume(copy.folder);
    REQUIRE_FALSE(resumed.ok());
    CHECK_THAT(resumed.error().message, Catch::Contains("packed copy"));
    CHECK(read_file(file) == before);
    // Packed by an earlier version, without the note in run.json.
    RunRecord record = RunFolder(copy.folder).read_record();
    record.packed = false;
    RunFolder(copy.folder).write_record(record);
    CHECK_FALSE(resume(copy.folder).ok());
    CHECK(read_file(file) == before);
}

TEST_CASE("a packed copy goes into a new folder outside the run", "[lab][pack]") {
    const TinyLaboratory lab;
    const RunInfo run = finished(lab);
    write_file(lab.folder / "file", "text");
    std::filesystem::create_symlink(lab.folder / "nowhere", lab.folder / "link");
    for (const auto& [target, word] : {std::pair{std::filesystem::path(), "needs a name"}, {lab.folder / "link", "exists already"}, {lab.folder / "link/", "exists already"},
                                       {lab.folder / "file/copy", "is not a folder"}, {run.folder / "copy", "lies in the run"}, {run.folder / "a" / "b", "lies in the run"}}) {
        const auto refused = pack_run(run.folder, target);
        INFO(target.string());
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().kind == ErrorKind::invalid_argument);
        CHECK_THAT(refused.error().message, Catch::Contains(word));
    }
    CHECK(std::filesystem::is_symlink(lab.folder / "link"));
    CHECK(pack_run(run.folder, lab.folder / "new/deep/copy").ok());
}

TEST_CASE("weights that float16 cannot hold are not packed", "[lab][pack]") {
    const TinyLaboratory lab;
    const RunInfo run = finished(lab);
    for (const auto& [value, kind] : {std::pair{1e30, ErrorKind::invalid_argument}, {std::numeric_limits<double>::infinity(), ErrorKind::corrupt_file}}) {
        for (const auto& checkpoint : run.checkpoints) {
            TensorFile file = read_tensor_file(checkpoint.file);
            for (auto& [name, tensor] : file.tensors) {
                if (tensor.is_floating_point()) tensor.view(-1)[0] = value;
            }
            write_tensor_file(checkpoint.file, file);
        }
        const auto refused = pack_run(run.folder, lab.folder / "copy");
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().kind == kind);
        CHECK_FALSE(std::filesystem::exists(lab.folder / "copy"));
    }
}

TEST_CASE("what is damaged in a run is not copied into a packed one", "[lab][pack]") {
    const TinyLaboratory lab;
    const RunInfo run = finished(lab);
    REQUIRE(evaluate(run.folder, short_spec()).ok());
    for (const auto& file : {RunFolder(run.folder).evaluation_folder() / "last-k.json", run.folder / "tokenizer.json"}) {
        const std::string before = read_file(file);
        write_file(file, file.filename() == "tokenizer.json" ? "" : "{");
        const auto refused = pack_run(run.folder, lab.folder / "copy");
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().kind == ErrorKind::corrupt_file);
        CHECK_THAT(refused.error().message, Catch::Contains(file.filename().string()));
        CHECK_FALSE(std::filesystem::exists(lab.folder / "copy"));
        write_file(file, before);
    }
    CHECK(pack_run(run.folder, lab.folder / "copy").ok());
}
