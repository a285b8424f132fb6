/// Colours of runs, and runs that a person deleted.
#include "ui/session.h"
#include "ui/theme.h"

#include <algorithm>
#include <optional>
#include <set>

namespace lw::ui {

namespace {

constexpr int kDashes = 4;  // line styles that theme::runPenStyle() goes through

/// The colour of the run whose weights it uses, with the next dash and marker that is free.
std::optional<int> styleBeside(int base, const std::set<int>& used) {
    const int colours = theme::runColourCount();
    for (int style = base % colours + colours; style < kDashes * colours; style += colours)
        if (!used.contains(style)) return style;
    return std::nullopt;
}

}  // namespace

/// A group keeps its colour for ever: the first free one when it is first seen, remembered in the settings.
int Session::styleOfGroup(const RunEntry& entry, const std::vector<RunEntry>& taken) {
    std::set<int> used;
    std::optional<int> base;
    for (const RunEntry& run : taken) {
        if (run.group == entry.group) return run.style;
        if (run.info.folder == entry.info.base) base = run.style;
        used.insert(run.style);
    }
    const QString key = QStringLiteral("styles/") + entry.group;
    const int remembered = m_settings->value(key, -1).toInt();
    if (remembered >= 0 && !used.contains(remembered)) return remembered;
    int free = 0;
    while (used.contains(theme::runStyle(free))) ++free;
    int style = theme::runStyle(free);
    if (base) style = styleBeside(*base, used).value_or(style);
    m_settings->setValue(key, style);
    return style;
}

lw::Status Session::deleteRun(const std::filesystem::path& folder) {
    forgetRun(folder);
    return lw::delete_run(folder);
}

void Session::forgetRun(const std::filesystem::path& folder) {
    m_deleted.push_back(folder.string());
}

/// Jobs that were asked for before the run went away come too late for it.
bool Session::ofDeletedRun(const lw::Error& error) const {
    if (error.kind != lw::ErrorKind::not_found && error.kind != lw::ErrorKind::io) return false;
    return std::any_of(m_deleted.begin(), m_deleted.end(), [&](const std::string& folder) {
        std::error_code absent;
        return error.message.find(folder) != std::string::npos && !std::filesystem::exists(folder, absent);
    });
}

}  // namespace lw::ui
