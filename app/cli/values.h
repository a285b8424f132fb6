#pragma once
/// API values as JSON, for --json.

#include "app/cli/shell.h"
#include "core/api/evaluation.h"
#include "core/api/heads.h"
#include "core/api/scheme.h"
#include "core/api/study_report.h"
#include "core/api/text.h"

namespace lw::cli {

[[nodiscard]] Json to_json(const ParamValue& value);
[[nodiscard]] Json to_json(const ParamSpec& spec);
[[nodiscard]] Json to_json(const MethodInfo& method);
[[nodiscard]] Json to_json(const MethodNumbers& numbers);
[[nodiscard]] Json to_json(const Recipe& recipe);
[[nodiscard]] Json to_json(const RunInfo& run);
[[nodiscard]] Json to_json(const LogPoint& point);
[[nodiscard]] Json to_json(const Evaluation& evaluation);
[[nodiscard]] Json to_json(const TaskPoint& point);
[[nodiscard]] Json to_json(const TaskEvaluation& evaluation);
/// `protocol_line`: of the evaluations that are compared; it says whether there are intervals (intervals.h).
[[nodiscard]] Json comparisons_json(const std::vector<Comparison>& comparisons, const std::string& protocol_line);
[[nodiscard]] Json to_json(const CurveSet& curves);
[[nodiscard]] Json to_json(const StudyCell& cell);
[[nodiscard]] Json to_json(const StudyTable& table);
[[nodiscard]] Json to_json(const MapTile& tile);
[[nodiscard]] Json to_json(const RowProfile& row);
[[nodiscard]] Json to_json(const CellArithmetic& cell);
[[nodiscard]] Json to_json(const HeadMeasures& measures);
[[nodiscard]] Json to_json(const HeadPoint& point);
[[nodiscard]] Json to_json(const LayerTerms& terms);
[[nodiscard]] Json to_json(const HeadDrift& drift);
[[nodiscard]] Json to_json(const HeadAtlas& atlas);
[[nodiscard]] Json to_json(const MapsInfo& info);
[[nodiscard]] Json to_json(const CorpusInfo& corpus);
[[nodiscard]] Json to_json(const DocumentInfo& document);
[[nodiscard]] Json to_json(const TaskInfo& task);
[[nodiscard]] Json to_json(const TaskPicture& picture);

template <class T>
[[nodiscard]] Json list_json(const std::vector<T>& values) {
    Json out = Json::array();
    for (const auto& value : values) out.push_back(to_json(value));
    return out;
}

}  // namespace lw::cli
