#pragma once
/// How an axis of an atlas runs: which values are spread out and which stand close together.

#include <QString>

#include <vector>

namespace lw::ui {

/// From values to places along the axis and back, both growing. One constant per scale: an axis names the one it uses.
struct AtlasScale {
    const char* name;                         ///< in the axis title: "asinh"; "" = linear, which needs no word
    double (*stretched)(double value);
    double (*unstretched)(double place);
    /// Values that get a number between two places, ascending, about so many and never on top of each other.
    std::vector<double> (*ticks)(double low, double high, int about);
    QString (*tickText)(double tick, const std::vector<double>& ticks);
};

[[nodiscard]] const AtlasScale& linearScale();
/// asinh(y / 0.25): linear near 0 and logarithmic beyond, for measures that grow over decades on both sides of 0.
[[nodiscard]] const AtlasScale& asinhScale();
/// atanh(y), for measures in [−1, 1]: linear near 0, and logarithmic in the distance from either end, so that 0.9, 0.99 and 0.999 stand
/// apart. It ends at ±0.9999: the ends themselves are infinitely far away.
[[nodiscard]] const AtlasScale& atanhScale();

/// "contrast C, nats (asinh scale)"; the label alone where the scale is linear.
[[nodiscard]] QString scaledTitle(const QString& label, const AtlasScale& scale);

}  // namespace lw::ui
