#pragma once
/// A colour scale made ready for many values: tables that give every float exactly the colour that the scale gives it.

#include "ui/plot/colour_lines.h"
#include "ui/plot/colour_map.h"

#include <vector>

namespace lw::ui {

class Colouring {
public:
    Colouring(const ColourScale& scale, QRgb masked);
    /// `count` values to as many pixels of a Format_RGB32 line.
    void line(const float* values, std::size_t count, QRgb* out) const;

private:
    void makeLinear();
    bool makeLogarithmic();
    bool fillBuckets(const std::vector<std::int32_t>& starts);

    enum class Way { linear, bits, each };
    ColourScale m_scale;
    QRgb m_masked;
    Way m_way = Way::linear;
    LinearColours m_linear;
    int m_shift = 0;
    std::int32_t m_first = 0, m_last = 0;
    std::vector<QRgb> m_colours;
    std::vector<std::int32_t> m_splits;
};

}  // namespace lw::ui
