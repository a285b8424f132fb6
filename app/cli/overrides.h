#pragma once
/// A recipe from a preset or a file, with changes from the command line.

#include "app/cli/shell.h"
#include "core/api/recipe.h"

#include <optional>

namespace lw::cli {

struct RecipeOptions {
    std::string scheme;       ///< preset id or name
    std::string recipe_file;  ///< "" = the default recipe
    std::optional<std::int64_t> steps, length, batch, accumulation, layers, heads, width, vocabulary;
    std::optional<std::uint64_t> seed;
    std::optional<double> rate;
    std::optional<std::string> corpus, tokenizer, name, precision;
    std::vector<std::string> sets;  ///< "training.clip=0.5": any key of the recipe
};

void add_recipe_options(CLI::App* command, RecipeOptions& options);
/// The recipe, not yet checked. Presets of the workspace may be named as well.
[[nodiscard]] Recipe build_recipe(const RecipeOptions& options, const std::filesystem::path& workspace);

}  // namespace lw::cli
