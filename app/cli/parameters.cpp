#include "app/cli/parameters.h"

#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lw::cli {
namespace {

std::string value_text(const ParamValue& value) {
    const Json json = to_json(value);
    return json.is_string() ? json.get<std::string>() : json.dump();
}

std::string bounds_text(const ParamSpec& spec) {
    if (spec.type == ParamType::choice) return fmt::format("{}", fmt::join(spec.choices, " | "));
    if (spec.type == ParamType::boolean) return "true | false";
    return fmt::format("{:g} … {:g}{}{}", spec.min, spec.max, spec.unit.empty() ? "" : " ", spec.unit);
}

}  // namespace

std::string parameter_table(const std::vector<ParamSpec>& specs) {
    Table table({"parameter", "default", "values", "meaning"});
    for (const auto& spec : specs) table.add({spec.id, value_text(spec.default_value), bounds_text(spec), spec.help});
    return table.text();
}

ParamValue parse_parameter(const std::string& text) {
    const Json value = Json::parse(text, nullptr, false);
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    return text;
}

SlotParameter parse_slot_parameter(const std::string& text) {
    const auto dot = text.find('.');
    const auto equals = text.find('=');
    if (dot == std::string::npos || equals == std::string::npos || dot == 0 || equals < dot + 2) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("--set needs SLOT.PARAMETER=VALUE, for example frequency.factor=4; \"{}\" is not of that form.", text));
    }
    return {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), parse_parameter(text.substr(equals + 1))};
}

void set_parameter(SchemeSpec& scheme, const std::string& assignment) {
    const auto given = parse_slot_parameter(assignment);
    const auto slot = scheme.slots.find(given.slot);
    if (slot == scheme.slots.end()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("--set {}: the scheme fills no slot \"{}\"; it is {}.", assignment, given.slot, scheme_line(scheme)));
    }
    slot->second.params[given.parameter] = given.value;
}

}  // namespace lw::cli
