#include "core/storage/recipe_json.h"

#include "core/position/nearest.h"
#include "core/storage/recipe_fields.h"
#include "core/storage/strict_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lw {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::int64_t kFormat = 1;

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

class FieldWriter {
public:
    void number(const char* name, std::int64_t& value, const Bounds&) { object[name] = value; }
    void number(const char* name, double& value, const Bounds&) { object[name] = value; }
    void flag(const char* name, bool& value) { object[name] = value; }
    void text(const char* name, std::string& value) { object[name] = value; }
    void word(const char* name, std::string& value, Words) { object[name] = value; }
    ordered_json object = ordered_json::object();
};

class FieldChecker {
public:
    explicit FieldChecker(std::string section) : section_(std::move(section)) {}

    void number(const char* name, std::int64_t& value, const Bounds& bounds) { check(name, static_cast<double>(value), fmt::format("{}", value), bounds); }
    void number(const char* name, double& value, const Bounds& bounds) { check(name, value, fmt::format("{:g}", value), bounds); }
    void flag(const char*, bool&) {}
    void text(const char* name, std::string& value) {
        if (value.empty()) refuse(fmt::format("{}.{} is empty.", section_, name));
    }
    void word(const char* name, std::string& value, Words words) {
        const std::vector<std::string> known(words.begin(), words.end());
        if (std::find(known.begin(), known.end(), value) != known.end()) return;
        const std::string near = nearest(value, known);
        const std::string advice = near.empty() ? std::string() : fmt::format(" Did you mean \"{}\"?", near);
        refuse(fmt::format("{}.{} is \"{}\"; it must be one of {}.{}", section_, name, value, fmt::join(known, ", "), advice));
    }

private:
    void check(const char* name, double value, const std::string& shown, const Bounds& bounds) const {
        const bool above = bounds.low_open ? value > bounds.low : value >= bounds.low;
        if (above && value <= bounds.high) return;  // NaN fails both
        refuse(fmt::format("{}.{} is {}; it must be {} {} and at most {}.", section_, name, shown, bounds.low_open ? "greater than" : "at least",
                           bounds.low, bounds.high));
    }
    std::string section_;
};

template <class Spec>
void read_section(const json& root, const char* name, const std::string& origin, Spec& spec, std::initializer_list<const char*> others = {}) {
    const auto found = root.find(name);
    if (found == root.end()) return;
    FieldReader reader(*found, fmt::format("\"{}\" of {}", name, origin));
    visit_fields(spec, reader);
    reader.finish(others);
}

template <class Spec>
ordered_json write_section(Spec spec) {
    FieldWriter writer;
    visit_fields(spec, writer);
    return writer.object;
}

void read_lengths(const json& root, const std::string& origin, EvaluationSpec& evaluation) {
    if (!root.contains("evaluation") || !root["evaluation"].contains("lengths")) return;
    const json& lengths = root["evaluation"]["lengths"];
    const bool whole = lengths.is_array() && std::all_of(lengths.begin(), lengths.end(), [](const json& n) { return n.is_number_integer(); });
    if (!whole) refuse(fmt::format("\"lengths\" in \"evaluation\" of {} must be a list of whole numbers.", origin));
    evaluation.lengths = lengths.get<std::vector<std::int64_t>>();
}

std::uint64_t read_seed(const json& root, const std::string& origin) {
    if (!root.contains("seed")) return 1;
    if (!root["seed"].is_number_unsigned()) refuse(fmt::format("\"seed\" of {} must be a whole number of at least 0, but is {}.", origin, root["seed"].dump().substr(0, 60)));
    return root["seed"].get<std::uint64_t>();
}

SchemeSpec read_scheme(const json& root, const std::string& origin, const SchemeLookup& lookup) {
    if (!root.contains("scheme")) return {};
    const json& scheme = root["scheme"];
    return scheme.is_string() ? lookup(scheme.get<std::string>()).value() : scheme_from_json(scheme, fmt::format("\"scheme\" of {}", origin));
}

}  // namespace

std::string without_trailing_slash(std::string source) {
    // The last of several is a path where it begins as one; a single path may have a "+" in it.
    const std::size_t begin = source.starts_with('/') ? 0 : source.rfind('+') + 1;  // 0 without a "+"
    const bool path = source.find('/', begin) == begin;
    while (path && source.size() > begin + 1 && source.back() == '/') source.pop_back();
    return source;
}

