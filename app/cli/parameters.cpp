#include "app/cli/parameters.h"

#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace lw::cli {
namespace {

std::string value_text(const ParamValue& value) {
    const Json json = to_json(value);
    return json.is_string() ? json.get<std::string>() : json.dump();
}

/// A 0 that is worked out stands as "auto", which --set takes as well.
std::string default_text(const ParamSpec& spec) {
    const auto text = value_text(spec.default_value);
    return (text == "0" || text == "0.0") && !spec.zero.empty() ? "auto" : text;
}

/// 1048576 -> "1,048,576"; fractions and very large numbers as they are.
std::string bound_text(double value) {
    const bool whole = std::abs(value) < 1e12 && value == std::floor(value);
    return whole ? grouped(static_cast<std::int64_t>(value)) : fmt::format("{:g}", value);
}

std::string bounds_text(const ParamSpec& spec) {
    if (spec.type == ParamType::choice) return fmt::format("{}", fmt::join(spec.choices, " | "));
    if (spec.type == ParamType::boolean) return "true | false";
    return fmt::format("{} … {}{}{}", bound_text(spec.min), bound_text(spec.max), spec.unit.empty() ? "" : " ", spec.unit);
}

/// The keys of a recipe's JSON as one types them: "scheme.slots.bias.params.factor" is "bias.factor", "scheme.slots.bias.id" is "bias".
std::string short_path(std::string path) {
    const std::string above = "scheme.slots.", params = ".params.", id = ".id";
    if (path.rfind(above, 0) != 0) return path;
    const auto at = path.find(params);
    if (at != std::string::npos) return path.replace(at, params.size(), ".").substr(above.size());
    const bool method = path.size() > above.size() + id.size() && path.compare(path.size() - id.size(), id.size(), id) == 0;
    return method ? path.substr(above.size(), path.size() - above.size() - id.size()) : path;
}

}  // namespace

std::string parameter_table(const std::vector<ParamSpec>& specs) {
    Table table({"parameter", "default", "values", "meaning"});
    for (const auto& spec : specs) table.add({spec.id, default_text(spec), bounds_text(spec), spec.help});
    return table.text();
}

ParamValue parse_parameter(const std::string& text) {
    const Json value = Json::parse(text, nullptr, false);
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    return text;
}

std::optional<SlotSetting> find_slot_setting(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) return std::nullopt;
    const auto path = short_path(text.substr(0, equals));
    const auto dot = path.find('.');
    SlotSetting setting{path.substr(0, dot), dot == std::string::npos ? "" : path.substr(dot + 1), text.substr(equals + 1)};
    const bool slot = std::any_of(slots().begin(), slots().end(), [&](const SlotInfo& info) { return info.id == setting.slot; });
    if (!slot || (dot != std::string::npos && setting.parameter.empty())) return std::nullopt;
    return setting;
}

SlotSetting parse_slot_setting(const std::string& text) {
    if (auto setting = find_slot_setting(text)) return std::move(*setting);
    std::vector<std::string> ids;
    for (const auto& slot : slots()) ids.push_back(slot.id);
    throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is not of the form {}, for example frequency.factor=4 or frequency=yarn. The slots are {}.", text,
                                                           kSlotSettingForm, fmt::join(ids, ", ")));
}

void set_in_scheme(SchemeSpec& scheme, const std::string& assignment) {
    const auto given = parse_slot_setting(assignment);
    const auto slot = scheme.slots.find(given.slot);
    if (given.parameter.empty()) {
        if (given.value == "none") scheme.slots.erase(given.slot);
        else if (slot == scheme.slots.end() || slot->second.id != given.value) scheme.slots[given.slot] = {given.value, {}};
        return;
    }
    if (slot == scheme.slots.end()) throw empty_slot(assignment, given.slot, scheme);
    slot->second.params[given.parameter] = parse_parameter(given.value);
}

Failure empty_slot(const std::string& assignment, const std::string& slot, const SchemeSpec& scheme) {
    return Failure(ErrorKind::invalid_argument, fmt::format("--set {}: the scheme fills no slot \"{}\"; it is {}. Name a method first: {}=METHOD.", assignment, slot,
                                                            scheme_line(scheme), slot));
}

}  // namespace lw::cli
