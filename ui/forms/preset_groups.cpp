/// See preset_groups.h.
#include "ui/forms/preset_groups.h"

#include <QCoreApplication>

#include <algorithm>

namespace lw::ui {

namespace {

QString translate(const char* text) { return QCoreApplication::translate("Presets", text); }

/// The first slot with a method that may be put on a trained model, as that is what the preset is about; else the last that is filled.
QString headingOf(const lw::SchemePreset& preset) {
    if (preset.own) return translate("Your own");
    QString heading = translate("No position");
    for (const lw::SlotInfo& slot : lw::slots()) {
        const auto filled = preset.scheme.slots.find(slot.id);
        if (filled == preset.scheme.slots.end()) continue;
        heading = QString::fromStdString(slot.title);
        if (const auto info = lw::describe_method(slot.id, filled->second.id); info.ok() && info.value().plug_in) break;
    }
    return heading;
}

}  // namespace

std::vector<PresetGroup> presetGroups(const std::vector<lw::SchemePreset>& presets) {
    std::vector<PresetGroup> groups{{translate("No position"), {}}};
    for (const lw::SlotInfo& slot : lw::slots()) groups.push_back({QString::fromStdString(slot.title), {}});
    groups.push_back({translate("Your own"), {}});
    for (const lw::SchemePreset& preset : presets) {
        const QString heading = headingOf(preset);
        std::find_if(groups.begin(), groups.end(), [&](const PresetGroup& group) { return group.heading == heading; })->presets.push_back(preset);
    }
    std::erase_if(groups, [](const PresetGroup& group) { return group.presets.empty(); });
    return groups;
}

}  // namespace lw::ui
