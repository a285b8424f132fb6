#pragma once
/// What pictures are made of: each with a name and how the window comes to show it.

#include "ui/session.h"

#include <vector>

namespace lw::ui {

class MainWindow;

struct Shot {
    PageId page;
    const char* name;
    void (*prepare)(Session&, MainWindow&) = nullptr;
    /// Opens a dialog and returns when that is closed: the picture is of it, not of the window.
    void (*dialog)(MainWindow&) = nullptr;
};

/// With the runs that come with the program.
[[nodiscard]] const std::vector<Shot>& demoShots();
/// Of a workspace without any run.
[[nodiscard]] const std::vector<Shot>& emptyShots();

}  // namespace lw::ui
