#include "app/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw::cli {
namespace {

bool looks_numeric(const std::string& cell) {
    return cell.empty() || cell == "–" || cell.find_first_of("0123456789") == 0 ||
           (cell.size() > 1 && cell[0] == '-' && cell.find_first_of("0123456789") == 1);
}

std::string padded(const std::string& cell, std::size_t width, bool right) {
    const std::string space(width - std::min(width, shown_width(cell)), ' ');
    return right ? space + cell : cell + space;
}

}  // namespace

std::string grouped(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string byte_size(std::int64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (value < 1e3) return fmt::format("{} bytes", bytes);
    if (value < 1e6) return fmt::format("{:.0f} kB", value / 1e3);
    if (value < 1e9) return fmt::format("{:.0f} MB", value / 1e6);
    return fmt::format("{:.1f} GB", value / 1e9);
}

std::string duration(double seconds) {
    const auto all = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
    return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

std::string compact(double value) {
    if (std::isnan(value)) return "–";
    if (value == 0) return "0";  // not "-0"
    if (std::abs(value) >= 999.5 && std::abs(value) < 1e15) return grouped(std::llround(value));  // 999.7 is no "1e+03"
    return fmt::format("{:.3g}", value);
}

std::string three_digits(double value) {
    if (!std::isfinite(value) || value == 0 || std::abs(value) >= 999.5) return compact(value);
    const auto scientific = fmt::format("{:.2e}", value);  // its exponent is that of the rounded number
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    return exponent < -4 ? scientific : fmt::format("{:.{}f}", value, 2 - exponent);
}

std::size_t shown_width(const std::string& text) {
    std::size_t width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0) == 0x80) continue;
        // From U+3000 on a terminal gives a character two columns (Chinese, Japanese, Korean, full-width forms).
        width += byte >= 0xE3 && byte <= 0xEF ? 2 : 1;
    }
    return width;
}

std::string Table::text() const {
    const std::size_t columns = header_.size();
    std::vector<std::size_t> width(columns);
    std::vector<bool> right(columns, !rows_.empty());
    for (std::size_t c = 0; c < columns; ++c) width[c] = shown_width(header_[c]);
    for (const auto& row : rows_) {
        for (std::size_t c = 0; c < columns && c < row.size(); ++c) {
            width[c] = std::max(width[c], shown_width(row[c]));
            right[c] = right[c] && looks_numeric(row[c]);
        }
    }
    std::string out;
    const auto add_line = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            if (c > 0) line += "  ";
            line += padded(c < row.size() ? row[c] : "", width[c], right[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    };
    add_line(header_);
    for (const auto& row : rows_) add_line(row);
    return out;
}

}  // namespace lw::cli
