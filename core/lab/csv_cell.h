#pragma once
/// One cell of a CSV file.

#include <string>

namespace lw {

/// A cell with a comma, a quote or a line break is quoted.
[[nodiscard]] std::string csv_cell(const std::string& text);
/// "low,high" with every digit; both cells empty where the two are equal, which is how the API says that there is no interval: as numbers they
/// would look like one of no width.
[[nodiscard]] std::string interval_cells(double low, double high);

}  // namespace lw
