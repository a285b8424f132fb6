/// preview_run: what training made of a scheme's learned values, layer by layer.
#include "core/api/runs.h"
#include "core/data/task.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/position/catalogue.h"
#include "core/position/generator_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lw {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) { return std::find(list.begin(), list.end(), word) != list.end(); }

/// The slots whose curves are drawn from trained values of each layer's own. Rotations and frequencies are drawn from angles that all share.
std::vector<std::string> layered_slots(const PositionScheme& scheme, std::int64_t layers) {
    std::vector<std::string> slots;
    if (layers < 2) return slots;
    const LayerScheme &first = scheme.layer(0), &second = scheme.layer(1);
    if (first.bias != second.bias && !first.bias->reads_content() && !first.bias->parameters().empty()) slots.push_back("bias");
    if (first.temperature != second.temperature && !first.temperature->parameters().empty()) slots.push_back("temperature");
    return slots;
}

/// Whether the curves of this slot show something that training changed.
bool draws_learned_values(const std::string& slot, const MethodInfo& info, const PositionScheme& scheme) {
    if (slot == "bias" && scheme.layer(0).bias->reads_content()) return false;
    return info.learned && contains({"input", "frequency", "bias", "temperature"}, slot);
}

/// "KERPLE (logarithmic): values of layer 1 (of 0 to 3) at step 2000.", or that all layers share them.
std::string sentence_of(const RunPreview& shown, const PositionScheme& scheme) {
    std::vector<std::string> shared, own;
    const auto layered = layered_slots(scheme, shown.layers);
    for (const auto& [slot, choice] : scheme.spec().slots) {
        const auto& info = find_entry(slot, choice.id).info;
        if (contains(layered, slot)) own.push_back(info.name);
        else if (draws_learned_values(slot, info, scheme)) shared.push_back(info.name);
    }
    std::string text;
    if (!own.empty()) text += fmt::format("{}: values of layer {} (of 0 to {}) at step {}.", fmt::join(own, ", "), shown.layer, shown.layers - 1, shown.step);
    if (!shared.empty()) text += fmt::format("{}{}: values at step {}, the same in all layers.", text.empty() ? "" : " ", fmt::join(shared, ", "), shown.step);
    return text.empty() ? "Nothing that is drawn here was learned; every layer looks like this." : text;
}

RunPreview previewed_run(const std::filesystem::path& run, std::int64_t step, std::int64_t layer, const PreviewRequest& asked) {
    const LoadedModel loaded = load_model(run, step, "cpu");
    RunPreview shown{{}, loaded.run.title, loaded.step, layer, loaded.model->spec().layers, false};
    if (layer < 0 || layer >= shown.layers) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("layer is {}; {} has the layers 0 to {}.", layer, loaded.run.title, shown.layers - 1));
    }
    const Recipe recipe = check_recipe(loaded.run.recipe).value();
    PreviewRequest request = asked;
    request.scheme = recipe.scheme;
    request.heads = recipe.model.heads;
    request.head_width = recipe.model.head_width;
    request.train_length = scheme_length(recipe);
    const GeneratorScope generator(request.seed);
    auto& scheme = *loaded.model->scheme();
    shown.preview = preview_layer(scheme, request, layer, PreviewValues::trained);
    shown.differs_by_layer = !layered_slots(scheme, shown.layers).empty();
    const std::string sentence = sentence_of(shown, scheme);
    shown.preview.note = sentence + (shown.preview.note.empty() ? "" : " " + shown.preview.note);
    return shown;
}

}  // namespace

Result<RunPreview> preview_run(const std::filesystem::path& run, std::int64_t step, std::int64_t layer, const PreviewRequest& request) {
    return guarded<RunPreview>([&] { return previewed_run(run, step, layer, request); });
}

}  // namespace lw
