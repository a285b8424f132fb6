#include "core/lab/load_model.h"

#include "core/api/doctor.h"
#include "core/data/task.h"
#include "core/storage/tensor_file.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

const CheckpointInfo& choose_checkpoint(const RunInfo& run, std::int64_t step) {
    if (run.checkpoints.empty() && !run.base.empty()) throw Failure(ErrorKind::not_found, fmt::format("The run \"{}\" has no weights. {}", run.id, run.message));
    if (run.checkpoints.empty()) throw no_checkpoint(run);
    if (step < -1) throw Failure(ErrorKind::invalid_argument, fmt::format("There is no step {}; -1 stands for the best checkpoint.", step));
    if (step < 0) {
        const auto best = std::find_if(run.checkpoints.begin(), run.checkpoints.end(), [](const auto& c) { return c.best; });
        return best != run.checkpoints.end() ? *best : run.checkpoints.back();
    }
    std::string present;
    for (const auto& checkpoint : run.checkpoints) {
        if (checkpoint.step == step) return checkpoint;
        present += (present.empty() ? "" : ", ") + std::to_string(checkpoint.step);
    }
    throw Failure(ErrorKind::not_found, fmt::format("The run \"{}\" has no checkpoint at step {}; it has {}.", run.id, step, present));
}

}  // namespace

Failure no_checkpoint(const RunInfo& run) {
    if (run.status != "finished") return {ErrorKind::not_found, fmt::format("The run \"{}\" has no checkpoint yet: train it for some more steps.", run.id)};
    return {ErrorKind::not_found, fmt::format("The run \"{}\" finished at step {}, but its checkpoints are gone. Put them back into {}, or delete the run and train its "
                                              "recipe again.", run.id, run.step, (run.folder / "checkpoints").string())};
}

LoadedModel load_model(const std::filesystem::path& run, std::int64_t step, const std::string& device) {
    if (auto status = check_device(device); !status.ok()) throw Failure(status.error().kind, status.error().message);
    LoadedModel loaded;
    loaded.run = read_run(run).value();
    const auto& checkpoint = choose_checkpoint(loaded.run, step);
    loaded.step = checkpoint.step;
    loaded.tokenizer = load_tokenizer(run);
    auto spec = loaded.run.recipe.model;
    if (spec.vocabulary == 0) spec.vocabulary = loaded.tokenizer->size();
    const auto file = read_tensor_file(checkpoint.file);
    const Recipe& recipe = loaded.run.recipe;
    loaded.model = std::make_shared<Transformer>(spec, recipe.scheme, scheme_length(recipe), recipe.seed);
    load_model_tensors(*loaded.model, file.tensors);
    loaded.model->eval();
    loaded.model->to(at::Device(device));
    return loaded;
}

}  // namespace lw
