#pragma once
/// The verbs of core/api/scheme.h as throwing functions; core/lab wraps them into Results.

#include "core/position/entry.h"

#include <optional>

namespace lw {

class PositionScheme;

/// Throws Failure(not_found) with the nearest names.
MethodInfo method_or_throw(const std::string& slot, const std::string& id);

/// Every slot's parameters filled in and checked, slots "none" dropped. Throws Failure(invalid_argument or not_found).
SchemeSpec checked_scheme(const SchemeSpec& scheme);

/// The throwing forms of extend_scheme(), extension_between() and plain_scheme().
SchemeSpec extended_scheme(const SchemeSpec& base, const SchemeSpec& extension);
SchemeSpec difference_of(const SchemeSpec& base, const SchemeSpec& wanted);
SchemeSpec without_extension(const SchemeSpec& scheme);
/// The throwing form of preset_extension().
std::optional<SchemeSpec> extension_of_preset(const SchemeSpec& base, const SchemeSpec& preset);

/// Parameters of one method: defaults filled in, types adapted (1 for 1.0, "0.5" for 0.5), bounds checked.
Params checked_params(const MethodInfo& method, const Params& given);

/// Throws Failure(invalid_argument).
EncodingPreview preview_or_throw(const PreviewRequest& request);
/// Whether learned methods hold what they were made with, or what training made of them.
enum class PreviewValues { initial, trained };
/// The same of one layer of a scheme that is there; sizes in the request must be the scheme's own. Throws Failure(invalid_argument).
EncodingPreview preview_layer(PositionScheme& scheme, const PreviewRequest& request, std::int64_t layer, PreviewValues values);

/// The throwing forms of method_numbers() and scheme_numbers().
MethodNumbers numbers_or_throw(const std::string& slot, const SlotChoice& choice, const ModelShape& shape);
std::vector<MethodNumbers> scheme_numbers_or_throw(const SchemeSpec& scheme, ModelShape shape);
/// "500,000", "0.0039": whole numbers in groups, others with four digits.
std::string number_text(double value);
/// "0.5, 0.25, 0.125, …, 0.003906": the first three and the last.
std::string short_list(const std::vector<double>& values);
/// "Adds in each layer: 8 operations per visible pair (attention itself: 1,024)."; "" where nothing is known.
std::string cost_sentence(const MethodCost& cost, const ModelShape& shape);

/// A parameter value for people: "0.01", "32", "on", "concat_residual".
std::string param_text(const ParamValue& value);
/// The same of a known parameter: "auto" for a 0 that is worked out (ParamSpec::zero).
std::string param_text(const ParamSpec& spec, const ParamValue& value);

}  // namespace lw
