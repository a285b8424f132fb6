/// See colouring.h.
#include "ui/plot/colouring.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lw::ui {

namespace {

constexpr int kLast = kMapColours - 1;
constexpr std::int32_t kMostBuckets = 1 << 17;
constexpr std::int32_t kLargest = std::bit_cast<std::int32_t>(std::numeric_limits<float>::max());

/// Where a positive float lies in the table; the same arithmetic as ColourScale::colour().
struct LogPlace {
    double low, decades;
    [[nodiscard]] int operator()(std::int32_t bits) const {
        const double value = std::bit_cast<float>(bits);
        if (!(value > low)) return 0;
        return static_cast<int>(std::clamp(std::log(value / low) / decades, 0.0, 1.0) * kLast + 0.5);
    }
};

/// The smallest bits whose place is at least `place`; beyond the largest float where there are none.
std::int32_t startOf(const LogPlace& placeOf, int place, std::int32_t guess) {
    std::int32_t below = guess, above = guess;
    for (std::int32_t step = 1; below > 0 && placeOf(below) >= place; step *= 2) below = std::max(0, below - step);
    for (std::int32_t step = 1; above <= kLargest && placeOf(above) < place; step *= 2) above = above > kLargest - step ? kLargest + 1 : above + step;
    while (above - below > 1) {
        const std::int32_t middle = below + (above - below) / 2;
        (placeOf(middle) >= place ? above : below) = middle;
    }
    return above;
}

}  // namespace

Colouring::Colouring(const ColourScale& scale, QRgb masked) : m_scale(scale), m_masked(masked | 0xff000000U) {
    if (!scale.logarithmic) makeLinear();
    else if (!makeLogarithmic()) m_way = Way::each;
}

/// A scale without extent has one colour, its middle.
void Colouring::makeLinear() {
    const bool extent = m_scale.high > m_scale.low;
    const QRgb* table = mapColours(m_scale.map);
    m_linear = {extent ? table : table + kMapColours / 2, extent ? static_cast<float>(kLast) : 0.0F, static_cast<float>(m_scale.low),
                extent ? static_cast<float>(kLast / (m_scale.high - m_scale.low)) : 0.0F, m_masked};
}

/// Finds where each colour begins. A handful of logarithms per colour, instead of one per value.
bool Colouring::makeLogarithmic() {
    if (!(m_scale.low > 0) || !(m_scale.high > m_scale.low) || !std::isfinite(m_scale.high)) return false;
    const LogPlace placeOf{m_scale.low, std::log(m_scale.high / m_scale.low)};
    if (!std::isfinite(placeOf.decades)) return false;
    std::vector<std::int32_t> starts;
    for (int place = 1; place <= kLast; ++place) {
        const auto guess = static_cast<float>(m_scale.valueAt((place - 0.5) / kLast));
        starts.push_back(startOf(placeOf, place, std::clamp(std::bit_cast<std::int32_t>(guess), 1, kLargest)));
        if (starts.back() > kLargest) return false;
    }
    return fillBuckets(starts);
}

/// Buckets no wider than the narrowest colour, so that at most one begins in each.
bool Colouring::fillBuckets(const std::vector<std::int32_t>& starts) {
    std::int32_t narrowest = kLargest;
    for (std::size_t place = 1; place < starts.size(); ++place)
        if (starts[place] > starts[place - 1]) narrowest = std::min(narrowest, starts[place] - starts[place - 1]);
    m_shift = std::bit_width(static_cast<std::uint32_t>(narrowest)) - 1;
    m_first = starts.front() - 1;
    m_last = starts.back();
    const std::int32_t buckets = ((m_last - m_first) >> m_shift) + 1;
    if (buckets > kMostBuckets) return false;
    const QRgb* table = mapColours(m_scale.map);
    std::size_t place = 0;  // colours that began
    for (std::int32_t bucket = 0; bucket < buckets; ++bucket) {
        const std::int32_t end = m_first + ((bucket + 1) << m_shift);
        m_colours.push_back(table[place]);
        m_splits.push_back(place < starts.size() && starts[place] < end ? starts[place] - 1 : kLargest);
        while (place < starts.size() && starts[place] < end) ++place;
    }
    m_colours.push_back(table[place]);
    m_way = Way::bits;
    return true;
}

void Colouring::line(const float* values, std::size_t count, QRgb* out) const {
    switch (m_way) {
        case Way::linear: return colourLine(m_linear, values, count, out);
        case Way::bits: return colourLine(BitColours{m_colours.data(), m_splits.data(), m_first, m_last, m_shift, m_masked}, values, count, out);
        case Way::each: std::transform(values, values + count, out, [this](float value) { return m_scale.colour(value, m_masked); });
    }
}

}  // namespace lw::ui
