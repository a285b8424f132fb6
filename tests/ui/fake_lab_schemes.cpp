/// Fake laboratory: presets of one's own, formulas in numbers, trained values. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include <algorithm>

namespace lw {

PresetList scheme_presets(const std::filesystem::path&) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    PresetList list{scheme_presets(), {}};
    list.presets.insert(list.presets.end(), s.presets.begin(), s.presets.end());
    return list;
}

Result<SchemePreset> save_preset(const std::filesystem::path&, const std::string& name, const SchemeSpec& scheme) {
    if (name.empty()) return Error{ErrorKind::invalid_argument, "A preset needs a name."};
    for (const SchemePreset& preset : scheme_presets())
        if (preset.id == name || preset.scheme.name == name) return Error{ErrorKind::invalid_argument, name + " comes with the program; choose another name."};
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    std::erase_if(s.presets, [&](const SchemePreset& preset) { return preset.scheme.name == name; });
    SchemePreset saved{"own-" + name, "Own", scheme, true};
    saved.scheme.name = name;
    s.presets.push_back(saved);
    return saved;
}

Status delete_preset(const std::filesystem::path&, const std::string& name) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    if (std::erase_if(s.presets, [&](const SchemePreset& preset) { return preset.id == name; }) == 0) return Error{ErrorKind::not_found, "There is no preset " + name + "."};
    return Nothing{};
}

Result<MethodNumbers> method_numbers(const std::string& slot, const SlotChoice& choice, const ModelShape& shape) {
    const auto info = describe_method(slot, choice.id);
    if (!info.ok()) return info.error();
    MethodNumbers numbers{slot, choice.id, "H = " + std::to_string(shape.heads), {}, {}};
    if (slot == "bias") numbers.cost_line = "Adds in each layer: " + std::to_string(shape.heads) + " operations per visible pair.";
    return numbers;
}

Result<std::vector<MethodNumbers>> scheme_numbers(const SchemeSpec& scheme, const ModelShape& shape) {
    std::vector<MethodNumbers> all;
    for (const auto& [slot, choice] : scheme.slots) {
        auto numbers = method_numbers(slot, choice, shape);
        if (!numbers.ok()) return numbers.error();
        all.push_back(std::move(numbers).value());
    }
    return all;
}

/// Every layer's bias is another multiple of the untrained one.
Result<RunPreview> preview_run(const std::filesystem::path& folder, std::int64_t step, std::int64_t layer, const PreviewRequest& request) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    const Recipe& recipe = run.value().recipe;
    PreviewRequest own = request;
    own.scheme = recipe.scheme;
    own.heads = recipe.model.heads;
    auto preview = preview_scheme(own);
    if (!preview.ok()) return preview.error();
    RunPreview shown{std::move(preview).value(), run.value().title, step < 0 ? run.value().step : step, layer, recipe.model.layers, true};
    for (auto& head : shown.preview.bias)
        for (double& value : head) value *= static_cast<double>(layer + 2);
    shown.preview.shows_initial_values = false;
    shown.preview.note = "Values of layer " + std::to_string(layer) + ".";
    return shown;
}

}  // namespace lw
