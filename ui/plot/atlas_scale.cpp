/// See atlas_scale.h.
#include "ui/plot/atlas_scale.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr double kLinearTo = 0.25;    // nats: |C| below it counts as flat
constexpr double kNearestEnd = 0.9999;

double same(double value) { return value; }
double asinhOf(double value) { return std::asinh(value / kLinearTo); }
double sinhOf(double place) { return std::sinh(place) * kLinearTo; }
double atanhOf(double value) { return std::atanh(std::clamp(value, -kNearestEnd, kNearestEnd)); }
double tanhOf(double place) { return std::tanh(place); }

/// 0 and the sizes on either side of it, from 0 outwards: a number that would stand on the one before it is left out.
std::vector<double> ticksAbout0(double low, double high, int about, double (*stretched)(double), const std::vector<double>& sizes) {
    const double apart = (high - low) / std::max(about, 2) * 0.6;
    std::vector<double> ticks;
    if (low <= 0 && high >= 0) ticks.push_back(0);
    for (const double sign : {-1.0, 1.0}) {
        double last = 0;
        for (const double size : sizes) {
            const double place = stretched(sign * size);
            if (place < low || place > high || std::abs(place - last) < apart) continue;
            ticks.push_back(sign * size);
            last = place;
        }
    }
    std::sort(ticks.begin(), ticks.end());
    return ticks;
}

std::vector<double> evenTicks(double low, double high, int about) { return linearTicks(low, high, std::clamp(about, 2, 8)); }

std::vector<double> asinhTicks(double low, double high, int about) { return ticksAbout0(low, high, about, asinhOf, {kLinearTo, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5}); }

std::vector<double> atanhTicks(double low, double high, int about) { return ticksAbout0(low, high, about, atanhOf, {0.5, 0.9, 0.99, 0.999, 0.9999}); }

QString evenText(double tick, const std::vector<double>& ticks) { return numberText(tick, tickDecimals(ticks)); }

QString asinhText(double tick, const std::vector<double>&) { return tick == 0 ? QStringLiteral("0") : signedText(tick, std::abs(tick) < 1 ? 2 : 0); }

/// As many decimals as there are nines.
QString atanhText(double tick, const std::vector<double>&) {
    if (tick == 0) return QStringLiteral("0");
    return signedText(tick, std::max(1, static_cast<int>(std::lround(-std::log10(1 - std::abs(tick))))));
}

}  // namespace

const AtlasScale& linearScale() {
    static constexpr AtlasScale scale{"", same, same, evenTicks, evenText};
    return scale;
}

const AtlasScale& asinhScale() {
    static constexpr AtlasScale scale{"asinh", asinhOf, sinhOf, asinhTicks, asinhText};
    return scale;
}

const AtlasScale& atanhScale() {
    static constexpr AtlasScale scale{"atanh", atanhOf, tanhOf, atanhTicks, atanhText};
    return scale;
}

QString scaledTitle(const QString& label, const AtlasScale& scale) {
    const QString name = QLatin1String(scale.name);
    return name.isEmpty() ? label : QCoreApplication::translate("Atlas", "%1 (%2 scale)").arg(label, name);
}

}  // namespace lw::ui
