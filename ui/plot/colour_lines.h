#pragma once
/// Vector code of colour_map.cpp, compiled for several processors; the best is chosen when the program runs. Plain numbers only.

#include <cstddef>
#include <cstdint>

namespace lw::ui {

/// Colours of values that a linear scale spreads evenly over a table: the rounding is that of float arithmetic.
struct LinearColours {
    const std::uint32_t* table = nullptr;
    float last = 0;    ///< the table's last place
    float low = 0;     ///< value of its first
    float factor = 0;  ///< places per unit of value
    std::uint32_t masked = 0;
};

/// Colours by a value's bits, which for positive floats rise with it: bucket b of equal bit patterns has colours[b] up to splits[b] and
/// colours[b + 1] past it. So a scale of any shape is looked up exactly, without computing its function.
struct BitColours {
    const std::uint32_t* colours = nullptr;
    const std::int32_t* splits = nullptr;
    std::int32_t first = 0;  ///< bits below count as these
    std::int32_t last = 0;   ///< and bits above as these
    int shift = 0;           ///< log2 of a bucket's width
    std::uint32_t masked = 0;
};

/// NaN takes the masked colour.
void colourLine(const LinearColours& colours, const float* values, std::size_t count, std::uint32_t* out);
void colourLine(const BitColours& colours, const float* values, std::size_t count, std::uint32_t* out);

/// Smallest and largest finite value; low > high where there is none.
struct FiniteRange {
    float low = 0;
    float high = 0;
};
[[nodiscard]] FiniteRange finiteRange(const float* values, std::size_t count);

}  // namespace lw::ui
