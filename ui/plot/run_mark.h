#pragma once
/// A short piece of a run's line with its marker, as it is drawn in the plots: colour, dash and shape tell the run.

#include <QSize>

class QPainter;
class QPalette;
class QRect;

namespace lw::ui {

constexpr QSize kRunMark(24, 12);

/// In the middle of the box.
void paintRunMark(QPainter* painter, const QRect& box, int style, const QPalette& palette);

/// Shapes of the markers, one for each round of colours.
enum class RunShape { circle, square, diamond, triangle };
[[nodiscard]] RunShape runShape(int style);

}  // namespace lw::ui
