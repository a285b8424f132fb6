/// See colour_map.h.
#include "ui/plot/colour_map.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/colouring.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>

namespace lw::ui {

namespace {

constexpr int kTable = kMapColours;
using Table = std::array<QRgb, kTable>;

/// A colour of the path through Oklab (Ottosson 2020): lightness and the two opponent axes at position t.
struct Anchor {
    double t, lightness, a, b;
};

/// Lightness rises evenly along the sequential maps and is symmetric about the middle of the signed ones.
constexpr std::array<Anchor, 5> kNight{{{0, .19, .0, -.085}, {.25, .385, -.012, -.105}, {.5, .58, -.06, -.05}, {.75, .775, -.085, .055}, {1, .97, -.03, .12}}};
constexpr std::array<Anchor, 5> kInk{{{0, .985, .0, .008}, {.25, .81, -.03, -.04}, {.5, .635, -.03, -.095}, {.75, .46, -.01, -.12}, {1, .285, .01, -.09}}};
constexpr std::array<Anchor, 9> kBlueRed{{{0, .30, -.01, -.10}, {.17, .48, -.04, -.115}, {.33, .72, -.05, -.07}, {.45, .905, -.018, -.024}, {.5, .972, .0, .002}, {.55, .905, .02, .018}, {.67, .72, .095, .065}, {.83, .48, .15, .075}, {1, .30, .11, .04}}};
constexpr std::array<Anchor, 9> kPurpleGreen{{{0, .30, .085, -.10}, {.17, .48, .10, -.11}, {.33, .72, .07, -.075}, {.45, .905, .022, -.024}, {.5, .972, .0, .0}, {.55, .905, -.028, .022}, {.67, .72, -.10, .07}, {.83, .48, -.10, .07}, {1, .30, -.065, .045}}};

double encode(double linear) {
    const double x = std::clamp(linear, 0.0, 1.0);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

QRgb fromOklab(double lightness, double a, double b) {
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    const auto byte = [](double v) { return static_cast<int>(std::lround(255 * encode(v))); };
    return qRgb(byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

/// Piecewise linear is enough: the anchors are close and a kink in hue is not seen where lightness is even.
Table build(std::span<const Anchor> path) {
    Table table{};
    for (int i = 0; i < kTable; ++i) {
        const double t = static_cast<double>(i) / (kTable - 1);
        std::size_t k = 0;
        while (k + 2 < path.size() && t > path[k + 1].t) ++k;
        const double u = (t - path[k].t) / (path[k + 1].t - path[k].t);
        const auto mix = [u](double from, double to) { return from + u * (to - from); };
        table[static_cast<std::size_t>(i)] = fromOklab(mix(path[k].lightness, path[k + 1].lightness), mix(path[k].a, path[k + 1].a), mix(path[k].b, path[k + 1].b));
    }
    return table;
}

const Table& table(ColourMapId id) {
    static const Table night = build(kNight), ink = build(kInk), blueRed = build(kBlueRed), purpleGreen = build(kPurpleGreen);
    switch (id) {
        case ColourMapId::night: return night;
        case ColourMapId::ink: return ink;
        case ColourMapId::blueRed: return blueRed;
        case ColourMapId::purpleGreen: return purpleGreen;
    }
    return night;
}

QRgb atFraction(const Table& colours, double t) {
    return colours[static_cast<std::size_t>(std::clamp(t, 0.0, 1.0) * (kTable - 1) + 0.5)];
}

/// The value with so many smaller ones before it. The bits of floats that are not negative rise with them: counting by the leading bits
/// leaves few to be put in order.
float ranked(std::vector<float> sizes, std::size_t rank) {
    const auto leading = [](float size) { return std::bit_cast<std::uint32_t>(size) >> 19; };
    std::vector<std::uint32_t> counts(1U << 12);
    for (const float size : sizes) ++counts[leading(size)];
    std::uint32_t bin = 0;
    for (; rank >= counts[bin]; ++bin) rank -= counts[bin];
    std::erase_if(sizes, [&](float size) { return leading(size) != bin; });
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(sizes.begin(), place, sizes.end());
    return *place;
}

QString text(const char* source) { return QCoreApplication::translate("ColourMap", source); }

}  // namespace

QString colourMapName(ColourMapId id) {
    switch (id) {
        case ColourMapId::night: return text("Night (dark to bright)");
        case ColourMapId::ink: return text("Ink (white to blue)");
        case ColourMapId::blueRed: return text("Blue to red");
        case ColourMapId::purpleGreen: return text("Purple to green");
    }
    return {};
}

std::string colourMapKey(ColourMapId id) {
    static constexpr const char* kKeys[] = {"night", "ink", "blue-red", "purple-green"};
    return kKeys[static_cast<int>(id)];
}

std::optional<ColourMapId> colourMapOf(const std::string& key) {
    for (const ColourMapId id : {ColourMapId::night, ColourMapId::ink, ColourMapId::blueRed, ColourMapId::purpleGreen})
        if (colourMapKey(id) == key) return id;
    return std::nullopt;
}

QRgb mapColour(ColourMapId id, double t) { return atFraction(table(id), t); }

const QRgb* mapColours(ColourMapId id) { return table(id).data(); }

bool isDiverging(ColourMapId id) { return id == ColourMapId::blueRed || id == ColourMapId::purpleGreen; }

double ColourScale::fraction(double value) const {
    if (std::isnan(value)) return value;
    if (!logarithmic) return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
    if (!(value > low)) return 0;
    return std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0);
}

double ColourScale::valueAt(double t) const { return logarithmic ? low * std::pow(high / low, t) : low + t * (high - low); }

QRgb ColourScale::colour(double value, QRgb masked) const {
    return std::isnan(value) ? masked : atFraction(table(map), fraction(value));
}

QImage colourImage(const std::vector<float>& values, std::int64_t rows, std::int64_t columns, const ColourScale& scale, QRgb masked) {
    if (rows <= 0 || columns <= 0 || values.size() != static_cast<std::size_t>(rows * columns)) return {};
    QImage image(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_RGB32);
    const Colouring colouring(scale, masked);
    const auto width = static_cast<std::size_t>(columns);
    for (int r = 0; r < image.height(); ++r) colouring.line(values.data() + static_cast<std::size_t>(r) * width, width, reinterpret_cast<QRgb*>(image.scanLine(r)));
    return image;
}

ValueSpread valueSpread(const std::vector<float>& values) {
    const FiniteRange range = finiteRange(values.data(), values.size());
    if (range.low > range.high) return {};
    std::vector<float> sizes;
    sizes.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(sizes), [](float value) { return std::isfinite(value); });
    for (float& size : sizes) size = std::abs(size);
    const auto rank = static_cast<std::size_t>(0.995 * static_cast<double>(sizes.size() - 1));
    return {range.low, range.high, ranked(std::move(sizes), rank), true};
}

ColourScale scaleFor(lw::ScorePart part, const std::vector<ValueSpread>& spreads, bool logarithmic) {
    double typical = 0, largest = 0;
    for (const ValueSpread& s : spreads) {
        if (!s.any) continue;
        typical = std::max(typical, s.typical);
        largest = std::max({largest, std::abs(s.low), std::abs(s.high)});
    }
    // Cut the scale only where a few cells would wash out all the others; the colour bar then shows that it was cut.
    const double limit = niceCeiling(typical > 0 && typical < 0.5 * largest ? typical : (largest > 0 ? largest : 1));
    ColourScale scale;
    if (part == lw::ScorePart::probability) {
        scale.map = ColourMapId::night;
        scale.logarithmic = logarithmic;
        scale.low = logarithmic ? 1e-6 : 0;
        scale.high = logarithmic ? 1 : std::min(1.0, limit);
        return scale;
    }
    scale.low = -limit;
    scale.high = limit;
    return scale;
}

QString partUnit(lw::ScorePart part) { return part == lw::ScorePart::probability ? text("probability") : text("nats"); }

}  // namespace lw::ui
