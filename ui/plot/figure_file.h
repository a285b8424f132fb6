#pragma once
/// From a drawing to a PDF, SVG or PNG, with what made it kept inside. Written to a temporary name and renamed.

#include "ui/plot/figure_numbers.h"
#include "ui/plot/figures.h"

#include <QByteArray>
#include <QSize>

#include <functional>

class QCPPainter;

namespace lw::ui {

/// Pages are laid out in units of 1/96 inch, whatever the file and the screen.
constexpr double kUnitsPerMillimetre = 96.0 / 25.4;

[[nodiscard]] QSize pageUnits(double width_mm, double height_mm);
/// Refuses an ending or a size that cannot be written, and numbers that would replace another file, before anything is drawn.
[[nodiscard]] lw::Status check_figure(const FigureOptions& options);
/// `draw` paints a page of the size given in units.
[[nodiscard]] lw::Status write_figure(const FigureOptions& options, QSize units, const std::function<void(QCPPainter&)>& draw);
/// The drawing as SVG with the title and state of the options.
[[nodiscard]] QByteArray svgBytes(const FigureOptions& options, QSize units, const std::function<void(QCPPainter&)>& draw);

}  // namespace lw::ui
