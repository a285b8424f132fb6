#include "core/lab/estimates.h"

#include "core/api/doctor.h"
#include "core/data/batch_source.h"
#include "core/data/task.h"
#include "core/data/tokenizers.h"
#include "core/device/device.h"
#include "core/evaluation/protocol.h"
#include "core/lab/guard.h"
#include "core/position/table_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lw {

namespace {

/// Parts of the measured speed of one large matrix product that training reaches: measured with the demo's size, where the many
/// small matrices of a model are slower, and a network over pairs of tokens is bound by memory.
constexpr double kMatrixSpeed = 0.6;
constexpr double kAdaptiveSpeed = 0.15;

}  // namespace

void refuse_vocabulary(const Recipe& recipe) {
    if (!recipe.start.recipe.empty()) return;  // the weights come with their tokenizer
    const bool from_texts = recipe.data.tokenizer == "bpe" && !is_task(recipe.data.source);
    if (from_texts) check_bpe_size(recipe.data.vocabulary);
    const std::int64_t least = from_texts ? kSmallestBpe : open_tokenizer(recipe.data)->size();
    if (recipe.model.vocabulary == 0 || recipe.model.vocabulary >= least) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("model.vocabulary is {}, but the tokenizer of the data has {}{} tokens. Set it to 0 to take the tokenizer's size.",
                                                           recipe.model.vocabulary, from_texts ? "at least " : "", least));
}

Recipe as_it_will_be(Recipe recipe) {
    recipe.training.length = trained_tokens(recipe.data, recipe.training.length);
    if (recipe.model.vocabulary > 0) return recipe;
    const bool from_texts = recipe.data.tokenizer == "bpe" && !recipe.data.source.starts_with("task:");
    recipe.model.vocabulary = from_texts ? recipe.data.vocabulary : open_tokenizer(recipe.data)->size();
    return recipe;
}

void refuse_unmeasurable(const Recipe& recipe) {
    const auto& lengths = recipe.evaluation.lengths;
    if (lengths.empty()) return;
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    const bool task = is_task(recipe.data.source);
    const auto past = past_table(recipe.scheme, scheme_length(recipe), trained_tokens(recipe.data, task ? *longest : *shortest));
    if (!past) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("{}, so the evaluation up to length {} cannot be made once it is trained: {}.", past->what,
                                                           with_commas(*longest), past->advice));
}

std::string unmeasured_note(const Recipe& recipe) {
    if (is_task(recipe.data.source)) return "";
    std::optional<PastTable> first;
    std::vector<std::string> left_out;
    for (const std::int64_t length : recipe.evaluation.lengths) {
        const auto past = past_table(recipe.scheme, scheme_length(recipe), length);
        if (!past) continue;
        if (!first) first = past;
        left_out.push_back(with_commas(length));
    }
    if (!first) return "";
    return fmt::format("{}: of its evaluation the length{} {} will be left out.", first->what, left_out.size() > 1 ? "s" : "", listed(left_out));
}

std::int64_t available_bytes(const std::string& device) {
    if (device == "cpu") return memory_use().available;
    return free_gpu_memory(device) / 20 * 19;  // blocks are never cut without waste
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

void refuse_too_long(const Transformer& model, std::int64_t tokens, bool keeps_scores, const std::string& device) {
    constexpr double kFloat = 4;
    const ModelSpec& m = model.spec();
    // The residual stream, its norm, q, k, v and the attended values, or the feed-forward: what is alive at once in one layer.
    const auto passing = static_cast<double>(4 * m.width + 2 * (m.heads + m.kv_heads) * m.head_width + 3 * m.ffn_width);
    // q, k and the log-normaliser of every layer, and the tables over distance that its maps are made with.
    const auto tables = m.heads + (model.scheme()->layer(0).adaptive ? 4 * m.heads : 0);
    const auto kept = static_cast<double>(keeps_scores ? m.layers * ((m.heads + m.kv_heads) * m.head_width + m.heads + tables) : 0);
    const double needed = (passing + kept) * kFloat * static_cast<double>(tokens);
    const std::int64_t available = available_bytes(device);
    if (needed <= static_cast<double>(available)) return;
    throw Failure(ErrorKind::out_of_memory, fmt::format("Reading {} tokens at once needs about {} of memory, and {} are available on {}. Choose a shorter length.", tokens,
                                                        size_words(saturated(needed)), size_words(available), device));
}

Result<TrainingEstimate> estimate_training(const Recipe& recipe, const std::string& device) {
    return guarded<TrainingEstimate>([&] {
        const Recipe checked = check_recipe(recipe).value();
        refuse_unmeasurable(checked);
        refuse_vocabulary(checked);
        const Recipe resolved = as_it_will_be(checked);
        if (const Status there = check_device(device); !there.ok()) throw Failure(there.error().kind, there.error().message);
        const bool on_gpu = device != "cpu";
        const TrainingCost cost = training_cost(resolved, on_gpu);
        TrainingEstimate estimate;
        estimate.parameters = cost.parameters;
        estimate.bytes = cost.bytes;
        estimate.bytes_available = available_bytes(device);
        // Only the processor's speed is measured.
        const double speed = on_gpu ? 0 : machine_gflops() * 1e9;
        if (!on_gpu) estimate.seconds_per_step = cost.matrix_operations / (speed * kMatrixSpeed) + cost.adaptive_operations / (speed * kAdaptiveSpeed);
        estimate.attention_path = cost.attention_path;
        estimate.advice = memory_advice(resolved, cost, estimate.bytes_available, on_gpu);
        const std::string unmeasured = unmeasured_note(checked);
        if (!unmeasured.empty()) estimate.advice += (estimate.advice.empty() ? "" : " ") + unmeasured;
        return estimate;
    });
}

}  // namespace lw
