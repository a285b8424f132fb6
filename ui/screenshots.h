#pragma once
/// Pictures of every page with the runs at hand, for people who look at them: light and dark, large and small.

#include "core/api/result.h"

#include <filesystem>

namespace lw::ui {

class MainWindow;
class Session;

/// Saves <page>-<light|dark>-<width>x<height>[@2x].png and, of dialogs, dialog-… of their own size; answers with how many. Waits until nothing is
/// being computed. `empty`: of a session without any run, empty-<page>-… instead.
lw::Result<int> saveScreenshots(Session& session, MainWindow& window, const std::filesystem::path& folder, bool empty = false);

/// Runs the event loop until the session's jobs have settled.
void waitForJobs(Session& session);

}  // namespace lw::ui
