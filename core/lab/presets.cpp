/// Presets by name, and a person's own: a file each in the folder schemes/ of the workspace.
#include "core/api/doctor.h"
#include "core/lab/guard.h"
#include "core/position/catalogue.h"
#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"
#include "core/storage/json_text.h"
#include "core/storage/recipe_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <optional>

namespace lw {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::size_t kLongestName = 80;             // bytes; file systems end at 255
constexpr std::size_t kLargestFile = std::size_t{1} << 20U;

fs::path preset_folder(const fs::path& workspace) { return workspace / "schemes"; }

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

std::string folded(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool called(const SchemePreset& preset, const std::string& name) { return folded(preset.id) == folded(name) || folded(preset.scheme.name) == folded(name); }

const SchemePreset* match(const std::vector<SchemePreset>& presets, const std::string& name) {
    const auto found = std::find_if(presets.begin(), presets.end(), [&](const SchemePreset& preset) { return called(preset, name); });
    return found == presets.end() ? nullptr : &*found;
}

/// "My RoPE, v2" -> "my-rope-v2". Letters outside ASCII stay as they are.
std::string id_of(const std::string& name) {
    std::string id;
    for (const unsigned char c : name) {
        if (std::isalnum(c) != 0 || c >= 0x80) id += static_cast<char>(std::tolower(c));
        else if (!id.empty() && id.back() != '-') id += '-';
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string checked_name(const std::string& given) {
    std::string name = trimmed(given);
    if (name.size() > kLongestName) refuse(fmt::format("The name of a preset has at most {} bytes; this one has {}.", kLongestName, name.size()));
    const bool control = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::iscntrl(c) != 0; });
    if (control || id_of(name).empty()) refuse("A preset needs a name of one line with at least one letter or digit.");
    // A folder with these two files would be taken for a run.
    if (id_of(name) == "recipe" || id_of(name) == "run") refuse(fmt::format("A preset cannot be called \"{}\"; choose another name.", name));
    for (const auto& preset : scheme_presets()) {
        if (called(preset, name) || preset.id == id_of(name)) refuse(fmt::format("\"{}\" comes with the program ({}); choose another name.", name, preset.id));
    }
    return name;
}

SchemePreset read_own(const fs::path& file) {
    const std::string where = "schemes/" + file.filename().string();
    auto [root, problem] = check_json(read_file(file, kLargestFile));
    if (!problem.empty()) throw Failure(ErrorKind::corrupt_file, fmt::format("{} is damaged: it {}.", where, problem));
    if (!root.is_object()) throw Failure(ErrorKind::corrupt_file, fmt::format("{} is damaged: it holds no JSON object.", where));
    if (root.contains("format") && root["format"] != kFormat) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} has another format than {}, the one this version of the program reads.", where, kFormat));
    }
    for (const auto* key : {"format", "order", "summary"}) root.erase(key);
    SchemePreset preset{file.stem().string(), {}, {}, true};
    try {
        preset.scheme = checked_scheme(scheme_from_json(root, where));
    } catch (const Failure& failure) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} cannot be used: {}", where, failure.what()));
    }
    if (preset.scheme.name.empty()) preset.scheme.name = preset.id;
    preset.summary = scheme_line(preset.scheme);
    return preset;
}

