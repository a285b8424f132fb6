#include "core/training/checkpoints.h"

#include "core/storage/atomic_file.h"
#include "core/storage/tensor_file.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lw {

namespace {

constexpr const char* kWeightsFormat = "lengthwise-weights-1";
constexpr const char* kStateFormat = "lengthwise-training-state-1";

/// Shortest text that reads back as the same number.
std::string exact(double value) { return fmt::format("{}", value); }

/// Metadata of a state file, with sentences for what is missing.
class Fields {
public:
    Fields(const std::map<std::string, std::string>& metadata, std::filesystem::path file) : metadata_(metadata), file_(std::move(file)) {}
    [[nodiscard]] const std::string& text(const std::string& name) const {
        const auto found = metadata_.find(name);
        if (found == metadata_.end()) throw Failure(ErrorKind::corrupt_file, fmt::format("{} has no \"{}\" in its metadata: it was not written by this program.", file_.string(), name));
        return found->second;
    }
    [[nodiscard]] std::int64_t whole(const std::string& name) const { return std::strtoll(text(name).c_str(), nullptr, 10); }
    [[nodiscard]] double real(const std::string& name) const { return std::strtod(text(name).c_str(), nullptr); }

    void check(const std::string& format, const std::string& hash) const {
        if (text("format") != format) {
            throw Failure(ErrorKind::corrupt_file, fmt::format("{} has the format \"{}\", and \"{}\" is expected here.", file_.string(), text("format"), format));
        }
        if (text("recipe_hash") == hash) return;
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} was made by the recipe {}, but this run has the recipe {}: recipe.json was changed or the file "
                                                           "belongs to another run.", file_.string(), text("recipe_hash"), hash));
    }

private:
    const std::map<std::string, std::string>& metadata_;
    std::filesystem::path file_;
};

void remove_quietly(const std::filesystem::path& file) {
    std::error_code ignored;  // A checkpoint that stays costs space only.
    std::filesystem::remove(file, ignored);
}

TrainingState load_pair(const RunFolder& folder, Transformer& model, AdamW& optimiser, const std::string& hash, std::int64_t step) {
    const TensorFile weights = read_tensor_file(folder.weights_file(step));
    Fields(weights.metadata, folder.weights_file(step)).check(kWeightsFormat, hash);
    const TensorFile state = read_tensor_file(folder.state_file(step));
    const Fields fields(state.metadata, folder.state_file(step));
    fields.check(kStateFormat, hash);
    load_model_tensors(model, weights.tensors);
    optimiser.load_state(state.tensors);
    return {fields.whole("step"), fields.whole("best_step"), fields.real("best_loss"), fields.real("loss_sum"), fields.whole("loss_count"), fields.real("seconds"),
            fields.real("last_loss"), fields.real("last_norm"), fields.whole("pending") != 0};
}

}  // namespace

void save_weights(const RunFolder& folder, Transformer& model, const std::string& recipe_hash, std::int64_t step) {
    write_tensor_file(folder.weights_file(step), {model_tensors(model), {{"format", kWeightsFormat}, {"recipe_hash", recipe_hash}, {"step", fmt::format("{}", step)}}});
}

void save_state(const RunFolder& folder, const AdamW& optimiser, const std::string& recipe_hash, const TrainingState& state) {
    const std::map<std::string, std::string> metadata{{"format", kStateFormat},
                                                      {"recipe_hash", recipe_hash},
                                                      {"step", fmt::format("{}", state.step)},
                                                      {"best_step", fmt::format("{}", state.best_step)},
                                                      {"best_loss", exact(state.best_loss)},
                                                      {"loss_sum", exact(state.loss_sum)},
                                                      {"loss_count", fmt::format("{}", state.loss_count)},
                                                      {"seconds", exact(state.seconds)},
                                                      {"last_loss", exact(state.last_loss)},
                                                      {"last_norm", exact(state.last_norm)},
                                                      {"pending", state.pending ? "1" : "0"}};
    write_tensor_file(folder.state_file(state.step), {optimiser.state(), metadata});
}

TrainingState load_training(const RunFolder& folder, Transformer& model, AdamW& optimiser, const std::string& recipe_hash) {
    const std::vector<std::int64_t> steps = folder.resumable_steps();
    if (steps.empty()) {
        throw Failure(ErrorKind::not_found, fmt::format("{} has no checkpoint with a training state, so it cannot go on; train its recipe again.", folder.path().string()));
    }
    const at::NoGradGuard no_gradient;
    return load_pair(folder, model, optimiser, recipe_hash, steps.back());
}

void prune_checkpoints(const RunFolder& folder, const PruneRule& rule) {
    // States first: a state without its weights would never be looked at again.
    for (const std::int64_t step : folder.resumable_steps()) {
        if (step != rule.state_step) remove_quietly(folder.state_file(step));
    }
    if (rule.newest == 0) return;
    std::int64_t periodic = 0;
    const std::vector<std::int64_t> steps = folder.weight_steps();
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const bool counts = *step % rule.every == 0;
        if (rule.kept.contains(*step) || (counts && periodic++ < rule.newest)) continue;
        remove_quietly(folder.weights_file(*step));
    }
}

}  // namespace lw
