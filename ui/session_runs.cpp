/// Colours of runs, and runs that a person deleted.
#include "ui/session.h"
#include "ui/plot/run_styles.h"

#include <algorithm>

namespace lw::ui {

/// The list of runs is read often; what it remembers is written only when a run came that had no colour yet.
std::vector<int> Session::stylesOf(const std::vector<lw::RunInfo>& runs) const {
    const RunStyleMemory before = readRunStyles(m_workspace);
    RunStyleMemory memory = before;
    std::vector<int> styles = stylesOfRuns(runs, memory);
    // Where nothing can be written the colours are those of the rule, at every start.
    if (memory != before) (void)saveRunStyles(m_workspace, memory);
    return styles;
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
