/// train() and resume(): a recipe becomes a run folder, and the trainer works in it.

#include "core/api/doctor.h"
#include "core/api/runs.h"
#include "core/device/device.h"
#include "core/lab/estimates.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/lab/new_run_folder.h"
#include "core/lab/start_weights.h"
#include "core/storage/atomic_file.h"
#include "core/storage/recipe_json.h"
#include "core/storage/tensor_file.h"
#include "core/training/trainer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

namespace lw {

namespace {

namespace fs = std::filesystem;

/// "DAPE-Kerple" -> "dape-kerple"; letters and digits of ASCII only, so that an id works in every shell and file system.
std::string slug(const std::string& title) {
    std::string id;
    for (const char c : title) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 128 && std::isalnum(byte) != 0) {
            id.push_back(static_cast<char>(std::tolower(byte)));
        } else if (!id.empty() && id.back() != '-') {
            id.push_back('-');
        }
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id.empty() ? "run" : id.substr(0, 60);
}

void require_device(const std::string& device) {
    const Status status = check_device(device);
    if (!status.ok()) throw Failure(status.error().kind, status.error().message);
}

void require_precision(const Recipe& recipe, const std::string& device) {
    if (recipe.training.precision != "bf16" || device != "cpu") return;
    throw Failure(ErrorKind::invalid_argument, "training.precision is \"bf16\", which is for GPUs; on the CPU it is slower and less exact. Set it to \"fp32\" or choose a GPU.");
}

/// The model's vocabulary must hold every token of the data.
void fill_vocabulary(Recipe& recipe, const Tokenizer& tokenizer) {
    if (recipe.model.vocabulary == 0) recipe.model.vocabulary = tokenizer.size();
    if (recipe.model.vocabulary >= tokenizer.size()) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("model.vocabulary is {}, but the tokenizer of the data has {} tokens. Set it to 0 to take the tokenizer's size.",
                                                           recipe.model.vocabulary, tokenizer.size()));
}

void note_machine(RunRecord& record, const std::string& device) {
    record.device = device;
    record.threads = thread_count();
    record.program_version = LW_VERSION;
    record.torch_version = torch_version();
}

RunRecord new_record(const Recipe& recipe, const std::string& device) {
    RunRecord record;
    record.recipe_hash = recipe_hash(recipe);
    record.recipe = recipe_json(recipe);
    record.precision = recipe.training.precision;
    record.seed = recipe.seed;
    record.created = timestamp();
    note_machine(record, device);
    return record;
}

/// "RoPE + YaRN": the title of a run whose recipe and scheme have no name.
std::string methods_line(const SchemeSpec& scheme) {
    std::string line;
    for (const SlotInfo& slot : slots()) {
        const auto filled = scheme.slots.find(slot.id);
        if (filled == scheme.slots.end() || filled->second.id == "none") continue;
        line += (line.empty() ? "" : " + ") + describe_method(slot.id, filled->second.id).value().name;
    }
    return line.empty() ? "No position" : line;
}

void write_run_files(const RunFolder& folder, const Recipe& recipe, const Tokenizer& tokenizer, const RunRecord& record) {
    make_folder(folder.checkpoint_folder());
    make_folder(folder.evaluation_folder());
    write_file(folder.recipe_file(), recipe_json(recipe));
    tokenizer.save(folder.path());
    folder.write_record(record);
}

RunInfo run_to_end(Trainer& trainer, const RunFolder& folder, const TrainHooks& hooks) {
    if (hooks.on_start) hooks.on_start(read_run(folder.path()).value());
    try {
        trainer.run();
    } catch (...) {
        trainer.note_failure(classify(std::current_exception()).message);
        throw;
    }
    return read_run(folder.path()).value();
}

