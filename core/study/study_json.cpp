#include "core/study/study_json.h"

#include "core/lab/guard.h"
#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"
#include "core/storage/recipe_json.h"
#include "core/storage/strict_json.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace lw {

namespace {

using nlohmann::json;

constexpr std::int64_t kFormat = 1;

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// What every part of a study needs to be read.
struct Reading {
    std::string origin;
    std::filesystem::path workspace;
    json recipe;  ///< what all cells share: "model", "data", "training" of a recipe

    /// Sections of a recipe, read and refused as a recipe's are; `place` names them in sentences.
    [[nodiscard]] Recipe sections(json patch, const std::string& place) const {
        json merged = recipe;
        merged.merge_patch(patch);
        return recipe_from_json(merged.dump(), place, [&](const std::string& name) { return find_scheme(name, workspace); });
    }
    [[nodiscard]] std::string place(const std::string& key) const { return fmt::format("\"{}\" of {}", key, origin); }
};

const json& list(const json& object, const char* key, const std::string& origin) {
    static const json none = json::array();
    const auto found = object.find(key);
    if (found == object.end()) return none;
    if (!found->is_array()) refuse(fmt::format("\"{}\" of {} must be a list in brackets, but is {}.", key, origin, found->dump().substr(0, 40)));
    return *found;
}

template <class Number>
std::vector<Number> numbers(const json& object, const char* key, const std::string& origin) {
    std::vector<Number> values;
    for (const json& item : list(object, key, origin)) {
        if (!item.is_number_unsigned()) refuse(fmt::format("\"{}\" of {} must be a list of whole numbers of at least 0, but holds {}.", key, origin, item.dump().substr(0, 40)));
        if (item.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) {
            refuse(fmt::format("\"{}\" of {} holds {}; the largest number that is possible there is {}.", key, origin, item.dump(), std::numeric_limits<Number>::max()));
        }
        values.push_back(item.get<Number>());
    }
    return values;
}

/// A training length beside the study's lists would be ignored.
void refuse_own_length(const json& object, const std::string& place, const char* list) {
    if (!object.contains("training") || !object["training"].is_object() || !object["training"].contains("length")) return;
    refuse(fmt::format("\"training\" in {} has a \"length\"; training lengths stand in {}.", place, list));
}

/// The part of a recipe that is given is one object; its keys are checked when the sections are read.
json shared_recipe(const json& root, const std::string& origin) {
    if (!root.contains("recipe")) return json::object();
    const std::string place = fmt::format("\"recipe\" of {}", origin);
    check_keys(root["recipe"], {"model", "data", "training"}, place);
    refuse_own_length(root["recipe"], place, "the study's list \"lengths\"");
    return root["recipe"];
}

SchemeSpec read_scheme(const json& item, const char* key, const Reading& reading) {
    if (item.is_string() && item == "none") return {"as it is", {}};
    if (item.is_string()) return find_scheme(item.get<std::string>(), reading.workspace).value();
    SchemeSpec scheme = scheme_from_json(item, fmt::format("an entry of {}", reading.place(key)));
    if (scheme.name.empty()) refuse(fmt::format("A scheme in {} has no \"name\", by which reports call it.", reading.place(key)));
    return scheme;
}

std::vector<SchemeSpec> read_schemes(const json& object, const char* key, const Reading& reading) {
    std::vector<SchemeSpec> schemes;
    for (const json& item : list(object, key, reading.origin)) schemes.push_back(read_scheme(item, key, reading));
    return schemes;
}

std::vector<StudySize> read_sizes(const json& root, const Reading& reading) {
    std::vector<StudySize> sizes;
    for (const json& item : list(root, "sizes", reading.origin)) {
        check_keys(item, {"name", "model", "training"}, fmt::format("an entry of {}", reading.place("sizes")));
        StudySize size;
        FieldReader(item, fmt::format("an entry of {}", reading.place("sizes"))).text("name", size.name);
        if (size.name.empty()) refuse(fmt::format("An entry of {} has no \"name\".", reading.place("sizes")));
        refuse_own_length(item, fmt::format("the size \"{}\" of {}", size.name, reading.origin), "the study's list \"lengths\"");
        json patch = item;
        patch.erase("name");
        const Recipe recipe = reading.sections(patch, fmt::format("the size \"{}\" of {}", size.name, reading.origin));
        size.model = recipe.model;
        size.training = recipe.training;
        sizes.push_back(std::move(size));
    }
    if (!sizes.empty()) return sizes;
    const Recipe recipe = reading.sections(json::object(), reading.place("recipe"));
    return {{"", recipe.model, recipe.training}};
}

std::vector<DataSpec> read_corpora(const json& root, const Reading& reading) {
    std::vector<DataSpec> corpora;
    for (const json& item : list(root, "corpora", reading.origin)) {
        const json data = item.is_string() ? json{{"source", item}} : item;
        corpora.push_back(reading.sections({{"data", data}}, fmt::format("an entry of {}", reading.place("corpora"))).data);
    }
    if (corpora.empty()) corpora.push_back(reading.sections(json::object(), reading.place("recipe")).data);
    return corpora;
}

StudyContinuation read_continuation(const json& root, const Reading& reading) {
    StudyContinuation continuation;
    if (!root.contains("continue")) return continuation;
    const json& object = root["continue"];
    const Reading inside{reading.place("continue"), reading.workspace, reading.recipe};
    check_keys(object, {"runs", "extensions", "lengths", "steps", "training"}, inside.origin);
    for (const json& item : list(object, "runs", inside.origin)) {
        if (!item.is_string()) refuse(fmt::format("{} must be a list of names of runs.", inside.place("runs")));
        continuation.runs.push_back(item.get<std::string>());
    }
    continuation.extensions = read_schemes(object, "extensions", inside);
    continuation.lengths = numbers<std::int64_t>(object, "lengths", inside.origin);
    continuation.steps = numbers<std::int64_t>(object, "steps", inside.origin);
    refuse_own_length(object, inside.origin, "its list \"lengths\"");
    json patch = json::object();
    if (object.contains("training")) patch["training"] = object["training"];
    continuation.training = inside.sections(patch, inside.origin).training;
    if (continuation.extensions.empty()) refuse(fmt::format("{} has no \"extensions\"; name methods, presets or \"none\".", inside.origin));
    if (continuation.steps.empty()) refuse(fmt::format("{} has no \"steps\"; 0 stands for the weights as they are.", inside.origin));
    return continuation;
}

}  // namespace

