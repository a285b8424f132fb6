/// Colours by vector code against the scale's own function, value by value.
#include "ui/plot/colouring.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

using namespace lw::ui;

namespace {

constexpr QRgb kMasked = 0xffeaebee;

/// One value after the other, as a linear scale is defined: the place in the table by float arithmetic.
QRgb plainLinear(const ColourScale& scale, float value) {
    if (std::isnan(value)) return kMasked;
    if (!(scale.high > scale.low)) return scale.colour(value, kMasked);
    const float factor = static_cast<float>((kMapColours - 1) / (scale.high - scale.low));
    return mapColours(scale.map)[static_cast<std::size_t>(std::clamp((value - static_cast<float>(scale.low)) * factor, 0.0F, kMapColours - 1.0F) + 0.5F)];
}

QRgb plain(const ColourScale& scale, float value) { return scale.logarithmic ? scale.colour(value, kMasked) : plainLinear(scale, value); }

/// Floats of every size and sign, infinities and NaN, and the neighbourhood of every value where the colour changes.
std::vector<float> trials(const ColourScale& scale) {
    std::vector<float> values;
    for (std::uint64_t bits = 0; bits < (1ULL << 32); bits += 50021) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    for (const float value : {0.0F, -0.0F, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()})
        values.push_back(value);
    for (int place = 0; place < kMapColours; ++place) {
        float edge = static_cast<float>(scale.valueAt((place + 0.5) / (kMapColours - 1)));
        for (int step = 0; step < 4; ++step) edge = std::nextafter(edge, -HUGE_VALF);
        for (int step = 0; step < 9; ++step, edge = std::nextafter(edge, HUGE_VALF)) values.push_back(edge);
    }
    return values;
}

std::size_t differing(const ColourScale& scale) {
    const std::vector<float> values = trials(scale);
    std::vector<QRgb> made(values.size());
    Colouring(scale, kMasked).line(values.data(), values.size(), made.data());
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) count += made[i] != plain(scale, values[i]);
    return count;
}

}  // namespace

TEST_CASE("vector code gives every value the colour of its linear scale", "[ui][plot][colour]") {
    for (const auto& [low, high] : {std::pair{-1.0, 1.0}, {-4.0, 4.0}, {0.0, 1.0}, {0.0, 0.003}, {-2e5, 2e5}, {0.25, 0.2500001}, {2.0, 2.0}, {3.0, 1.0}}) {
        CAPTURE(low, high);
        CHECK(differing({ColourMapId::blueRed, low, high, false}) == 0);
    }
}

TEST_CASE("vector code gives every value the colour of its logarithmic scale", "[ui][plot][colour]") {
    for (const auto& [low, high] : {std::pair{1e-6, 1.0}, {1.0, 8191.0}, {1.0, 2.0}, {0.5, 0.5000001}, {1e-30, 1e30}, {1e-44, 1e-40}, {1.0, 1.0}, {2.0, 1.0}}) {
        CAPTURE(low, high);
        CHECK(differing({ColourMapId::night, low, high, true}) == 0);
    }
}

TEST_CASE("lines of any length are coloured whole and nothing past them", "[ui][plot][colour]") {
    const ColourScale scale{ColourMapId::night, 0, 1, false};
    const Colouring colouring(scale, kMasked);
    for (std::size_t count = 0; count < 70; ++count) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = i % 5 == 3 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i) / 70;
        std::vector<QRgb> made(count + 1, 0x12345678);
        colouring.line(values.data(), count, made.data());
        CHECK(made.back() == 0x12345678);
        for (std::size_t i = 0; i < count; ++i) CHECK(made[i] == plain(scale, values[i]));
    }
}

TEST_CASE("the spread of values is that of sorting them", "[ui][plot][colour]") {
    std::uint32_t state = 1;
    for (const std::size_t count : {1U, 2U, 7U, 199U, 201U, 5000U}) {
        std::vector<float> values, finite;
        for (std::size_t i = 0; i < count; ++i) {
            state = state * 1664525U + 1013904223U;
            values.push_back(i % 17 == 5 ? std::numeric_limits<float>::infinity() : i % 11 == 3 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(static_cast<float>(static_cast<std::int32_t>(state)), -20 - static_cast<int>(state % 23)));
            if (std::isfinite(values.back())) finite.push_back(values.back());
        }
        const ValueSpread spread = valueSpread(values);
        CHECK(spread.low == *std::min_element(finite.begin(), finite.end()));
        CHECK(spread.high == *std::max_element(finite.begin(), finite.end()));
        for (float& value : finite) value = std::abs(value);
        std::sort(finite.begin(), finite.end());
        CHECK(spread.typical == finite[static_cast<std::size_t>(0.995 * static_cast<double>(finite.size() - 1))]);
    }
    CHECK_FALSE(valueSpread({}).any);
    CHECK_FALSE(valueSpread({std::numeric_limits<float>::quiet_NaN()}).any);
}