RunInfo train_new(const Recipe& asked, const fs::path& workspace, const RunContext& context, const TrainHooks& hooks) {
    Recipe recipe = check_recipe(asked).value();
    if (recipe.name.empty() && recipe.scheme.name.empty()) recipe.scheme.name = methods_line(recipe.scheme);
    require_device(context.device);
    require_precision(recipe, context.device);
    refuse_vocabulary(recipe);
    refuse_unmeasurable(recipe);
    refuse_too_large(as_it_will_be(recipe), context.device);
    const auto start = find_start(recipe, workspace);
    const auto batches = open_batches(recipe.data, recipe.seed, recipe.training.length, start ? start->tokenizer : nullptr, context);
    fill_vocabulary(recipe, *batches->tokenizer());
    NewRunFolder made(workspace);
    const RunLock lock(made.folder());  // held through the renaming
    const RunRecord record = new_record(recipe, context.device);
    write_run_files(made.folder(), recipe, *batches->tokenizer(), record);
    made.appear(fmt::format("{}-l{}-s{}", slug(recipe.name.empty() ? recipe.scheme.name : recipe.name), recipe.training.length, recipe.seed));
    const RunFolder folder = made.folder();
    Trainer trainer(folder, recipe, record, batches, context, hooks);
    if (start) trainer.start_from(start->weights);
    trainer.check_losses();
    folder.write_record(trainer.record());
    made.keep();
    return run_to_end(trainer, folder, hooks);
}

/// Killed before its first training state, a run has nothing to lose and starts again: the same seed gives the same steps. The first weights may
/// be there, since they are written just before the state. Weights alone from later steps are something to lose, and cannot go on; neither
/// can a run that ended otherwise, for then its state was written.
bool never_saved(const RunFolder& folder, const Recipe& recipe, const RunRecord& record) {
    const std::vector<std::int64_t> weights = folder.weight_steps();
    const bool cut_off = record.status == "running" || record.status == "failed";
    return cut_off && folder.resumable_steps().empty() && (weights.empty() || weights.back() <= recipe.training.checkpoint_every);
}

/// What a run that goes on with another's weights began with: kept as its own step 0 from the start on.
std::map<std::string, at::Tensor> first_weights(const RunFolder& folder, const Recipe& recipe) {
    std::error_code error;
    if (fs::exists(folder.weights_file(0), error)) return read_tensor_file(folder.weights_file(0)).tensors;
    return find_start(recipe, fs::absolute(folder.path()).parent_path())->weights;
}

/// A packed copy holds the best weights as float16 and nothing to go on from; starting it again would overwrite them.
void refuse_packed(const RunRecord& record, const RunInfo& info) {
    if (!record.packed) return;
    throw Failure(ErrorKind::not_found, fmt::format("{} is a packed copy: it has no checkpoint with a training state, so it cannot go on. Train its recipe again: "
                                                    "lengthwise-cli train --recipe {}", info.id, (info.folder / "recipe.json").string()));
}

RunInfo resume_run(const fs::path& path, const RunContext& context, const TrainHooks& hooks) {
    const RunInfo info = read_run(path).value();
    if (info.demo) throw Failure(ErrorKind::invalid_argument, fmt::format("{} comes with the program and is read-only; train its recipe into a workspace instead.", info.id));
    if (!info.base.empty()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} uses the weights of {} and cannot be trained; train that run.", info.id, info.base.filename().string()));
    }
    const RunFolder folder(path);
    const RunLock lock(folder);
    if (info.status == "finished" && info.checkpoints.empty()) throw no_checkpoint(info);
    if (info.status == "finished") return info;
    require_device(context.device);
    require_precision(info.recipe, context.device);
    remove_leftovers(folder.path());
    remove_leftovers(folder.checkpoint_folder());
    RunRecord record = folder.read_record();
    refuse_packed(record, info);
    const bool again = never_saved(folder, info.recipe, record);
    record.recipe_hash = recipe_hash(info.recipe);  // where a checkpoint was trained by another one, it is refused below
    record.recipe = recipe_json(info.recipe);
    note_machine(record, context.device);
    refuse_too_large(info.recipe, context.device);
    const auto batches = open_batches(info.recipe.data, info.recipe.seed, info.recipe.training.length, load_tokenizer(path), context);
    if (again) record.best_step = -1;
    Trainer trainer(folder, info.recipe, record, batches, context, hooks);
    if (!again) trainer.restore();
    if (again && !info.recipe.start.recipe.empty()) trainer.start_from(first_weights(folder, info.recipe));
    if (!record.loss_check) trainer.check_losses();
    return run_to_end(trainer, folder, hooks);
}

}  // namespace

Result<RunInfo> train(const Recipe& recipe, const fs::path& workspace, const RunContext& context, const TrainHooks& hooks) {
    return guarded<RunInfo>([&] { return train_new(recipe, workspace, context, hooks); });
}

Result<RunInfo> resume(const fs::path& run, const RunContext& context, const TrainHooks& hooks) {
    return guarded<RunInfo>([&] { return resume_run(run, context, hooks); });
}

}  // namespace lw
