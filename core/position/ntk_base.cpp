#include "core/position/frequency/ntk_base.h"

#include "core/position/catalogue.h"

#include <fmt/format.h>

#include <cmath>

namespace lw {

Frequencies ntk_scaled(const std::vector<double>& inverse, double s) {
    Frequencies scaled{inverse, 1};
    const double last = static_cast<double>(inverse.size()) - 1;  // d/2 - 1; with one pair there is only the fastest
    for (std::size_t n = 1; n < inverse.size(); ++n) scaled.inverse[n] *= std::pow(s, -static_cast<double>(n) / last);
    return scaled;
}

std::string new_base(const ModelShape& shape, double s) {
    const auto d = static_cast<double>(shape.head_width);
    if (shape.base <= 0 || d <= 2) return {};
    return fmt::format("b = {}, b′ = {}", number_text(shape.base), number_text(std::round(shape.base * std::pow(s, d / (d - 2)))));
}

}  // namespace lw
