#pragma once
/// YaRN's magnitude g(s, m) = 0.1 m ln s + 1, 1 for s <= 1.

#include <cmath>

namespace lw {

inline double yarn_magnitude(double s, double m) { return s <= 1 ? 1 : 0.1 * m * std::log(s) + 1; }

}  // namespace lw
