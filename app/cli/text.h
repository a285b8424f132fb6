#pragma once
/// Tables and numbers for people.

#include <cstdint>
#include <string>
#include <vector>

namespace lw::cli {

/// 16384 -> "16,384".
[[nodiscard]] std::string grouped(std::int64_t value);
/// 545123456 -> "545 MB".
[[nodiscard]] std::string byte_size(std::int64_t bytes);
/// 83.2 -> "1:23", 4000 -> "1:06:40".
[[nodiscard]] std::string duration(double seconds);
/// Three significant digits below 1000, whole numbers above.
[[nodiscard]] std::string compact(double value);
/// The same with its zeros, 75 as "75.0": for columns, which are read downwards.
[[nodiscard]] std::string three_digits(double value);
/// Columns that a UTF-8 text takes on a terminal.
[[nodiscard]] std::size_t shown_width(const std::string& text);

/// Columns as wide as their content; numbers to the right.
class Table {
public:
    explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace lw::cli
