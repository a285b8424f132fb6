/// See job_text.h.
#include "ui/panels/job_text.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <cmath>

namespace lw::ui {

namespace {

QString translate(const char* text) { return QCoreApplication::translate("Jobs", text); }

QString amount(double value, const std::string& unit) {
    if (unit == "bytes") return translate("%1 MB").arg(numberText(value / 1e6, 1));
    return integerText(std::llround(value));
}

}  // namespace

QString durationText(double seconds) {
    const auto whole = static_cast<qint64>(std::llround(std::max(0.0, seconds)));
    if (whole >= 3600) return translate("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
    return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

QString progressText(const lw::Progress& progress) {
    QStringList parts;
    const QString unit = progress.unit == "bytes" ? QString() : QLatin1Char(' ') + QString::fromStdString(progress.unit);
    if (progress.total > 0) {
        parts << translate("%1 of %2%3").arg(amount(progress.done, progress.unit), amount(progress.total, progress.unit), unit);
    } else if (progress.done > 0) {
        parts << amount(progress.done, progress.unit) + unit;
    }
    if (progress.rate > 0) parts << translate("%1 %2/s").arg(integerText(std::llround(progress.rate)), QString::fromStdString(progress.rate_unit));
    if (progress.seconds_left >= 0) parts << translate("%1 left").arg(durationText(progress.seconds_left));
    if (!progress.note.empty()) parts << QString::fromStdString(progress.note);
    return parts.join(QStringLiteral(" · "));
}

int progressPermille(const lw::Progress& progress) {
    if (progress.total <= 0) return -1;
    return static_cast<int>(std::lround(1000 * std::min(1.0, std::max(0.0, progress.done / progress.total))));
}

}  // namespace lw::ui
