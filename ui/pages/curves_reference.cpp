/// The comparison of lines with a reference line. See curves_data.h.
#include "ui/pages/curves_data.h"

#include <QCoreApplication>

namespace lw::ui {

std::string lineKey(const lw::CurveLine& line) {
    std::string key;
    for (const std::string& run : line.runs) key += run + "|";
    return key;
}

ReferenceTable loadReference(const ReferenceRequest& request) {
    ReferenceTable table;
    table.reference = request.reference;
    if (request.first.empty()) {
        table.problem = QCoreApplication::translate("CurvesPage", "%1 has no numbers by this protocol to compare with.").arg(request.reference);
        return table;
    }
    for (const auto& [key, folders] : request.others) {
        std::vector<std::filesystem::path> both = request.first;
        both.insert(both.end(), folders.begin(), folders.end());
        const auto compared = lw::compare(both, request.protocol);
        if (!compared.ok()) {
            table.problems[key] = QString::fromStdString(compared.error().message);
            continue;
        }
        for (const lw::Comparison& comparison : compared.value()) table.cells[{key, comparison.length}] = comparison;
    }
    return table;
}

}  // namespace lw::ui
