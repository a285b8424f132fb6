#include "core/position/encoder.h"

#include "core/position/entry.h"
#include "core/position/visibility.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lw {

namespace {

/// Parameters by which methods are told that keys stand on both sides of a query, and what they say then.
const std::array<std::pair<const char*, ParamValue>, 2> kBothSides{{{"bidirectional", true}, {"convention", std::string("symmetric")}}};

bool takes(const ParamSpec& spec, const ParamValue& value) {
    const auto* word = std::get_if<std::string>(&value);
    return spec.default_value.index() == value.index() && (word == nullptr || std::find(spec.choices.begin(), spec.choices.end(), *word) != spec.choices.end());
}

}  // namespace

bool sees_future(const SchemeSpec& scheme) {
    const auto chosen = scheme.slots.find("visibility");
    if (chosen == scheme.slots.end() || chosen->second.id.empty() || chosen->second.id == "none") return false;
    const Entry& entry = find_entry("visibility", chosen->second.id);
    Params params;
    for (const auto& spec : entry.info.params) params[spec.id] = spec.default_value;
    for (const auto& [id, value] : chosen->second.params) params[id] = value;
    return std::get<Make<Visibility>>(entry.make)(params, {})->sees_future();
}

SchemeSpec for_encoder(SchemeSpec scheme) {
    if (!scheme.slots.contains("visibility")) scheme.slots["visibility"] = {"full", {}};
    if (!sees_future(scheme)) return scheme;
    for (auto& [slot, choice] : scheme.slots) {
        if (choice.id.empty() || choice.id == "none") continue;
        for (const auto& spec : find_entry(slot, choice.id).info.params) {
            for (const auto& [id, value] : kBothSides) {
                if (spec.id == id && takes(spec, value)) choice.params.try_emplace(id, value);
            }
        }
    }
    return scheme;
}

}  // namespace lw
