/// Runs that go on with another run's weights, at another length and with an extension.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"
#include "tests/core/training/tiny_run.h"

using namespace lw;

namespace {

Recipe continued(const TinyLaboratory& lab, const RunInfo& base) {
    Recipe recipe = lab.recipe("rope");
    recipe.scheme.slots["frequency"] = {"yarn", {{"factor", 2.0}}};
    recipe.training.length = 64;
    recipe.seed = 5;  // of the batches: the weights are the other run's
    recipe.start = {training_hash(base.recipe), -1, base.recipe.training.length};
    return recipe;
}

void check_equal(const std::filesystem::path& a, const std::filesystem::path& b) {
    const TensorFile left = read_tensor_file(a), right = read_tensor_file(b);
    REQUIRE(left.tensors.size() == right.tensors.size());
    for (const auto& [name, tensor] : left.tensors) CHECK(at::equal(tensor, right.tensors.at(name)));
}

std::filesystem::path best_weights(const RunInfo& run) {
    for (const CheckpointInfo& checkpoint : run.checkpoints) {
        if (checkpoint.best) return checkpoint.file;
    }
    return run.checkpoints.back().file;
}

}  // namespace

TEST_CASE("a run that goes on with another's weights keeps them as its step 0", "[lab]") {
    const TinyLaboratory lab;
    const RunInfo base = train(lab.recipe("rope"), lab.workspace).value();
    const RunInfo run = train(continued(lab, base), lab.workspace).value();
    CHECK(run.status == "finished");
    check_equal(RunFolder(run.folder).weights_file(0), best_weights(base));
    CHECK(read_run(run.folder).value().recipe.start.length == 32);
    CHECK(evaluate(run.folder, run.recipe.evaluation).ok());
}

TEST_CASE("scalings count from the length that the weights were first trained with", "[lab]") {
    const TinyLaboratory lab;
    const RunInfo base = train(lab.recipe("rope"), lab.workspace).value();
    Recipe dynamic = continued(lab, base);
    dynamic.scheme.slots["frequency"] = {"dynamic-ntk", {}};
    const RunInfo from_32 = train(dynamic, lab.workspace).value();
    dynamic.start.length = 64;  // within the length that was trained nothing is scaled
    const RunInfo from_64 = train(dynamic, lab.workspace).value();
    CHECK(read_log(from_32.folder).value().at(0).loss != read_log(from_64.folder).value().at(0).loss);
}

TEST_CASE("killed before its first training state, it begins with the same weights again", "[lab]") {
    const TinyLaboratory lab;
    const RunInfo base = train(lab.recipe("rope"), lab.workspace).value();
    const RunInfo whole = train(continued(lab, base), lab.workspace).value();
    for (const bool has_step_0 : {true, false}) {
        const std::filesystem::path copy = lab.workspace / (has_step_0 ? "cut" : "cut-earlier");
        std::filesystem::copy(whole.folder, copy, std::filesystem::copy_options::recursive);
        const RunFolder folder(copy);
        for (const auto& entry : std::filesystem::directory_iterator(folder.checkpoint_folder())) {
            if (!has_step_0 || entry.path() != folder.weights_file(0)) std::filesystem::remove(entry.path());
        }
        RunRecord record = folder.read_record();
        record.status = "running";
        record.best_step = -1;
        folder.write_record(record);
        const RunInfo resumed = resume(copy).value();
        CHECK(resumed.status == "finished");
        check_equal(folder.weights_file(6), RunFolder(whole.folder).weights_file(6));
    }
}

TEST_CASE("weights of another shape are refused with the tensor's name", "[lab]") {
    const TinyLaboratory lab;
    const RunInfo base = train(lab.recipe("rope"), lab.workspace).value();
    Recipe wider = continued(lab, base);
    wider.model.width = 32;
    const auto refused = train(wider, lab.workspace);
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message, Catch::Contains("in the checkpoint, but the model needs"));
    CHECK(list_runs(lab.workspace).value().runs.size() == 1);  // nothing is left behind
}
