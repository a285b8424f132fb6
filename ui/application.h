#pragma once
/// The program with a window: command line, look, session, window. Both lengthwise and its twin without LibTorch start here.

#include <string>
#include <vector>

namespace lw::ui {

/// False where a window is wanted and there is no display for it: Qt would abort. What needs none (help, version, pictures) is then drawn
/// offscreen. To be called before QApplication is made.
[[nodiscard]] bool choosePlatform(const std::vector<std::string>& arguments);
int runApplication(int argc, char** argv);

}  // namespace lw::ui
