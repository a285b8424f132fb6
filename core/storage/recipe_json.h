#pragma once
/// Recipes as JSON. These throw Failure; the verbs of core/api/recipe.h wrap them.

#include "core/api/recipe.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>

namespace lw {

/// Schemes given as a plain word ("scheme": "dape-kerple") are looked up by this function.
using SchemeLookup = std::function<Result<SchemeSpec>(const std::string& name)>;

/// Throws Failure(invalid_argument): not JSON (with line and column), a misspelt key (with the right one), a value of the wrong kind.
/// `origin` names the text in sentences: a file, or "The recipe".
Recipe recipe_from_json(const std::string& text, const std::string& origin, const SchemeLookup& lookup);
/// Every field, keys in a fixed order.
nlohmann::ordered_json recipe_to_json(const Recipe& recipe);
/// Throws Failure(invalid_argument) naming the field, its value and its bounds.
void check_recipe_bounds(const Recipe& recipe);

/// One folder is one corpus, also where its path ends with a slash; other sources as they are.
[[nodiscard]] std::string without_trailing_slash(std::string source);

Params params_from_json(const nlohmann::json& object, const std::string& where);
nlohmann::ordered_json params_to_json(const Params& params);
nlohmann::ordered_json scheme_to_json(const SchemeSpec& scheme);
/// {"name": ..., "slots": {"bias": {"id": "alibi", "params": {...}}}}; a slot may also be a plain word.
SchemeSpec scheme_from_json(const nlohmann::json& object, const std::string& where);

}  // namespace lw
