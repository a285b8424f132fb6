/// See slider_scale.h.
#include "ui/forms/slider_scale.h"

#include <algorithm>
#include <cmath>

namespace lw::ui {

int SliderScale::position(double value) const {
    if (max <= min) return 0;
    const double inside = std::clamp(value, min, max);
    const double share = logarithmic && min > 0 ? std::log(inside / min) / std::log(max / min) : (inside - min) / (max - min);
    return static_cast<int>(std::lround(share * kSteps));
}

double SliderScale::value(int position) const {
    const double share = std::clamp(static_cast<double>(position) / kSteps, 0.0, 1.0);
    if (!logarithmic || min <= 0) return snap(min + share * (max - min));
    const double raw = min * std::pow(max / min, share);
    // Three significant digits: a slider cannot aim finer, and 9,987.32 reads worse than 9,990.
    const double unit = std::pow(10.0, std::floor(std::log10(raw)) - 2);
    return snap(std::round(raw / unit) * unit);
}

double SliderScale::snap(double value) const {
    double snapped = value;
    if (step > 0 && !logarithmic) snapped = min + std::round((value - min) / step) * step;
    if (integer) snapped = std::round(snapped);
    return std::clamp(snapped, min, max);
}

}  // namespace lw::ui
