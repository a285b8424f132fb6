#include "app/cli/overrides.h"

#include "app/cli/checks.h"
#include "app/cli/parameters.h"
#include "app/cli/values.h"
#include "core/api/encoder.h"
#include "core/api/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace lw::cli {
namespace {

template <class T, class Field>
void put(const std::optional<T>& value, Field& field) {
    if (value) field = *value;
}

/// A path to text of one's own is kept whole, since the recipe outlives the folder the command was typed in.
std::string data_source(const std::string& text) {
    std::error_code error;
    const bool marked = text.rfind("task:", 0) == 0 || text.rfind("sample:", 0) == 0;
    if (marked || !std::filesystem::exists(text, error)) return text;
    return std::filesystem::absolute(text).lexically_normal().string();
}

/// Number, true, false, list or object as JSON; everything else is a string. Writing what is nested without end would overflow the stack.
Json parse_value(const std::string& text) {
    constexpr int kLevels = 50;
    bool deep = false;
    Json value = Json::parse(text, [&](int depth, Json::parse_event_t, Json&) { return deep = deep || depth > kLevels, true; }, false);
    if (deep) throw Failure(ErrorKind::invalid_argument, fmt::format("--set: a value has brackets within more than {} others, which no key of a recipe takes.", kLevels));
    return value.is_discarded() ? Json(text) : value;
}

/// Writes the value at "a.b.c"; parse_recipe then refuses keys that do not exist and suggests the right ones.
void set_key(Json& recipe, const std::string& assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("--set needs KEY=VALUE, for example training.clip=0.5; \"{}\" has no {}.", assignment, equals == 0 ? "key" : "\"=\""));
    }
    Json* at = &recipe;
    const std::string path = assignment.substr(0, equals);
    for (std::size_t from = 0; from <= path.size();) {
        const auto dot = std::min(path.find('.', from), path.size());
        if (!at->is_object() && !at->is_null()) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("--set {}: \"{}\" has no keys below it.", path, path.substr(0, from - 1)));
        }
        at = &(*at)[path.substr(from, dot - from)];
        from = dot + 1;
    }
    *at = parse_value(assignment.substr(equals + 1));
}

/// "bias.max_bias=4", "frequency=yarn": short for keys below scheme.slots.
bool set_slot(Json& recipe, const std::string& assignment) {
    const auto given = find_slot_setting(assignment);
    if (!given) return false;
    Json& filled = recipe["scheme"]["slots"];
    if (!given->parameter.empty() && !filled.contains(given->slot)) throw empty_slot(assignment, given->slot, need(parse_recipe(recipe.dump())).scheme);
    if (!given->parameter.empty()) filled[given->slot]["params"][given->parameter] = parse_value(given->value);
    else if (given->value == "none") filled.erase(given->slot);
    else if (!filled.contains(given->slot) || filled[given->slot]["id"] != given->value) filled[given->slot] = Json{{"id", given->value}};
    return true;
}

std::string shown(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{:g}", value.get<double>()) : value.dump();
}

/// "max_bias = 4", "YaRN", "no bias": what one slot has that the preset has not.
std::string slot_change(const SlotChoice* before, const std::string& slot, const SlotChoice& after) {
    if (after.id == "none") return "no " + slot;
    if (before == nullptr || before->id != after.id) return need(describe_method(slot, after.id)).name;
    std::vector<std::string> changes;
    for (const auto& [id, value] : after.params) {
        const auto was = before->params.find(id);
        if (was == before->params.end() || was->second != value) changes.push_back(fmt::format("{} = {}", id, shown(to_json(value))));
    }
    return fmt::format("{}", fmt::join(changes, ", "));
}

/// A preset that was changed is no longer that preset: "ALiBi + max_bias = 4".
void rename_changed(SchemeSpec& scheme, const SchemeSpec& preset) {
    if (preset.name.empty() || scheme.name != preset.name) return;
    const auto before = need(check_scheme(preset));
    const auto difference = need(extension_between(before, need(check_scheme(scheme))));
    std::vector<std::string> changes;
    for (const auto& [slot, choice] : difference.slots) {
        const auto was = before.slots.find(slot);
        changes.push_back(slot_change(was == before.slots.end() ? nullptr : &was->second, slot, choice));
    }
    if (!changes.empty()) scheme.name = fmt::format("{} + {}", preset.name, fmt::join(changes, ", "));
}

/// Tasks whose answers are read off by one pass over everything are for encoders, unless a visibility is chosen ("causal" for a decoder).
void fit_to_task(Recipe& recipe) {
    const auto made_for_encoder = [&](const TaskInfo& task) { return task.encoder && recipe.data.source == "task:" + task.id; };
    if (recipe.scheme.slots.contains("visibility") || std::none_of(tasks().begin(), tasks().end(), made_for_encoder)) return;
    recipe.scheme = need(encoder_scheme(recipe.scheme));
}

/// What an assignment sets: "training.clip", "bias.max_bias", whichever of its two forms was typed.
std::string key_of(const std::string& assignment) {
    const auto slot = find_slot_setting(assignment);
    if (!slot) return assignment.substr(0, assignment.find('='));
    return slot->parameter.empty() ? slot->slot : slot->slot + "." + slot->parameter;
}

