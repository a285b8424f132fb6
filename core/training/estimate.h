#pragma once
/// What training a recipe will take, by arithmetic: nothing of the model's size is allocated.

#include "core/api/recipe.h"

namespace lw {

/// Trainable parameters of the resolved recipe (model.vocabulary > 0), exactly those of the Transformer.
std::int64_t count_parameters(const Recipe& recipe);

struct TrainingCost {
    std::int64_t parameters = 0;
    std::int64_t bytes = 0;      ///< at the peak of a step: weights, gradients, moments, what backward keeps, logits
    double matrix_operations = 0;    ///< of one step: projections, logits and attention, multiply-adds times two
    double adaptive_operations = 0;  ///< of one step: the adaptive term's network, which runs over every pair of tokens
    std::string attention_path;  ///< planned path, and why
};
TrainingCost training_cost(const Recipe& recipe, bool on_gpu);

/// The same tokens per step in smaller micro-batches, the largest that needs at most `bytes`; batch 0 when none does.
struct SmallerBatch {
    std::int64_t batch = 0;
    std::int64_t accumulation = 0;
    std::int64_t bytes = 0;
};
SmallerBatch fitting_batch(const Recipe& recipe, bool on_gpu, std::int64_t bytes);

/// As a whole number, the largest one where it would not fit.
std::int64_t saturated(double bytes);
/// "1.2 GB".
std::string size_words(std::int64_t bytes);

}  // namespace lw
