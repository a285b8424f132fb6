#pragma once
/// Pictures of every page with the runs at hand, for people who look at them: light and dark, large and small.

#include "core/api/result.h"

#include <filesystem>

namespace lw::ui {

class MainWindow;
class Session;

/// Saves <page>-<light|dark>-<width>x<height>[@2x].png; answers with how many. Waits until nothing is being computed.
lw::Result<int> saveScreenshots(Session& session, MainWindow& window, const std::filesystem::path& folder);

/// Runs the event loop until the session's jobs have settled.
void waitForJobs(Session& session);

}  // namespace lw::ui
