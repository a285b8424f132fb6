#pragma once
/// The run whose weights a recipe begins with.

#include "core/api/recipe.h"
#include "core/data/tokenizer.h"

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace lw {

struct StartWeights {
    std::map<std::string, at::Tensor> weights;   ///< by parameter
    std::shared_ptr<const Tokenizer> tokenizer;  ///< of that run: its tokens keep their meaning
};

/// Looks for the run of the workspace, then of those that come with the program, that was trained by `recipe.start`; nothing for a recipe that
/// draws its weights. Throws Failure: not_found (no such run, or it is not finished), corrupt_file.
[[nodiscard]] std::optional<StartWeights> find_start(const Recipe& recipe, const std::filesystem::path& workspace);

}  // namespace lw
