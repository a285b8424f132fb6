#pragma once
/// The program with a window: command line, look, session, window. Both lengthwise and its twin without LibTorch start here.

namespace lw::ui {

int runApplication(int argc, char** argv);

}  // namespace lw::ui
