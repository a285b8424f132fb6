#pragma once
/// Drawing from the command line: needs Qt, but no display.

#include "ui/plot/figures.h"

namespace lw::cli {

/// Prepares drawing without a display. Throws Failure(unavailable) in a build without the window's parts.
void prepare_drawing();

}  // namespace lw::cli
