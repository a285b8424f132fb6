#include "tests/support/catch_torch.h"

#include "core/storage/run_folder.h"
#include "core/storage/tensor_file.h"
#include "core/training/trainer.h"
#include "tests/core/training/tiny_run.h"

#include <cmath>
#include <fmt/format.h>

using namespace lw;

namespace {

bool same_tensors(const std::filesystem::path& a, const std::filesystem::path& b) {
    const TensorFile left = read_tensor_file(a), right = read_tensor_file(b);
    if (left.tensors.size() != right.tensors.size()) return false;
    for (const auto& [name, tensor] : left.tensors) {
        if (!at::equal(tensor, right.tensors.at(name))) return false;
    }
    return true;
}

std::size_t files_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

/// Rows of one fixed table of tokens, in order, whatever the size of a batch.
class FixedRows final : public BatchSource {
public:
    Batch training_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const override {
        const at::Tensor rows = (at::arange(8 * (length + 1)).square() % 97).reshape({8, length + 1}).slice(0, index * batch, (index + 1) * batch);
        return {rows.slice(1, 0, length).contiguous(), rows.slice(1, 1).contiguous()};
    }
    Batch validation_batch(std::int64_t, std::int64_t batch, std::int64_t length) const override { return training_batch(0, batch, length); }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return nullptr; }
};

/// The embedding after one step on the first batch x accumulation rows. SGD-like: a large epsilon keeps Adam's division from
/// blowing rounding of tiny gradients up to whole learning rates.
at::Tensor weights_after_one_step(const TinyLaboratory& lab, const std::string& name, std::int64_t batch, std::int64_t accumulation) {
    Recipe recipe = lab.recipe();
    recipe.model.vocabulary = 97;
    recipe.training.steps = 1;
    recipe.training.batch = batch;
    recipe.training.accumulation = accumulation;
    recipe.training.epsilon = 0.1;
    recipe = check_recipe(recipe).value();
    const RunFolder folder(lab.folder / name);
    make_folder(folder.checkpoint_folder());
    Trainer trainer(folder, recipe, {}, std::make_shared<FixedRows>(), {}, {});
    trainer.run();
    return trainer.model().named_parameters()["embedding"].detach().clone();
}

}  // namespace

TEST_CASE("a stopped and resumed run equals the uninterrupted one bit for bit", "[training]") {
    const TinyLaboratory lab;
    for (const char* scheme : {"alibi", "dape-kerple", "rope"}) {
        INFO(scheme);
        Recipe recipe = lab.recipe(scheme);
        recipe.training.accumulation = 2;
        const RunInfo whole = train(recipe, lab.workspace).value();
        CHECK(whole.status == "finished");
        // Stopped where nothing is due, so that the checkpoint is the stop's own.
        const StopAt stop(5);
        const RunInfo half = train(recipe, lab.workspace, stop.context()).value();
        CHECK(half.status == "stopped");
        CHECK(half.step == 5);
        const RunInfo resumed = resume(half.folder).value();
        CHECK(resumed.status == "finished");
        CHECK(resumed.step == 6);
        CHECK(same_tensors(RunFolder(whole.folder).weights_file(6), RunFolder(resumed.folder).weights_file(6)));
        CHECK(same_tensors(RunFolder(whole.folder).state_file(6), RunFolder(resumed.folder).state_file(6)));
        CHECK(whole.best_loss == resumed.best_loss);
        const auto log_a = read_log(whole.folder).value(), log_b = read_log(resumed.folder).value();
        REQUIRE(log_a.size() == log_b.size());
        for (std::size_t i = 0; i < log_a.size(); ++i) {
            CHECK(log_a[i].step == log_b[i].step);
            CHECK(log_a[i].loss == log_b[i].loss);
            CHECK(log_a[i].validation_loss == log_b[i].validation_loss);
        }
    }
}