Params params_from_json(const json& object, const std::string& where) {
    if (!object.is_object()) refuse(fmt::format("{} must be a JSON object.", where));
    Params params;
    for (const auto& [key, value] : object.items()) {
        if (value.is_boolean()) {
            params[key] = value.get<bool>();
        } else if (value.is_number_integer()) {
            params[key] = value.get<std::int64_t>();
        } else if (value.is_number_float()) {
            params[key] = value.get<double>();
        } else if (value.is_string()) {
            params[key] = value.get<std::string>();
        } else {
            refuse(fmt::format("\"{}\" of {} must be a number, a text, true or false.", key, where));
        }
    }
    return params;
}

ordered_json params_to_json(const Params& params) {
    ordered_json object = ordered_json::object();
    for (const auto& [key, value] : params) std::visit([&, name = key](const auto& v) { object[name] = v; }, value);
    return object;
}

ordered_json scheme_to_json(const SchemeSpec& scheme) {
    ordered_json slots = ordered_json::object();
    for (const auto& [slot, choice] : scheme.slots) slots[slot] = {{"id", choice.id}, {"params", params_to_json(choice.params)}};
    return {{"name", scheme.name}, {"slots", slots}};
}

SchemeSpec scheme_from_json(const json& object, const std::string& where) {
    check_keys(object, {"name", "slots"}, where);
    SchemeSpec scheme;
    FieldReader(object, where).text("name", scheme.name);
    if (!object.contains("slots")) return scheme;
    if (!object["slots"].is_object()) refuse(fmt::format("\"slots\" of {} must be a JSON object.", where));
    for (const auto& [slot, choice] : object["slots"].items()) {
        SlotChoice& chosen = scheme.slots[slot];
        if (choice.is_string()) {
            chosen.id = choice.get<std::string>();
            continue;
        }
        const std::string place = fmt::format("slot \"{}\" of {}", slot, where);
        check_keys(choice, {"id", "params"}, place);
        FieldReader(choice, place).text("id", chosen.id);
        if (choice.contains("params")) chosen.params = params_from_json(choice["params"], fmt::format("\"params\" of {}", place));
    }
    return scheme;
}

Recipe recipe_from_json(const std::string& text, const std::string& origin, const SchemeLookup& lookup) {
    const json root = parse_strictly(text, origin);
    check_format(root, kFormat, origin);
    check_keys(root, {"format", "name", "seed", "scheme", "model", "data", "training", "evaluation", "start"}, origin);
    Recipe recipe;
    FieldReader(root, origin).text("name", recipe.name);
    recipe.seed = read_seed(root, origin);
    recipe.scheme = read_scheme(root, origin, lookup);
    read_section(root, "model", origin, recipe.model);
    read_section(root, "data", origin, recipe.data, {"task"});
    read_section(root, "training", origin, recipe.training);
    read_section(root, "evaluation", origin, recipe.evaluation, {"lengths"});
    read_section(root, "start", origin, recipe.start);
    read_lengths(root, origin, recipe.evaluation);
    if (root.contains("data") && root["data"].contains("task")) {
        recipe.data.task = params_from_json(root["data"]["task"], fmt::format("\"task\" in \"data\" of {}", origin));
    }
    return recipe;
}

ordered_json recipe_to_json(const Recipe& recipe) {
    ordered_json root = ordered_json::object();
    root["format"] = kFormat;
    root["name"] = recipe.name;
    root["seed"] = recipe.seed;
    root["scheme"] = scheme_to_json(recipe.scheme);
    root["model"] = write_section(recipe.model);
    root["data"] = write_section(recipe.data);
    root["data"]["task"] = params_to_json(recipe.data.task);
    root["training"] = write_section(recipe.training);
    root["evaluation"] = write_section(recipe.evaluation);
    root["evaluation"]["lengths"] = recipe.evaluation.lengths;
    // Absent for runs that begin with drawn weights, so that their hash is what it always was.
    if (!recipe.start.recipe.empty()) root["start"] = write_section(recipe.start);
    return root;
}

void check_recipe_bounds(const Recipe& recipe) {
    refuse_other_than_utf8(recipe.name, "The name of a recipe");
    refuse_other_than_utf8(recipe.data.source, "The corpus of a recipe");
    refuse_control_characters(recipe.name, "The name of a recipe");
    refuse_control_characters(recipe.scheme.name, "The name of a scheme");
    const auto check = [](auto spec, const char* section) {
        FieldChecker checker(section);
        visit_fields(spec, checker);
    };
    check(recipe.model, "model");
    check(recipe.data, "data");
    check(recipe.training, "training");
    check(recipe.evaluation, "evaluation");
    if (!recipe.start.recipe.empty()) check(recipe.start, "start");
    for (const std::int64_t length : recipe.evaluation.lengths) {
        if (length < 1 || length > 1048576) refuse(fmt::format("evaluation.lengths holds {}; each must be at least 1 and at most 1048576.", length));
    }
}

}  // namespace lw
