#pragma once
/// Our ticks for QCustomPlot's axes.

#include "ui/plot/qcp.h"

namespace lw::ui {

/// Powers of two, for a logarithmic axis of lengths.
[[nodiscard]] QSharedPointer<QCPAxisTicker> lengthTicker();
[[nodiscard]] QSharedPointer<QCPAxisTicker> linearTicker(int about);
/// 1, 2, 5 of each decade.
[[nodiscard]] QSharedPointer<QCPAxisTicker> logTicker(int about);

}  // namespace lw::ui
