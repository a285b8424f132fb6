#pragma once
/// One cell of a CSV file.

#include <string>

namespace lw {

/// A cell with a comma, a quote or a line break is quoted.
[[nodiscard]] std::string csv_cell(const std::string& text);

}  // namespace lw
