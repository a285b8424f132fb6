/// See curve_table.h.
#include "app/cli/curve_table.h"

#include "app/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw::cli {

std::string curve_table(const CurveSet& curves) {
    std::set<double> lengths;
    for (const auto& line : curves.lines) lengths.insert(line.length.begin(), line.length.end());
    std::vector<std::string> header{"perplexity at"};
    for (double length : lengths) header.push_back(grouped(static_cast<std::int64_t>(length)));
    Table table(header);
    for (const auto& line : curves.lines) {
        std::vector<std::string> row{line.seeds > 1 ? fmt::format("{} ({} seeds)", line.title, line.seeds) : line.title};
        for (double length : lengths) {
            const auto at = std::find(line.length.begin(), line.length.end(), length);
            row.push_back(at == line.length.end() ? "–" : compact(line.value[static_cast<std::size_t>(at - line.length.begin())]));
        }
        table.add(row);
    }
    return table.text();
}

}  // namespace lw::cli
