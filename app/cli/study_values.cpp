/// Studies and their reports as JSON.
#include "app/cli/intervals.h"
#include "app/cli/values.h"

namespace lw::cli {
namespace {

Json value_json(const StudyValue& v) {
    const auto [low, high] = ends_json(v.low, v.high);
    const auto [document_low, document_high] = ends_json(v.document_low, v.document_high);
    Json out = {{"length", v.length}, {"value", v.value}, {"low", low}, {"high", high},
                {"document_low", document_low}, {"document_high", document_high},
                {"seeds", v.seeds}, {"documents", v.documents}, {"tokens", v.tokens}, {"units", v.units}, {"best", v.best}, {"not_significantly_worse", v.near_best}};
    if (v.deviation) out["deviation"] = *v.deviation;
    return out;
}

}  // namespace

Json to_json(const StudyCell& cell) {
    Json out = {{"id", cell.id}, {"scheme", cell.scheme}, {"setting", cell.setting}, {"seed", cell.seed}, {"length", cell.recipe.training.length}, {"state", cell.state}, {"message", cell.message},
                {"run", cell.run}, {"folder", cell.folder.string()}, {"step", cell.step}, {"steps", cell.steps == 0 ? 0 : cell.recipe.training.steps}, {"priority", cell.priority}};
    if (!cell.base.empty()) out["base"] = cell.base;
    return out;
}

Json to_json(const StudyTable& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json values = Json::array();
        for (const auto& value : row.values) values.push_back(value ? value_json(*value) : Json());
        rows.push_back({{"title", row.title}, {"published", row.published}, {"runs", row.runs}, {"values", values}});
    }
    return {{"title", table.title}, {"measure", table.measure}, {"protocol_line", table.protocol_line}, {"lengths", table.lengths}, {"rows", rows},
            {"comparisons", comparisons_json(table.comparisons, table.protocol_line)}, {"test", table.test},
            {"findings", table.findings}, {"cautions", table.cautions}, {"published", table.published_source}, {"curves", to_json(table.curves)}};
}

}  // namespace lw::cli