TEST_CASE("a run stopped while validating does that validation when it goes on", "[training]") {
    const TinyLaboratory lab;
    const RunInfo whole = train(lab.recipe(), lab.workspace).value();
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    int served = 0;
    // Served once between steps and once per validation batch: the third call is in the middle of the validation of step 2.
    context.serve = [&] {
        if (++served == 2) source.request_stop();
    };
    const RunInfo half = train(lab.recipe(), lab.workspace, context).value();
    CHECK(half.status == "stopped");
    CHECK(half.step == 2);
    CHECK(half.best_loss == 0);
    const RunInfo resumed = resume(half.folder).value();
    CHECK(same_tensors(RunFolder(whole.folder).weights_file(6), RunFolder(resumed.folder).weights_file(6)));
    CHECK(read_log(resumed.folder).value().size() == read_log(whole.folder).value().size());
    CHECK(resumed.best_loss == whole.best_loss);
}

TEST_CASE("the same recipe trains the same weights, another seed others", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    const RunInfo a = train(recipe, lab.workspace).value();
    const RunInfo b = train(recipe, lab.workspace).value();
    CHECK(a.id == "alibi-l32-s1");
    CHECK(b.id == "alibi-l32-s1-2");
    CHECK(same_tensors(RunFolder(a.folder).weights_file(6), RunFolder(b.folder).weights_file(6)));
    recipe.seed = 2;
    const RunInfo c = train(recipe, lab.workspace).value();
    CHECK_FALSE(same_tensors(RunFolder(a.folder).weights_file(6), RunFolder(c.folder).weights_file(6)));
}

TEST_CASE("the loss goes down", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("dape-kerple");
    recipe.training.steps = 60;
    recipe.training.batch = 8;
    recipe.training.validate_every = 60;
    const RunInfo run = train(recipe, lab.workspace).value();
    const auto log = read_log(run.folder).value();
    CHECK(log.front().loss > 5.0);  // about ln 256
    CHECK(log.back().loss < 3.0);
    CHECK(*log.back().validation_loss < 3.0);
    CHECK(log.back().tokens_per_second > 0);
    CHECK(log.back().step == 60);
}

TEST_CASE("training loss equals evaluation loss on the same batch", "[training]") {
    const TinyLaboratory lab;
    for (const char* scheme : {"nope", "rope", "alibi", "dape-alibi", "fire"}) {
        INFO(scheme);
        Recipe recipe = lab.recipe(scheme);
        recipe.training.steps = 1;
        const RunInfo run = train(recipe, lab.workspace).value();
        const RunRecord record = RunFolder(run.folder).read_record();
        REQUIRE(record.loss_check);
        CHECK(record.loss_check->training == Approx(record.loss_check->evaluation).epsilon(1e-5));
        CHECK(record.loss_check->training > 4);
    }
}

TEST_CASE("accumulated micro-batches give the update of one large batch", "[training]") {
    const TinyLaboratory lab;
    const at::Tensor large = weights_after_one_step(lab, "large", 4, 1);
    const at::Tensor small = weights_after_one_step(lab, "small", 2, 2);
    const at::Tensor other = weights_after_one_step(lab, "other", 2, 1);
    CHECK(at::allclose(large, small, 1e-4, 1e-6));
    CHECK_FALSE(at::allclose(large, other, 1e-4, 1e-6));
}

TEST_CASE("a cancelled run keeps what was computed", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.steps = 1000;
    const StopAt stop(3);
    const RunInfo run = train(recipe, lab.workspace, stop.context()).value();
    CHECK(run.status == "stopped");
    CHECK(run.step == 3);
    REQUIRE_FALSE(run.checkpoints.empty());
    CHECK(run.checkpoints.back().step == 3);
    CHECK(RunFolder(run.folder).resumable_steps() == std::vector<std::int64_t>{3});
}

