#pragma once
/// A demo-sized model of any preset, or a wider one, for all benchmarks.

#include "core/model/transformer.h"

#include <memory>
#include <string>

namespace lw::bench {

constexpr std::int64_t kVocabulary = 1024;
constexpr std::int64_t kTrainLength = 128;

inline std::shared_ptr<Transformer> demo_model(const std::string& preset, std::int64_t width = ModelSpec().width) {
    Recipe recipe;
    recipe.model.width = width;
    recipe.scheme = find_scheme(preset).value();
    recipe.training.length = kTrainLength;
    recipe.model.vocabulary = kVocabulary;
    const Recipe resolved = check_recipe(recipe).value();
    return std::make_shared<Transformer>(resolved.model, resolved.scheme, kTrainLength, 1);
}

inline at::Tensor random_tokens(std::int64_t batch, std::int64_t length) {
    return at::randint(kVocabulary, {batch, length}, at::kLong);  // [B, T]
}

}  // namespace lw::bench
