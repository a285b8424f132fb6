/// See curve_table.h.
#include "app/cli/curve_table.h"

#include "app/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw::cli {
namespace {

/// Two decimals in the whole table, so that its columns can be read downwards.
std::string perplexity_text(double value) {
    if (!(value < 1e9)) return compact(value);
    const std::string digits = fmt::format("{:.2f}", value);
    return grouped(std::stoll(digits)) + digits.substr(digits.size() - 3);
}

}  // namespace

std::string curve_table(const CurveSet& curves) {
    std::set<double> lengths;
    for (const auto& line : curves.lines) lengths.insert(line.length.begin(), line.length.end());
    std::vector<std::string> header{(curves.y_label == "Perplexity" ? "perplexity" : curves.y_label) + " at"};
    for (double length : lengths) header.push_back(grouped(static_cast<std::int64_t>(length)));
    Table table(header);
    for (const auto& line : curves.lines) {
        std::vector<std::string> row{line.seeds > 1 ? fmt::format("{} ({} seeds)", line.title, line.seeds) : line.title};
        for (double length : lengths) {
            const auto at = std::find(line.length.begin(), line.length.end(), length);
            row.push_back(at == line.length.end() ? "–" : perplexity_text(line.value[static_cast<std::size_t>(at - line.length.begin())]));
        }
        table.add(row);
    }
    return table.text();
}

}  // namespace lw::cli
