#pragma once
/// Progress in words: "20 of 32 documents · 0:41 left". The same text in the status bar and the jobs panel.

#include "core/api/context.h"

#include <QString>

namespace lw::ui {

[[nodiscard]] QString durationText(double seconds);  ///< "0:41", "12:05", "3 h 20 min"
[[nodiscard]] QString progressText(const lw::Progress& progress);
/// 0..1000, or -1 when the total is unknown.
[[nodiscard]] int progressPermille(const lw::Progress& progress);

}  // namespace lw::ui
