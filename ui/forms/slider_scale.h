#pragma once
/// Values of a parameter as slider steps and back, linear or logarithmic. Plain numbers, tested without a slider.

namespace lw::ui {

struct SliderScale {
    double min = 0;
    double max = 1;
    double step = 0;           ///< linear scales snap to it; 0 = any value
    bool logarithmic = false;  ///< needs min > 0, else it is linear
    bool integer = false;

    static constexpr int kSteps = 1000;
    [[nodiscard]] int position(double value) const;  ///< 0..kSteps, clamped
    [[nodiscard]] double value(int position) const;
    [[nodiscard]] double snap(double value) const;   ///< inside the bounds, on the step, integers whole
};

}  // namespace lw::ui
