#include "core/position/catalogue.h"

#include "core/position/encoder.h"
#include "core/position/nearest.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lw {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

std::optional<double> number_of(const ParamValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* text = std::get_if<std::string>(&value)) {
        double parsed = 0;
        const auto* end = text->data() + text->size();
        const auto [stop, error] = std::from_chars(text->data(), end, parsed);
        if (error == std::errc() && stop == end) return parsed;
    }
    return std::nullopt;
}

/// As it is typed: a table says "on" where a person wrote true.
std::string typed(const ParamValue& value) {
    const auto* flag = std::get_if<bool>(&value);
    return flag == nullptr ? param_text(value) : *flag ? "true" : "false";
}

bool is_auto(const ParamSpec& spec, const ParamValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && *text == "auto" && !spec.zero.empty();
}

ParamValue checked_number(const MethodInfo& method, const ParamSpec& spec, const ParamValue& value) {
    const auto number = is_auto(spec, value) ? 0.0 : number_of(value);
    const bool whole = spec.type == ParamType::integer;
    if (!number || !std::isfinite(*number) || (whole && *number != std::floor(*number))) {
        refuse(fmt::format("{} of {} is \"{}\"; it must be a {} from {} to {}.", spec.id, method.name, typed(value),
                           whole ? "whole number" : "number", spec.min, spec.max));
    }
    if (*number < spec.min || *number > spec.max) {
        refuse(fmt::format("{} of {} is {}; it must lie between {} and {}.", spec.id, method.name, *number, spec.min, spec.max));
    }
    if (whole) return static_cast<std::int64_t>(*number);
    return *number;
}

ParamValue checked_flag(const MethodInfo& method, const ParamSpec& spec, const ParamValue& value) {
    if (std::holds_alternative<bool>(value)) return value;
    const std::string text = param_text(value);
    if (text == "true" || text == "on" || text == "1") return true;
    if (text == "false" || text == "off" || text == "0") return false;
    refuse(fmt::format("{} of {} is \"{}\"; it must be true or false.", spec.id, method.name, text));
}

ParamValue checked_choice(const MethodInfo& method, const ParamSpec& spec, const ParamValue& value) {
    const std::string text = param_text(value);
    if (std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return text;
    refuse(fmt::format("{} of {} is \"{}\"; it must be one of: {}.", spec.id, method.name, text, fmt::join(spec.choices, ", ")));
}

ParamValue checked_list(const MethodInfo& method, const ParamSpec& spec, const ParamValue& value) {
    const std::string text = param_text(value);
    for (const double number : numbers_of(text)) {
        if (number >= spec.min && number <= spec.max) continue;
        refuse(fmt::format("{} of {} holds {}; its numbers must lie between {} and {}, separated by commas.", spec.id, method.name, number, spec.min, spec.max));
    }
    return text;
}

ParamValue checked_value(const MethodInfo& method, const ParamSpec& spec, const ParamValue& value) {
    switch (spec.type) {
        case ParamType::boolean: return checked_flag(method, spec, value);
        case ParamType::choice: return checked_choice(method, spec, value);
        case ParamType::list: return checked_list(method, spec, value);
        default: return checked_number(method, spec, value);
    }
}

/// Whether the entry in this slot makes the claim.
bool claims_of(const SchemeSpec& scheme, const std::string& slot, const std::string& id) {
    const auto found = scheme.slots.find(slot);
    if (found == scheme.slots.end()) return false;
    const auto& made = find_entry(slot, found->second.id).info.claims;
    return std::any_of(made.begin(), made.end(), [&](const ClaimInfo& claim) { return claim.id == id; });
}

/// Terms that read the text know no mapped distances and no bias table, so some slots cannot stand beside them.
void check_content_terms(const SchemeSpec& scheme) {
    const bool reading_bias = claims_of(scheme, "bias", "content-dependent"), reading_rotation = claims_of(scheme, "rotation", "content-dependent");
    if (scheme.slots.count("adaptive") != 0 && reading_bias) {
        refuse(fmt::format("The adaptive term \"{}\" reads a bias made from positions, but \"{}\" reads the text. Choose another bias, or no adaptive term.",
                           scheme.slots.at("adaptive").id, scheme.slots.at("bias").id));
    }
    if (!reading_rotation) return;
    if (reading_bias) {
        refuse(fmt::format("The rotation \"{}\" and the bias \"{}\" both read the text and keep something of their own per token; only one of them can.",
                           scheme.slots.at("rotation").id, scheme.slots.at("bias").id));
    }
    for (const auto* slot : {"frequency", "distance"}) {
        if (scheme.slots.count(slot) == 0) continue;
        refuse(fmt::format("The rotation \"{}\" follows the text and has no frequencies, so the slot {} cannot change it.", scheme.slots.at("rotation").id, slot));
    }
}

/// A bias that is no function of the distance cannot be looked up at mapped distances.
void check_mapped_bias(const SchemeSpec& scheme) {
    if (scheme.slots.count("distance") == 0 || !claims_of(scheme, "bias", "row-dependent")) return;
    refuse(fmt::format("The bias \"{}\" depends on the query's own position, not on the distance alone, so the distance map \"{}\" cannot change it.",
                       scheme.slots.at("bias").id, scheme.slots.at("distance").id));
}

/// A network over neighbouring keys puts the later ones to zero, so that no answer leaks to a model that predicts the next token.
void check_neighbours(const SchemeSpec& scheme) {
    if (!claims_of(scheme, "adaptive", "reads-neighbours") || !sees_future(scheme)) return;
    refuse(fmt::format("The adaptive term \"{}\" puts the scores of later keys to zero, which an encoder reads: it does not go with the visibility \"{}\". "
                       "Choose another adaptive term (dape), or another visibility.", scheme.slots.at("adaptive").id, scheme.slots.at("visibility").id));
}

void check_combination(const SchemeSpec& scheme) {
    check_neighbours(scheme);
    check_content_terms(scheme);
    check_mapped_bias(scheme);
    if (scheme.slots.count("distance") != 0 && scheme.slots.count("rotation") == 0 && !claims_of(scheme, "bias", "relative")) {
        refuse(fmt::format("The distance map \"{}\" changes the distance that a rotation or a distance bias sees, but the scheme has neither.",
                           scheme.slots.at("distance").id));
    }
    if (scheme.slots.count("frequency") != 0 && scheme.slots.count("rotation") == 0) {
        refuse(fmt::format("The frequency scaling \"{}\" changes a rotation, but the scheme has none. Add rotation \"rope\".",
                           scheme.slots.at("frequency").id));
    }
    const auto adaptive = scheme.slots.find("adaptive");
    if (adaptive == scheme.slots.end() || scheme.slots.count("bias") != 0) return;
    const auto variant = adaptive->second.params.find("variant");
    if (variant != adaptive->second.params.end() && param_text(variant->second) == "bias_only") {
        refuse(fmt::format("The variant bias_only of {} reads the static bias alone, but the scheme has no bias. Choose a bias, or another variant.",
                           adaptive->second.id));
    }
}

}  // namespace

