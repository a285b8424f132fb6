#pragma once
/// Numbers as people read them: grouped, with a real minus sign, with the digits that their uncertainty supports.

#include <QString>

namespace lw::ui {

[[nodiscard]] QString integerText(qint64 value);                     ///< "8,192"
[[nodiscard]] QString numberText(double value, int decimals);        ///< "−0.42", "1,264.0"
[[nodiscard]] QString signedText(double value, int decimals);        ///< "+0.41", "−3.46", "0.00" has no sign
[[nodiscard]] QString shortText(double value);                       ///< 3 digits; "3.1 × 10⁻⁴" when small or large
[[nodiscard]] QString decadeText(double value);                      ///< of a power of ten: "100", "0.01", "10⁻⁶"
[[nodiscard]] int decimalsFor(double uncertainty);                   ///< decimals that show its first digit, 0 to 4
[[nodiscard]] QString intervalText(double low, double high);         ///< "[22.8, 23.6]"
[[nodiscard]] QString estimateText(double value, double low, double high);  ///< value with the digits of its interval

}  // namespace lw::ui