std::vector<fs::path> own_files(const fs::path& workspace) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& item : fs::directory_iterator(preset_folder(workspace), error)) {
        if (item.path().extension() == ".json" && !item.path().filename().string().starts_with('.')) files.push_back(item.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// One's own presets. A name that a preset of the program has would never be found, so it is a problem.
PresetList read_all_own(const fs::path& workspace) {
    PresetList list;
    for (const auto& file : own_files(workspace)) {
        try {
            auto preset = read_own(file);
            const auto& taken = scheme_presets();
            if (match(taken, preset.id) != nullptr || match(taken, preset.scheme.name) != nullptr) {
                list.problems.push_back(fmt::format("schemes/{} has the name of a preset that comes with the program and is left out; rename it.", file.filename().string()));
            } else {
                list.presets.push_back(std::move(preset));
            }
        } catch (...) {
            list.problems.push_back(classify(std::current_exception()).message);
        }
    }
    return list;
}

/// One's own file with that id, readable or not.
std::optional<fs::path> own_file(const fs::path& workspace, const std::string& name) {
    for (const auto& file : own_files(workspace)) {
        if (folded(file.stem().string()) == folded(name)) return file;
    }
    return std::nullopt;
}

SchemeSpec found_scheme(const std::string& name, const fs::path& workspace) {
    if (const auto* preset = match(scheme_presets(), name)) return preset->scheme;
    const PresetList own = workspace.empty() ? PresetList{} : read_all_own(workspace);
    if (const auto* preset = match(own.presets, name)) return preset->scheme;
    if (const auto file = workspace.empty() ? std::nullopt : own_file(workspace, name)) (void)read_own(*file);  // says what is wrong with it
    std::vector<std::string> known;
    for (const auto* presets : {&scheme_presets(), &own.presets}) {
        for (const auto& preset : *presets) known.push_back(preset.id);
    }
    if (known.empty()) throw Failure(ErrorKind::not_found, fmt::format("No schemes were found in {}.", (resource_folder() / "schemes").string()));
    throw Failure(ErrorKind::not_found, fmt::format("There is no scheme \"{}\".{}", name, suggestion(name, known)));
}

SchemePreset saved_preset(const fs::path& workspace, const std::string& given, const SchemeSpec& scheme) {
    SchemePreset preset{{}, {}, checked_scheme(scheme), true};
    preset.scheme.name = checked_name(given);
    preset.id = id_of(preset.scheme.name);
    preset.summary = scheme_line(preset.scheme);
    // Two names may come to one file ("My YaRN", "My YaRN!!"); only one's own of the same name is replaced.
    for (const auto& other : read_all_own(workspace).presets) {
        if (other.id == preset.id && folded(other.scheme.name) != folded(preset.scheme.name)) {
            refuse(fmt::format("\"{}\" would take the file of your preset \"{}\" ({}); choose another name, or delete that one first.", preset.scheme.name, other.scheme.name, other.id));
        }
    }
    ordered_json root{{"format", kFormat}};
    root.update(scheme_to_json(preset.scheme));
    std::string text;
    try {
        text = root.dump(2) + "\n";
    } catch (const json::type_error&) {
        refuse("The name of a preset must be UTF-8 text.");
    }
    make_folder(preset_folder(workspace));
    write_file(preset_folder(workspace) / (preset.id + ".json"), text);
    return preset;
}

void remove_preset(const fs::path& workspace, const std::string& name) {
    if (match(scheme_presets(), name) != nullptr) refuse(fmt::format("The preset \"{}\" comes with the program and is not deleted.", name));
    const auto own = read_all_own(workspace).presets;
    const auto* found = match(own, name);
    const auto file = own_file(workspace, found != nullptr ? found->id : name);
    if (!file) {
        std::vector<std::string> known;
        for (const auto& preset : own) known.push_back(preset.id);
        const auto advice = known.empty() ? fmt::format(" There are none in {}.", preset_folder(workspace).string()) : suggestion(name, known);
        throw Failure(ErrorKind::not_found, fmt::format("You have no preset \"{}\".{}", name, advice));
    }
    std::error_code error;
    fs::remove(*file, error);
    if (error) throw Failure(ErrorKind::io, fmt::format("Cannot delete {}: {}.", file->string(), error.message()));
}

}  // namespace

PresetList scheme_presets(const fs::path& workspace) {
    PresetList list{scheme_presets(), {}};
    try {
        PresetList own = read_all_own(workspace);
        for (auto& preset : own.presets) list.presets.push_back(std::move(preset));
        list.problems = std::move(own.problems);
    } catch (...) {
        list.problems.push_back(classify(std::current_exception()).message);  // a folder that the system will not show
    }
    return list;
}

Result<SchemeSpec> find_scheme(const std::string& name, const fs::path& workspace) {
    return guarded<SchemeSpec>([&] { return found_scheme(name, workspace); });
}

Result<SchemePreset> save_preset(const fs::path& workspace, const std::string& name, const SchemeSpec& scheme) {
    return guarded<SchemePreset>([&] { return saved_preset(workspace, name, scheme); });
}

Status delete_preset(const fs::path& workspace, const std::string& name) {
    return guarded<Nothing>([&] {
        remove_preset(workspace, name);
        return Nothing{};
    });
}

}  // namespace lw
