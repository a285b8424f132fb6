/// Recipes: reading, writing, resolving, hashing.

#include "core/api/recipe.h"

#include "core/api/text.h"
#include "core/lab/guard.h"
#include "core/position/encoder.h"
#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"
#include "core/storage/recipe_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace lw {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

ModelSpec resolve_model(ModelSpec model) {
    if (model.kv_heads == 0) model.kv_heads = model.heads;
    if (model.heads % model.kv_heads != 0) {
        refuse(fmt::format("model.kv_heads is {}; it must divide model.heads, which is {}.", model.kv_heads, model.heads));
    }
    if (model.head_width == 0) {
        if (model.width % model.heads != 0) {
            refuse(fmt::format("model.width is {} and model.heads is {}: the width must be a multiple of the heads (try {}), or model.head_width be given.",
                               model.width, model.heads, (model.width / model.heads + 1) * model.heads));
        }
        model.head_width = model.width / model.heads;
    }
    if (model.ffn_width == 0) {
        const std::int64_t two_thirds = (8 * model.width + 2) / 3;  // 8/3 of the width, rounded up
        model.ffn_width = model.activation == "swiglu" ? (two_thirds + 7) / 8 * 8 : 4 * model.width;
    }
    return model;
}

void check_rotation(const Recipe& recipe) {
    const auto rotation = recipe.scheme.slots.find("rotation");
    if (rotation == recipe.scheme.slots.end() || rotation->second.id == "none" || recipe.model.head_width % 2 == 0) return;
    refuse(fmt::format("The rotation \"{}\" turns pairs of channels, and the head width is {} (model.width {} / model.heads {}), which is odd. "
                       "Choose an even head width.", rotation->second.id, recipe.model.head_width, recipe.model.width, recipe.model.heads));
}

/// In the order of ParamType.
const char* kind_of(ParamType type) {
    constexpr std::array kinds{"true or false", "a whole number", "a number", "one of its choices", "a list of numbers"};
    return kinds[static_cast<std::size_t>(type)];
}

ParamValue checked_param(const ParamSpec& spec, ParamValue value, const std::string& where) {
    if (spec.type == ParamType::real && std::holds_alternative<std::int64_t>(value)) value = static_cast<double>(std::get<std::int64_t>(value));
    if (value.index() != spec.default_value.index()) refuse(fmt::format("{} {} has a value of the wrong kind: it must be {}.", where, spec.id, kind_of(spec.type)));
    if (const auto* word = std::get_if<std::string>(&value); word != nullptr && !spec.choices.empty()) {
        if (std::find(spec.choices.begin(), spec.choices.end(), *word) == spec.choices.end()) {
            refuse(fmt::format("{} {} cannot be \"{}\".{}", where, spec.id, *word, suggestion(*word, spec.choices)));
        }
        return value;
    }
    if (spec.type != ParamType::integer && spec.type != ParamType::real) return value;
    const double number = spec.type == ParamType::integer ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
    if (!(number >= spec.min && number <= spec.max)) {
        refuse(fmt::format("{} {} is {:g}; it must be at least {:g} and at most {:g}.", where, spec.id, number, spec.min, spec.max));
    }
    return value;
}

/// The task's parameters, filled in. Text sources have none.
Params resolve_task(const DataSpec& data) {
    constexpr std::string_view kPrefix = "task:";
    if (!data.source.starts_with(kPrefix)) {
        if (!data.task.empty()) refuse(fmt::format("data.task has parameters, but data.source is \"{}\", which is no synthetic task (those start with \"task:\").", data.source));
        return {};
    }
    const std::string id = data.source.substr(kPrefix.size());
    std::vector<std::string> known;
    for (const TaskInfo& task : tasks()) known.push_back(task.id);
    const auto found = std::find_if(tasks().begin(), tasks().end(), [&](const TaskInfo& task) { return task.id == id; });
    if (found == tasks().end()) refuse(fmt::format("There is no synthetic task \"{}\".{}", id, suggestion(id, known)));
    Params resolved;
    std::vector<std::string> names;
    for (const ParamSpec& spec : found->params) {
        names.push_back(spec.id);
        const auto given = data.task.find(spec.id);
        resolved[spec.id] = checked_param(spec, given == data.task.end() ? spec.default_value : given->second, fmt::format("Task \"{}\":", id));
    }
    for (const auto& [key, value] : data.task) {
        if (!resolved.contains(key)) refuse(fmt::format("Task \"{}\" has no parameter \"{}\".{}", id, key, suggestion(key, names)));
    }
    return resolved;
}

