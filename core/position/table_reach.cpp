#include "core/position/table_reach.h"

#include "core/position/catalogue.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lw {

namespace {

/// The largest positions that input encoding and bias see in so many tokens; nothing where that depends on the text.
std::optional<MappedPositions> positions_of(const SchemeSpec& scheme, std::int64_t train_length, std::int64_t length) {
    const auto indices = at::arange(length, at::kDouble);  // [T]
    const auto mapped = scheme.slots.find("positions");
    if (mapped == scheme.slots.end()) return MappedPositions{indices, indices};
    SlotShape shape;
    shape.train_length = train_length;
    const auto map = std::get<Make<PositionMap>>(find_entry("positions", mapped->second.id).make)(mapped->second.params, shape);
    if (map->reads_tokens()) return std::nullopt;
    return map->map(indices, {length, train_length});
}

std::string advice(const Entry& entry) {
    const auto has = [&](const char* id) { return std::any_of(entry.info.params.begin(), entry.info.params.end(), [&](const ParamSpec& spec) { return spec.id == id; }); };
    const std::string ways = has("beyond") ? "give the table more \"rows\", or set its \"beyond\" to clip, wrap or interpolate" : "or give the table more \"rows\"";
    return "choose shorter lengths, " + ways;
}

}  // namespace

std::optional<PastTable> past_table(const SchemeSpec& scheme, std::int64_t train_length, std::int64_t length) {
    for (const auto& [slot, choice] : scheme.slots) {
        const Entry& entry = find_entry(slot, choice.id);
        if (entry.reach == nullptr) continue;
        const double last = entry.reach(choice.params, train_length);
        if (std::isinf(last)) continue;
        const auto positions = positions_of(scheme, train_length, length);
        if (!positions) return std::nullopt;
        const double largest = (slot == "input" ? positions->absolute : positions->relative).max().item<double>();
        if (largest <= last) continue;
        return PastTable{fmt::format("{} has a table of {} positions ({} in slot {}), and {} tokens need {}", scheme.name.empty() ? "The scheme" : scheme.name,
                                     number_text(std::floor(last) + 1), entry.info.name, slot, number_text(static_cast<double>(length)),
                                     number_text(std::floor(largest) + 1)),
                         advice(entry)};
    }
    return std::nullopt;
}

}  // namespace lw
