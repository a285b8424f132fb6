#pragma once
/// Where ticks stand and what they say. Pure numbers, shared by our own axes and by QCustomPlot's.

#include <QString>

#include <cstdint>
#include <vector>

namespace lw::ui {

/// Multiples of 1, 2 or 5 times a power of ten inside [low, high], about so many.
[[nodiscard]] std::vector<double> linearTicks(double low, double high, int about);
/// 1, 2, 5 per decade (all of 1..9 over less than a decade, decades only over many) inside [low, high], both > 0.
[[nodiscard]] std::vector<double> logTicks(double low, double high, int about);
/// Positions of tokens: multiples of a power of two inside [low, high].
[[nodiscard]] std::vector<double> positionTicks(double low, double high, int about);
/// Decimals that tell neighbouring ticks apart.
[[nodiscard]] int tickDecimals(const std::vector<double>& ticks);
/// The next value of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is not smaller; for limits that look chosen.
[[nodiscard]] double niceCeiling(double value);

/// Places labels of one height near where they want to be, without overlap, inside [low, high] as far as they fit.
/// The sum of squared moves is smallest; the order along the axis is kept. Results in the order of `wanted`.
[[nodiscard]] std::vector<double> spreadLabels(const std::vector<double>& wanted, double height, double low, double high);

}  // namespace lw::ui
