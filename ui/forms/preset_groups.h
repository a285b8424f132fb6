#pragma once
/// Presets by what they are made of, for every list in which one is chosen.

#include "core/api/scheme.h"

#include <QString>

#include <vector>

namespace lw::ui {

struct PresetGroup {
    QString heading;
    std::vector<lw::SchemePreset> presets;
};

/// In the order of the slots; a person's own at the end. Groups without presets are left out.
[[nodiscard]] std::vector<PresetGroup> presetGroups(const std::vector<lw::SchemePreset>& presets);

}  // namespace lw::ui
