#pragma once
/// Where tokens stand in a strip that wraps: plain numbers, so that they can be tested without painting.

#include <cstdint>
#include <vector>

namespace lw::ui {

struct TokenPlace {
    int x = 0;
    int width = 0;
    int row = 0;
};

struct TokenLayout {
    std::vector<TokenPlace> places;
    std::vector<std::size_t> rowBegin;  ///< first token of each row
    int rowHeight = 1;
    [[nodiscard]] int rows() const { return static_cast<int>(rowBegin.size()); }
    [[nodiscard]] int height() const { return rows() * rowHeight; }
    /// Token under a point of the laid-out text; -1 = none.
    [[nodiscard]] std::int64_t tokenAt(int x, int y) const;
};

/// Rows of tokens no wider than `width` (a token wider than that has a row of its own).
[[nodiscard]] TokenLayout layoutTokens(const std::vector<int>& widths, int width, int rowHeight);

}  // namespace lw::ui
