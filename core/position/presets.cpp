/// Presets that come with the program: the named schemes of resources/schemes/*.json. A person's own are in core/lab/presets.cpp.
#include "core/api/doctor.h"
#include "core/position/catalogue.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace lw {

namespace {

using nlohmann::json;

ParamValue param_of(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    return value.get<std::string>();
}

struct OrderedPreset {
    int order = 0;
    SchemePreset preset;
};

OrderedPreset read_preset(const std::filesystem::path& file) {
    try {
        std::ifstream stream(file);
        const json root = json::parse(stream);
        OrderedPreset read;
        read.order = root.at("order").get<int>();
        read.preset.id = file.stem().string();
        read.preset.summary = root.at("summary").get<std::string>();
        read.preset.scheme.name = root.at("name").get<std::string>();
        for (const auto& [slot, choice] : root.at("slots").items()) {
            SlotChoice chosen{choice.at("id").get<std::string>(), {}};
            if (choice.contains("params")) {
                for (const auto& [id, value] : choice["params"].items()) chosen.params[id] = param_of(value);
            }
            read.preset.scheme.slots[slot] = std::move(chosen);
        }
        return read;
    } catch (const json::exception& error) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("The scheme file {} cannot be read: {}", file.string(), error.what()));
    }
}

std::vector<SchemePreset> read_presets() {
    const auto folder = resource_folder() / "schemes";
    std::error_code error;
    std::vector<OrderedPreset> all;
    for (const auto& item : std::filesystem::directory_iterator(folder, error)) {
        if (item.path().extension() == ".json") all.push_back(read_preset(item.path()));
    }
    std::sort(all.begin(), all.end(), [](const OrderedPreset& a, const OrderedPreset& b) { return a.order < b.order; });
    std::vector<SchemePreset> presets;
    for (auto& item : all) presets.push_back(std::move(item.preset));
    return presets;
}

}  // namespace

const std::vector<SchemePreset>& scheme_presets() {
    static const std::vector<SchemePreset> all = read_presets();
    return all;
}

}  // namespace lw
