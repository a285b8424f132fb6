/// The comparison of lines with a reference line. See curves_data.h.
#include "ui/pages/curves_data.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace lw::ui {

namespace {

/// All other lines against one. Being stopped says nothing of a line, so it is passed on.
lw::Result<ReferenceTable> against(const ReferenceRequest& request, std::size_t reference, const lw::RunContext& context) {
    ReferenceTable table;
    const ReferenceLine& first = request.lines[reference];
    table.reference = first.title;
    if (first.folders.empty()) {
        table.problem = QCoreApplication::translate("CurvesPage", "%1 has no numbers by this protocol to compare with.").arg(first.title);
        return table;
    }
    for (std::size_t i = 0; i < request.lines.size(); ++i) {
        const ReferenceLine& other = request.lines[i];
        if (i == reference || other.folders.empty()) continue;
        std::vector<std::filesystem::path> both = first.folders;
        both.insert(both.end(), other.folders.begin(), other.folders.end());
        const auto compared = lw::compare(both, request.protocol, context);
        if (!compared.ok()) {
            if (compared.error().kind == lw::ErrorKind::cancelled) return compared.error();
            table.problems[other.key] = QString::fromStdString(compared.error().message);
            continue;
        }
        for (const lw::Comparison& comparison : compared.value()) table.cells[{other.key, comparison.length}] = comparison;
    }
    return table;
}

std::set<std::string> comparedKeys(const ReferenceTable& table) {
    std::set<std::string> keys;
    for (const auto& [at, comparison] : table.cells) keys.insert(at.first);
    return keys;
}

/// Lines with several seeds first: only they give a test over seeds.
std::vector<std::size_t> candidates(const ReferenceRequest& request) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < request.lines.size(); ++i)
        if (!request.lines[i].current && !request.lines[i].folders.empty()) found.push_back(i);
    std::stable_partition(found.begin(), found.end(), [&](std::size_t i) { return request.lines[i].seeds > 1; });
    return found;
}

}  // namespace

std::string lineKey(const lw::CurveLine& line) {
    std::string key;
    for (const std::string& run : line.runs) key += run + "|";
    return key;
}

lw::Result<ReferenceTable> loadReference(const ReferenceRequest& request, const lw::RunContext& context) {
    if (request.chosen) return against(request, *request.chosen, context);
    ReferenceTable best;
    std::size_t most = 0;
    std::set<std::string> seen;
    for (const std::size_t candidate : candidates(request)) {
        // What was compared with an earlier candidate compares with the same lines as that one.
        if (seen.contains(request.lines[candidate].key)) continue;
        lw::Result<ReferenceTable> table = against(request, candidate, context);
        if (!table.ok()) return table;
        const std::set<std::string> compared = comparedKeys(table.value());
        seen.insert(compared.begin(), compared.end());
        const std::size_t count = compared.size();
        if (best.reference.isEmpty() || count > most) {
            best = std::move(table).value();
            most = count;
        }
        if (2 * most >= request.lines.size() - 1) break;
    }
    return best;
}

}  // namespace lw::ui