void check_start(const StartSpec& start) {
    if (start.recipe.empty() && (start.step != StartSpec{}.step || start.length != StartSpec{}.length)) {
        refuse("start.step and start.length belong to the run that start.recipe names, and it names none: without it weights are drawn from the seed.");
    }
    const auto hexadecimal = [](unsigned char c) { return std::isxdigit(c) != 0; };
    if (start.recipe.empty() || (start.recipe.size() == 16 && std::all_of(start.recipe.begin(), start.recipe.end(), hexadecimal))) return;
    refuse(fmt::format("start.recipe is \"{}\"; it must be the 16 hexadecimal digits of a run's training hash.", start.recipe));
}

/// Predicting the next token is no task for who sees it.
void check_visibility(const Recipe& recipe) {
    if (!sees_future(recipe.scheme)) return;
    const auto made_for_it = [&](const TaskInfo& task) { return task.encoder && recipe.data.source == "task:" + task.id; };
    if (std::any_of(tasks().begin(), tasks().end(), made_for_it)) return;
    refuse(fmt::format("With the visibility \"{}\" every token sees the one it has to predict, so training on \"{}\" would teach nothing. "
                       "It is made for tasks of an encoder (lengthwise-cli tasks); choose another visibility here.", recipe.scheme.slots.at("visibility").id, recipe.data.source));
}

Recipe resolve(Recipe recipe) {
    check_recipe_bounds(recipe);
    recipe.scheme = check_scheme(recipe.scheme).value();
    recipe.model = resolve_model(recipe.model);
    check_rotation(recipe);
    recipe.data.source = without_trailing_slash(recipe.data.source);
    recipe.data.task = resolve_task(recipe.data);
    check_start(recipe.start);
    check_visibility(recipe);
    // evaluation.scored stays as it is: 0 means something else to every protocol and every list of lengths.
    return recipe;
}

/// FNV-1a, 64 bit: names a recipe, guards nothing.
std::uint64_t fnv1a(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

}  // namespace

Result<Recipe> parse_recipe(const std::string& json, const std::filesystem::path& workspace) {
    return guarded<Recipe>([&] { return recipe_from_json(json, "The recipe", [&](const std::string& name) { return find_scheme(name, workspace); }); });
}

Result<Recipe> read_recipe(const std::filesystem::path& file, const std::filesystem::path& workspace) {
    return guarded<Recipe>([&] { return recipe_from_json(read_file(file), file.string(), [&](const std::string& name) { return find_scheme(name, workspace); }); });
}

std::string recipe_json(const Recipe& recipe) { return recipe_to_json(recipe).dump(2) + "\n"; }

Result<Recipe> check_recipe(const Recipe& recipe) {
    return guarded<Recipe>([&] { return resolve(recipe); });
}

std::string training_hash(const Recipe& recipe) {
    Recipe trained = recipe;
    trained.evaluation = EvaluationSpec{};
    return recipe_hash(trained);
}

std::string recipe_hash(const Recipe& recipe) {
    const Result<Recipe> checked = check_recipe(recipe);
    Recipe named = checked.ok() ? checked.value() : recipe;
    // Titles do not change a run, and the vocabulary follows from the data, which is read after the first hash is taken.
    named.name.clear();
    named.scheme.name.clear();
    named.model.vocabulary = 0;
    return fmt::format("{:016x}", fnv1a(recipe_to_json(named).dump()));
}

}  // namespace lw