/// Of two values for one key one would be ignored.
void refuse_repeats(const RecipeOptions& o) {
    std::map<std::string, std::string> given;  // key -> what was typed
    const auto note = [&](bool set, const char* option, const char* key) {
        if (set) given[key] = option;
    };
    note(o.steps.has_value(), "--steps", "training.steps");
    note(o.length.has_value(), "--length", "training.length");
    note(o.batch.has_value(), "--batch", "training.batch");
    note(o.accumulation.has_value(), "--accumulation", "training.accumulation");
    note(o.rate.has_value(), "--rate", "training.peak_rate");
    note(o.precision.has_value(), "--precision", "training.precision");
    note(o.seed.has_value(), "--seed", "seed");
    note(o.corpus.has_value(), "--corpus", "data.source");
    note(o.tokenizer.has_value(), "--tokenizer", "data.tokenizer");
    note(o.vocabulary.has_value(), "--vocabulary", "data.vocabulary");
    note(o.layers.has_value(), "--layers", "model.layers");
    note(o.heads.has_value(), "--heads", "model.heads");
    note(o.width.has_value(), "--width", "model.width");
    note(o.name.has_value(), "--name", "name");
    for (const auto& assignment : o.sets) {
        const auto [at, fresh] = given.emplace(key_of(assignment), "--set " + assignment);
        if (!fresh) throw Failure(ErrorKind::invalid_argument, fmt::format("{} is given twice, by {} and by --set {}; leave one of them out.", at->first, at->second, assignment));
    }
}

/// What the tokens of this recipe are not made with.
void refuse_idle_tokenizer(const RecipeOptions& options, const DataSpec& data) {
    if (data.source.rfind("task:", 0) == 0 && (options.tokenizer || options.vocabulary)) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} has tokens of its own; leave {} out.", data.source,
                                                               options.tokenizer && options.vocabulary ? "--tokenizer and --vocabulary" : options.tokenizer ? "--tokenizer" : "--vocabulary"));
    }
    if (options.vocabulary && data.tokenizer == "byte") {
        throw Failure(ErrorKind::invalid_argument, "--vocabulary is the number of pieces of the bpe tokenizer, and the tokenizer is byte; leave it out, or add --tokenizer bpe.");
    }
}

Recipe recipe_of(const RecipeOptions& options, const std::filesystem::path& workspace) {
    if (options.scheme.empty() && options.recipe_file.empty()) {
        throw Failure(ErrorKind::invalid_argument, "Which scheme? Name a preset (lengthwise-cli methods lists them) or give --recipe FILE.");
    }
    Recipe recipe;
    if (!options.recipe_file.empty()) recipe = need(read_recipe(options.recipe_file, workspace));
    if (!options.scheme.empty()) recipe.scheme = need(find_scheme(options.scheme, workspace));
    put(options.steps, recipe.training.steps);
    put(options.length, recipe.training.length);
    put(options.batch, recipe.training.batch);
    put(options.accumulation, recipe.training.accumulation);
    put(options.rate, recipe.training.peak_rate);
    put(options.precision, recipe.training.precision);
    put(options.seed, recipe.seed);
    put(options.tokenizer, recipe.data.tokenizer);
    put(options.vocabulary, recipe.data.vocabulary);
    put(options.layers, recipe.model.layers);
    put(options.heads, recipe.model.heads);
    put(options.width, recipe.model.width);
    put(options.name, recipe.name);
    if (options.corpus) recipe.data.source = data_source(*options.corpus);
    if (options.sets.empty()) return recipe;
    Json json = Json::parse(recipe_json(recipe));
    for (const auto& assignment : options.sets) {
        if (!set_slot(json, assignment)) set_key(json, assignment);
    }
    Recipe changed = need(parse_recipe(json.dump(), workspace));
    rename_changed(changed.scheme, recipe.scheme);
    return changed;
}

}  // namespace

void add_recipe_options(CLI::App* command, RecipeOptions& options) {
    command->add_option("scheme", options.scheme, "Preset (lengthwise-cli methods lists them), for example dape-kerple");
    command->add_option("--recipe", options.recipe_file, "Recipe file (JSON) to start from");
    command->add_option("--steps", options.steps, "Training steps");
    command->add_option("--length", options.length, "Training length L, tokens");
    command->add_option("--batch", options.batch, "Sequences per step");
    command->add_option("--accumulation", options.accumulation, "Micro-batches per step");
    command->add_option("--rate", options.rate, "Peak learning rate");
    command->add_option("--seed", options.seed, "Seed")->check(seed_check());
    command->add_option("--corpus", options.corpus, "Corpus ids joined by +, a file or folder, sample:NAME or task:ID");
    command->add_option("--tokenizer", options.tokenizer, "byte or bpe");
    command->add_option("--vocabulary", options.vocabulary, "Pieces of the bpe tokenizer");
    command->add_option("--layers", options.layers, "Layers");
    command->add_option("--heads", options.heads, "Heads");
    command->add_option("--width", options.width, "Model width");
    command->add_option("--precision", options.precision, "fp32, or bf16 on a GPU");
    command->add_option("--name", options.name, "Title of the run");
    command->add_option("--set", options.sets, "Any key of the recipe, or a slot: training.clip=0.5, bias.max_bias=4, frequency=yarn; may be repeated")->type_name("KEY=VALUE")->allow_extra_args(false);
}

Recipe build_recipe(const RecipeOptions& options, const std::filesystem::path& workspace) {
    refuse_repeats(options);
    Recipe recipe = recipe_of(options, workspace);
    refuse_idle_tokenizer(options, recipe.data);
    fit_to_task(recipe);
    return recipe;
}

}  // namespace lw::cli
