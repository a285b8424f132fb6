#pragma once
/// Memory of a training against what there is, for estimate_training() and for train()'s refusal.

#include "core/api/recipe.h"
#include "core/model/transformer.h"
#include "core/training/estimate.h"

namespace lw {

/// The resolved recipe as the model will see it: with its vocabulary (the tokenizer's own where it is known without reading texts, else the
/// asked one) and the tokens of its longest sequence as length.
Recipe as_it_will_be(Recipe recipe);
/// Throws Failure(invalid_argument) where the evaluation that the recipe names must fail as a bounded position table of its scheme ends: at every
/// length of a text, or at one of a task, which leaves none out. Nothing where it names no lengths.
void refuse_unmeasurable(const Recipe& recipe);
/// The lengths of a text's evaluation that will be left out as a table ends before them, as a sentence; "" where all can be measured.
std::string unmeasured_note(const Recipe& recipe);
/// Throws Failure(invalid_argument) for a vocabulary that training would refuse once the tokenizer is there, as far as that is known without
/// reading texts: a BPE of a size that cannot be learned, a model with fewer tokens than the tokenizer.
void refuse_vocabulary(const Recipe& recipe);
/// Bytes free for tensors on a device.
std::int64_t available_bytes(const std::string& device);
/// "" when it fits, else what would fit.
std::string memory_advice(const Recipe& recipe, const TrainingCost& cost, std::int64_t available, bool on_gpu);
/// Throws Failure(out_of_memory) with the numbers and the advice.
void refuse_too_large(const Recipe& recipe, const std::string& device);
/// The same for a pass over so many tokens without gradient; `keeps_scores`: with the q and k of every layer, as maps keep them.
void refuse_too_long(const Transformer& model, std::int64_t tokens, bool keeps_scores, const std::string& device);

}  // namespace lw
