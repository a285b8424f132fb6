/// A study as JSON: what has its default is left out, so that the file stays small.
#include "core/storage/recipe_json.h"
#include "core/study/study_json.h"

#include <nlohmann/json.hpp>

namespace lw {

namespace {

using nlohmann::ordered_json;

/// The keys of a recipe's section in which it differs from another recipe: from one where nothing is chosen, or from what the file says for all.
ordered_json section(const Recipe& recipe, const char* name, const Recipe& from = {}) {
    const ordered_json plain = recipe_to_json(from);
    const ordered_json whole = recipe_to_json(recipe);
    ordered_json different = ordered_json::object();
    for (const auto& [key, value] : whole[name].items()) {
        if (value != plain[name][key]) different[key] = value;
    }
    return different;
}

ordered_json data_json(const DataSpec& data) {
    Recipe recipe;
    recipe.data = data;
    ordered_json object = section(recipe, "data");
    object["source"] = data.source;
    return object;
}

ordered_json training_json(const TrainingSpec& training, const TrainingSpec& shared = {}) {
    Recipe recipe, from;
    recipe.training = training;
    from.training = shared;
    ordered_json object = section(recipe, "training", from);
    object.erase("length");  // a list of the study
    return object;
}

ordered_json size_json(const StudySize& size) {
    Recipe recipe;
    recipe.model = size.model;
    return {{"name", size.name}, {"model", section(recipe, "model")}, {"training", training_json(size.training)}};
}

ordered_json schemes_json(const std::vector<SchemeSpec>& schemes) {
    ordered_json all = ordered_json::array();
    for (const SchemeSpec& scheme : schemes) all.push_back(scheme_to_json(scheme));
    return all;
}

/// One size without a name is what "recipe" says for all, also for continuations; sizes with names stand in their list.
bool has_recipe(const StudySpec& spec) { return spec.sizes.size() == 1 && spec.sizes.front().name.empty(); }

ordered_json continuation_json(const StudySpec& spec) {
    const StudyContinuation& continuation = spec.continuation;
    ordered_json object = ordered_json::object();
    if (!continuation.runs.empty()) object["runs"] = continuation.runs;
    object["extensions"] = schemes_json(continuation.extensions);
    object["lengths"] = continuation.lengths;
    object["steps"] = continuation.steps;
    ordered_json training = training_json(continuation.training, has_recipe(spec) ? spec.sizes.front().training : TrainingSpec{});
    training.erase("steps");
    object["training"] = training;
    return object;
}

}  // namespace

std::string study_json(const StudySpec& spec) {
    ordered_json root{{"format", 1}, {"name", spec.name}, {"schemes", schemes_json(spec.schemes)}, {"seeds", spec.seeds}, {"lengths", spec.lengths}};
    if (has_recipe(spec)) {
        root["recipe"] = size_json(spec.sizes.front());
        root["recipe"].erase("name");
    } else {
        root["sizes"] = ordered_json::array();
        for (const StudySize& size : spec.sizes) root["sizes"].push_back(size_json(size));
    }
    root["corpora"] = ordered_json::array();
    for (const DataSpec& data : spec.corpora) root["corpora"].push_back(data_json(data));
    Recipe recipe;
    recipe.evaluation = spec.evaluation;
    root["evaluation"] = section(recipe, "evaluation");
    if (!spec.continuation.extensions.empty()) root["continue"] = continuation_json(spec);
    if (!spec.reference.empty()) root["reference"] = spec.reference;
    root["test"] = spec.test;
    if (!spec.published.empty()) root["published"] = spec.published;
    return root.dump(2) + "\n";
}

}  // namespace lw
