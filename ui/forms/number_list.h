#pragma once
/// Whole numbers as people write several of them: "1, 2, 3", "1-3", "128 256".

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace lw::ui {

/// In the order in which they were written, without repeats. Nothing where a word is no number or a range, or stands for too many numbers; an empty
/// text is an empty list.
[[nodiscard]] std::optional<std::vector<std::int64_t>> numbersFrom(const QString& text);
[[nodiscard]] QString numbersText(const std::vector<std::int64_t>& numbers);

}  // namespace lw::ui
