#pragma once
/// Our ticks for QCustomPlot's axes.

#include "ui/plot/qcp.h"

#include <functional>

namespace lw::ui {

/// Powers of two, for a logarithmic axis of lengths; every second, fourth or eighth where their numbers would touch. `width` = pixels of the axis,
/// `textWidth` = pixels of a number.
[[nodiscard]] QSharedPointer<QCPAxisTicker> lengthTicker(std::function<double()> width, std::function<int(const QString&)> textWidth);
[[nodiscard]] QSharedPointer<QCPAxisTicker> linearTicker(std::function<int()> about);
/// 1, 2, 5 of each decade while there is room for about so many.
[[nodiscard]] QSharedPointer<QCPAxisTicker> logTicker(std::function<int()> about);

}  // namespace lw::ui
