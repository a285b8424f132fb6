/// See number_text.h.
#include "ui/plot/number_text.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

/// The plain C locale groups nothing; it means "none chosen", so English stands in for it.
QLocale numberLocale() {
    const QLocale locale;
    return locale.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedStates) : locale;
}

const QChar kMinus(0x2212);

QString withMinus(QString text) { return text.replace(QLatin1Char('-'), kMinus); }

QString superscript(int value) {
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = value < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar c : QString::number(std::abs(value))) text += digits.at(c.digitValue());
    return text;
}

}  // namespace

QString integerText(qint64 value) { return withMinus(numberLocale().toString(value)); }

QString numberText(double value, int decimals) {
    if (std::isnan(value)) return QStringLiteral("–");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : kMinus + QStringLiteral("∞");
    const double unit = std::pow(10.0, -decimals);
    if (std::abs(value) < unit / 2) value = 0;  // no "−0.0"
    return withMinus(numberLocale().toString(value, 'f', decimals));
}

QString signedText(double value, int decimals) {
    const bool positive = value >= std::pow(10.0, -decimals) / 2;
    return (positive ? QStringLiteral("+") : QString()) + numberText(value, decimals);
}

QString shortText(double value) {
    if (value == 0 || !std::isfinite(value)) return numberText(value, 0);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-12));
    if (exponent >= -2 && exponent <= 5) return numberText(value, std::clamp(2 - exponent, 0, 4));
    const double mantissa = value / std::pow(10.0, exponent);
    return QStringLiteral("%1 × 10%2").arg(numberText(mantissa, 1), superscript(exponent));
}

QString decadeText(double value) {
    const int exponent = static_cast<int>(std::lround(std::log10(value)));
    if (exponent >= 0 && exponent <= 3) return numberText(value, 0);
    if (exponent < 0 && exponent >= -2) return numberText(value, -exponent);
    return QStringLiteral("10%1").arg(superscript(exponent));
}

int decimalsFor(double uncertainty) {
    if (!(uncertainty > 0) || !std::isfinite(uncertainty)) return 2;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(uncertainty))), 0, 4);
}

QString intervalText(double low, double high) {
    if (!(high > low)) return {};
    const int decimals = decimalsFor((high - low) / 2);
    return QStringLiteral("[%1, %2]").arg(numberText(low, decimals), numberText(high, decimals));
}

QString estimateText(double value, double low, double high) {
    if (high > low) return numberText(value, decimalsFor((high - low) / 2));
    return numberText(value, std::abs(value) < 1000 ? 1 : 0);
}

}  // namespace lw::ui