StudySpec study_from_json(const std::string& text, const std::string& origin, const std::filesystem::path& workspace) {
    const json root = parse_strictly(text, origin);
    check_format(root, kFormat, origin);
    check_keys(root, {"format", "name", "schemes", "seeds", "lengths", "sizes", "corpora", "recipe", "evaluation", "continue", "reference", "test", "published"}, origin);
    const Reading reading{origin, workspace, shared_recipe(root, origin)};
    StudySpec spec;
    FieldReader words(root, origin);
    words.text("name", spec.name);
    words.text("reference", spec.reference);
    words.text("test", spec.test);
    words.text("published", spec.published);
    spec.schemes = read_schemes(root, "schemes", reading);
    if (root.contains("seeds")) spec.seeds = numbers<std::uint64_t>(root, "seeds", origin);
    spec.lengths = numbers<std::int64_t>(root, "lengths", origin);
    spec.sizes = read_sizes(root, reading);
    spec.corpora = read_corpora(root, reading);
    if (root.contains("evaluation")) spec.evaluation = reading.sections({{"evaluation", root["evaluation"]}}, origin).evaluation;
    spec.continuation = read_continuation(root, reading);
    return checked_study(std::move(spec));
}

Result<StudySpec> parse_study(const std::string& json, const std::filesystem::path& workspace) {
    return guarded<StudySpec>([&] { return study_from_json(json, "The study", workspace); });
}

Result<StudySpec> read_study(const std::filesystem::path& file, const std::filesystem::path& workspace) {
    return guarded<StudySpec>([&] { return study_from_json(read_file(file), file.string(), workspace); });
}

}  // namespace lw
