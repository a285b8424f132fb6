#pragma once
/// Values to colours. Tables are computed once in Oklab, where equal steps look equal; no value is ever interpolated between cells.

#include "core/api/maps.h"

#include <QColor>
#include <QImage>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace lw::ui {

enum class ColourMapId {
    night,          ///< dark blue, teal, pale yellow: probabilities
    ink,            ///< paper white to dark blue: probabilities, print
    blueRed,        ///< signed: blue, white, red
    purpleGreen,    ///< signed, for those who take red for brown
};
[[nodiscard]] QString colourMapName(ColourMapId id);
/// "blue-red" and the like, for files and settings.
[[nodiscard]] std::string colourMapKey(ColourMapId id);
[[nodiscard]] std::optional<ColourMapId> colourMapOf(const std::string& key);
/// Colour at t in [0, 1].
[[nodiscard]] QRgb mapColour(ColourMapId id, double t);
[[nodiscard]] bool isDiverging(ColourMapId id);
/// The colours that a map is made of, from t = 0 to t = 1.
constexpr int kMapColours = 1024;
[[nodiscard]] const QRgb* mapColours(ColourMapId id);

/// One scale for any number of pictures: the same value has the same colour in thumbnail, map, bar and figure.
struct ColourScale {
    ColourMapId map = ColourMapId::blueRed;
    double low = -1;
    double high = 1;
    bool logarithmic = false;  ///< needs low > 0; values at or below low take the lowest colour

    /// Where a value lies, 0..1 (clamped); NaN stays NaN.
    [[nodiscard]] double fraction(double value) const;
    [[nodiscard]] double valueAt(double fraction) const;
    [[nodiscard]] QRgb colour(double value, QRgb masked) const;
    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

/// Row-major values as one pixel per cell. NaN takes the masked colour, infinities the ends.
/// ColourScale::colour() of every value, but for the rounding of float arithmetic where the scale is linear.
[[nodiscard]] QImage colourImage(const std::vector<float>& values, std::int64_t rows, std::int64_t columns, const ColourScale& scale, QRgb masked);

/// Smallest and largest finite value, and the size that 99.5 % of the finite values stay below.
struct ValueSpread {
    double low = 0, high = 0;
    double typical = 0;      ///< 99.5 % quantile of |value|
    bool any = false;
};
[[nodiscard]] ValueSpread valueSpread(const std::vector<float>& values);

/// Signed parts: symmetric about 0, limits that few extreme cells do not spoil. Probability: 0 to a round maximum, or by decades.
[[nodiscard]] ColourScale scaleFor(lw::ScorePart part, const std::vector<ValueSpread>& spreads, bool logarithmic);
/// "nats" or "probability".
[[nodiscard]] QString partUnit(lw::ScorePart part);

}  // namespace lw::ui
