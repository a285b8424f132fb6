#pragma once
/// The parts of the look that a palette cannot say: Fusion with flat controls.

#include <QPalette>
#include <QString>

class QStyle;

namespace lw::ui::theme {

/// Fusion, with tick boxes as in the list of runs.
[[nodiscard]] QStyle* makeStyle();
[[nodiscard]] QString styleSheet(const QPalette& palette);

}  // namespace lw::ui::theme
