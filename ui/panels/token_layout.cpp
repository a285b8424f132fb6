/// See token_layout.h.
#include "ui/panels/token_layout.h"

#include <algorithm>

namespace lw::ui {

TokenLayout layoutTokens(const std::vector<int>& widths, int width, int rowHeight) {
    TokenLayout layout;
    layout.rowHeight = std::max(1, rowHeight);
    layout.places.reserve(widths.size());
    int x = 0;
    for (std::size_t t = 0; t < widths.size(); ++t) {
        if (layout.rowBegin.empty() || (x > 0 && x + widths[t] > width)) {
            layout.rowBegin.push_back(t);
            x = 0;
        }
        layout.places.push_back({x, widths[t], layout.rows() - 1});
        x += widths[t];
    }
    return layout;
}

std::int64_t TokenLayout::tokenAt(int x, int y) const {
    if (y < 0 || y / rowHeight >= rows()) return -1;
    const auto row = static_cast<std::size_t>(y / rowHeight);
    const std::size_t end = row + 1 < rowBegin.size() ? rowBegin[row + 1] : places.size();
    for (std::size_t t = rowBegin[row]; t < end; ++t)
        if (x >= places[t].x && x < places[t].x + places[t].width) return static_cast<std::int64_t>(t);
    return -1;
}

}  // namespace lw::ui