std::string param_text(const ParamSpec& spec, const ParamValue& value) {
    const bool zero = is_auto(spec, value) || number_of(value) == 0.0;
    return zero && !spec.zero.empty() ? "auto" : param_text(value);
}

std::string param_text(const ParamValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:g}", *real);
    return std::get<std::string>(value);
}

MethodInfo method_or_throw(const std::string& slot, const std::string& id) { return find_entry(slot, id).info; }

Params checked_params(const MethodInfo& method, const Params& given) {
    std::vector<std::string> known;
    for (const auto& spec : method.params) known.push_back(spec.id);
    for (const auto& [id, value] : given) {
        if (std::find(known.begin(), known.end(), id) != known.end()) continue;
        refuse(fmt::format("{} has no parameter \"{}\".{}", method.name, id, suggestion(id, known)));
    }
    Params complete;
    for (const auto& spec : method.params) {
        const auto found = given.find(spec.id);
        complete[spec.id] = checked_value(method, spec, found == given.end() ? spec.default_value : found->second);
    }
    return complete;
}

SchemeSpec checked_scheme(const SchemeSpec& scheme) {
    SchemeSpec checked{scheme.name, {}};
    std::vector<std::string> known;
    for (const auto& slot : slots()) known.push_back(slot.id);
    for (const auto& [slot, choice] : scheme.slots) {
        if (std::find(known.begin(), known.end(), slot) == known.end()) {
            throw Failure(ErrorKind::not_found, fmt::format("There is no slot \"{}\".{}", slot, suggestion(slot, known)));
        }
        if (choice.id.empty() || choice.id == "none") continue;
        const Entry& entry = find_entry(slot, choice.id);
        auto params = checked_params(entry.info, choice.params);
        if (entry.check != nullptr) entry.check(params);
        checked.slots[slot] = {choice.id, std::move(params)};
    }
    check_combination(checked);
    return checked;
}

namespace {

/// "dape (hidden = 32, concat_residual)": parameters that differ from their default, and those always shown.
std::string choice_line(const Entry& entry, const SlotChoice& choice) {
    std::vector<std::string> parts;
    for (const auto& spec : entry.info.params) {
        const auto found = choice.params.find(spec.id);
        const std::string text = param_text(spec, found == choice.params.end() ? spec.default_value : found->second);
        const bool always = std::find(entry.shown.begin(), entry.shown.end(), spec.id) != entry.shown.end();
        if (!always && text == param_text(spec, spec.default_value)) continue;
        parts.push_back(spec.type == ParamType::choice ? text : fmt::format("{} = {}", spec.id, text));
    }
    return parts.empty() ? choice.id : fmt::format("{} ({})", choice.id, fmt::join(parts, ", "));
}

}  // namespace

std::string scheme_line(const SchemeSpec& scheme) {
    std::vector<std::string> parts;
    for (const auto& slot : slots()) {
        const auto found = scheme.slots.find(slot.id);
        if (found == scheme.slots.end() || found->second.id.empty() || found->second.id == "none") continue;
        const auto& all = entries();
        const auto entry = std::find_if(all.begin(), all.end(), [&](const Entry* e) { return e->info.slot == slot.id && e->info.id == found->second.id; });
        const std::string text = entry == all.end() ? found->second.id : choice_line(**entry, found->second);
        parts.push_back(fmt::format("{}: {}", slot.id, text));
    }
    return parts.empty() ? "no position" : fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace lw
