/// The session's presets: those of the program and the person's own in the workspace.
#include "ui/session.h"

#include <algorithm>

namespace lw::ui {

namespace {

/// The same list, down to every value: the forms are filled again only when there is something new.
bool alike(const std::vector<lw::SchemePreset>& a, const std::vector<lw::SchemePreset>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const lw::SchemePreset& x, const lw::SchemePreset& y) {
        const auto sameSlot = [](const auto& s, const auto& t) { return s.first == t.first && s.second.id == t.second.id && s.second.params == t.second.params; };
        const auto &s = x.scheme.slots, &t = y.scheme.slots;
        return x.id == y.id && x.scheme.name == y.scheme.name && std::equal(s.begin(), s.end(), t.begin(), t.end(), sameSlot);
    });
}

}  // namespace

void Session::adoptPresets(std::vector<lw::SchemePreset> presets) {
    if (alike(presets, m_presets)) return;
    m_presets = std::move(presets);
    Q_EMIT presetsChanged();
}

bool Session::savePreset(const QString& name, const lw::SchemeSpec& scheme) {
    const auto saved = lw::save_preset(m_workspace, name.toStdString(), scheme);
    if (!saved.ok()) {
        report(saved.error(), tr("Saving a preset"));
        return false;
    }
    adoptPresets(lw::scheme_presets(m_workspace).presets);
    notice(tr("%1 is now among your presets.").arg(QString::fromStdString(saved.value().scheme.name)));
    return true;
}

void Session::deletePreset(const QString& id) {
    const auto found = std::find_if(m_presets.begin(), m_presets.end(), [&](const lw::SchemePreset& preset) { return preset.own && QString::fromStdString(preset.id) == id; });
    if (found == m_presets.end()) return;
    const lw::SchemeSpec scheme = found->scheme;
    const auto status = lw::delete_preset(m_workspace, id.toStdString());
    if (!status.ok()) return report(status.error(), tr("Deleting a preset"));
    adoptPresets(lw::scheme_presets(m_workspace).presets);
    const QString name = QString::fromStdString(scheme.name);
    offer({tr("The preset %1 was deleted.").arg(name), tr("Undo"), [this, name, scheme] { savePreset(name, scheme); }, {}});
}

}  // namespace lw::ui
