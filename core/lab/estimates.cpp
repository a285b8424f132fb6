#include "core/lab/estimates.h"

#include "core/api/doctor.h"
#include "core/data/batch_source.h"
#include "core/device/device.h"
#include "core/lab/guard.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

/// Parts of the measured speed of one large matrix product that training reaches: measured with the demo's size, where the many
/// small matrices of a model are slower, and a network over pairs of tokens is bound by memory.
constexpr double kMatrixSpeed = 0.6;
constexpr double kAdaptiveSpeed = 0.15;

}  // namespace

Recipe with_expected_vocabulary(Recipe recipe) {
    if (recipe.model.vocabulary > 0) return recipe;
    const bool from_texts = recipe.data.tokenizer == "bpe" && !recipe.data.source.starts_with("task:");
    recipe.model.vocabulary = from_texts ? recipe.data.vocabulary : open_tokenizer(recipe.data)->size();
    return recipe;
}

std::int64_t available_bytes(const std::string& device) {
    if (device == "cpu") return memory_use().available;
    const std::string id = device == "cuda" ? "cuda:0" : device;
    for (const DeviceInfo& info : usable_devices()) {
        if (info.id == id) return info.memory / 10 * 9;  // the driver and the libraries keep some for themselves
    }
    return 0;
}

std::string memory_advice(const Recipe& recipe, const TrainingCost& cost, std::int64_t available, bool on_gpu) {
    if (cost.bytes <= available) return "";
    const SmallerBatch smaller = fitting_batch(recipe, on_gpu, available);
    if (smaller.batch > 0) {
        return fmt::format("training.batch {} with training.accumulation {} sees the same tokens per step and needs about {}.", smaller.batch, smaller.accumulation,
                           size_words(smaller.bytes));
    }
    return "Try a smaller training.length, model.width, model.layers or vocabulary.";
}

void refuse_too_large(const Recipe& recipe, const std::string& device) {
    const bool on_gpu = device != "cpu";
    const TrainingCost cost = training_cost(recipe, on_gpu);
    const std::int64_t available = available_bytes(device);
    const std::string advice = memory_advice(recipe, cost, available, on_gpu);
    if (advice.empty()) return;
    throw Failure(ErrorKind::out_of_memory, fmt::format("Training this recipe needs about {} of memory, and {} are available on {}. {}", size_words(cost.bytes),
                                                        size_words(available), device, advice));
}

Result<TrainingEstimate> estimate_training(const Recipe& recipe) {
    return guarded<TrainingEstimate>([&] {
        const Recipe resolved = with_expected_vocabulary(check_recipe(recipe).value());
        const TrainingCost cost = training_cost(resolved, false);
        TrainingEstimate estimate;
        estimate.parameters = cost.parameters;
        estimate.bytes = cost.bytes;
        estimate.bytes_available = available_bytes("cpu");
        const double speed = machine_gflops() * 1e9;
        estimate.seconds_per_step = cost.matrix_operations / (speed * kMatrixSpeed) + cost.adaptive_operations / (speed * kAdaptiveSpeed);
        estimate.attention_path = cost.attention_path;
        estimate.advice = memory_advice(resolved, cost, estimate.bytes_available, false);
        return estimate;
    });
}

}  // namespace lw
