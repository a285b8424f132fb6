/// See amount_text.h.
#include "ui/forms/amount_text.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

QString translate(const char* text) { return QCoreApplication::translate("Amounts", text); }

}  // namespace

QString roughTime(double seconds) {
    if (seconds < 90) return translate("%1 s").arg(std::max(1LL, std::llround(seconds)));
    const long long minutes = std::llround(seconds / 60);
    if (minutes < 90) return translate("%1 min").arg(minutes);
    if (minutes < 48 * 60) return translate("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
    return translate("%1 days").arg(numberText(seconds / 86400, 1));
}

QString bytesText(std::int64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (value < 1e9) return translate("%1 MB").arg(numberText(value / 1e6, 0));
    return translate("%1 GB").arg(numberText(value / 1e9, value < 1e10 ? 1 : 0));
}

}  // namespace lw::ui