TEST_CASE("a loss that is no number stops the run with a sentence and keeps the last checkpoint", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.steps = 40;
    recipe.training.checkpoint_every = 1;
    recipe.training.validate_every = 40;
    recipe.training.peak_rate = 10;
    recipe.training.weight_decay = 10;
    recipe.training.clip = 0;
    recipe.training.warmup_fraction = 0;
    const Result<RunInfo> result = train(recipe, lab.workspace);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message.find("no longer a finite number") != std::string::npos);
    const RunInfo run = list_runs(lab.workspace).value().runs.at(0);
    CHECK(run.status == "failed");
    CHECK(run.message == result.error().message);
    REQUIRE_FALSE(run.checkpoints.empty());
    for (const auto& [name, tensor] : read_tensor_file(run.checkpoints.back().file).tensors) CHECK(at::isfinite(tensor).all().item<bool>());
}

TEST_CASE("old checkpoints are pruned; the newest, the best and the last stay", "[training]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.steps = 11;
    recipe.training.checkpoint_every = 2;
    recipe.training.validate_every = 3;
    recipe.training.keep_checkpoints = 2;
    const RunInfo run = train(recipe, lab.workspace).value();
    const std::vector<std::int64_t> steps = RunFolder(run.folder).weight_steps();
    const std::int64_t best = RunFolder(run.folder).read_record().best_step;
    for (const std::int64_t step : {std::int64_t{8}, std::int64_t{10}, std::int64_t{11}, best}) {
        INFO(step);
        CHECK(std::find(steps.begin(), steps.end(), step) != steps.end());
    }
    CHECK(steps.size() <= 4);
    CHECK(RunFolder(run.folder).resumable_steps() == std::vector<std::int64_t>{11});
    // Weights, one state, nothing half-written.
    CHECK(files_in(RunFolder(run.folder).checkpoint_folder()) == steps.size() + 1);
    const auto marked = std::count_if(run.checkpoints.begin(), run.checkpoints.end(), [](const CheckpointInfo& c) { return c.best; });
    CHECK(marked == 1);
}

TEST_CASE("hooks hear of the start, the log and the live map", "[training]") {
    const TinyLaboratory lab;
    std::vector<std::string> heard;
    TrainHooks hooks;
    hooks.log_every = 2;
    hooks.on_start = [&](const RunInfo& run) { heard.push_back("start " + run.status); };
    hooks.on_log = [&](const LogPoint& point) { heard.push_back("log " + std::to_string(point.step)); };
    std::vector<MapTile> maps;
    hooks.on_map = [&](const MapTile& tile) { maps.push_back(tile); };
    hooks.live_map = [] { return LiveMapRequest{3, 1, 2, ScorePart::probability}; };
    (void)train(lab.recipe("dape-kerple"), lab.workspace, {}, hooks).value();
    CHECK(heard == std::vector<std::string>{"start running", "log 1", "log 2", "log 4", "log 6"});
    REQUIRE(maps.size() == 2);
    CHECK(maps[0].layer == 1);
    CHECK(maps[0].head == 2);
    REQUIRE(maps[0].rows == 32);
    REQUIRE(maps[0].columns == 32);
    double sum = 0;
    for (std::size_t key = 0; key <= 20; ++key) sum += static_cast<double>(maps[0].values[20 * 32 + key]);
    CHECK(sum == Approx(1.0).epsilon(1e-4));
    CHECK(std::isnan(maps[0].values[20 * 32 + 21]));
}

TEST_CASE("training asks to be served between steps", "[training]") {
    const TinyLaboratory lab;
    int served = 0;
    RunContext context;
    context.serve = [&] { ++served; };
    (void)train(lab.recipe(), lab.workspace, context).value();
    CHECK(served >= 6);
}

TEST_CASE("training leaves the process's own random numbers alone", "[training]") {
    const TinyLaboratory lab;
    at::manual_seed(7);
    const at::Tensor expected = at::rand({4});
    at::manual_seed(7);
    (void)train(lab.recipe("dape-kerple"), lab.workspace).value();
    CHECK(at::equal(at::rand({4}), expected));
}
