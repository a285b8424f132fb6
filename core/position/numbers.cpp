/// A method's parameters put into its formula, and what it costs. Both are made from the entry: names and symbols from the parameters' labels,
/// derived values and costs from the entry's own functions, and for costs what holds for a whole slot.
#include "core/position/catalogue.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

namespace lw {

namespace {

using Words = std::initializer_list<std::string_view>;

bool among(std::string_view word, Words words) { return std::find(words.begin(), words.end(), word) != words.end(); }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_greek(std::string_view word) { return word.size() > 1 && (word[0] == '\xCE' || word[0] == '\xCF'); }

/// "s", "b′", "L₀", "Δmax": one letter with marks, or a word that begins with a Greek letter.
bool is_symbol(std::string_view word) {
    if (word.empty()) return false;
    return is_greek(word) || (is_letter(word[0]) && std::all_of(word.begin() + 1, word.end(), beyond_ascii));
}

/// The symbol at the end of a label: "Factor s" names s, "Start of c" does not.
std::string symbol_of(const ParamSpec& spec) {
    if (!spec.symbol.empty()) return spec.symbol;
    const auto blank = spec.label.rfind(' ');
    if (blank == std::string::npos || !is_symbol(std::string_view(spec.label).substr(blank + 1))) return {};
    const std::string before = spec.label.substr(0, blank);
    const auto word = before.rfind(' ') == std::string::npos ? before : before.substr(before.rfind(' ') + 1);
    return among(word, {"of", "within", "past", "by", "and", "First"}) ? std::string() : spec.label.substr(blank + 1);
}

/// The label as it stands inside a sentence.
std::string name_of(const ParamSpec& spec) {
    std::string name = spec.label;
    const bool word = name.size() > 1 && std::islower(static_cast<unsigned char>(name[1])) != 0;
    if (word) name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    return name;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
    if (const auto at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
}

/// A zero that stands for something else; nothing where it is not given or worked out by the method itself.
std::optional<std::string> automatic_value(const ParamSpec& spec, const ModelShape& shape) {
    std::string meaning = spec.zero;
    if (meaning == "automatic" || meaning_of_zero(spec.help) == "not given") return std::nullopt;
    if (meaning.empty()) return "0";
    if (meaning == "the training length") return number_text(static_cast<double>(shape.train_length));
    if (meaning == "length / training length") return number_text(resolved_factor(0, shape.length, shape.train_length));
    if (meaning == "the model's width") return number_text(static_cast<double>(shape.model_width()));
    replace(meaning, "the training length", "L");
    replace(meaning, " of it", " of L");
    return meaning;
}

std::optional<std::string> number_value(const ParamSpec& spec, const ParamValue& value, const ModelShape& shape) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
    if (number == 0) return automatic_value(spec, shape);
    const bool shows_unit = !spec.unit.empty() && (symbol_of(spec).empty() || spec.unit == "L");
    return number_text(number) + (shows_unit ? " " + spec.unit : "");
}

bool is_number(const ParamSpec& spec) { return spec.type == ParamType::integer || spec.type == ParamType::real; }
bool has_symbol(const ParamSpec& spec) { return is_number(spec) && !symbol_of(spec).empty(); }

/// "s = 4", "ramp: turns"; nothing for what stands at its default and is no symbol, unless the method has no symbols at all.
std::optional<std::string> shown_param(const MethodInfo& info, const ParamSpec& spec, const ParamValue& value, const ModelShape& shape) {
    const bool any_symbol = std::any_of(info.params.begin(), info.params.end(), has_symbol);
    const bool usual = param_text(value) == param_text(spec.default_value);
    if (usual && !has_symbol(spec) && (any_symbol || !is_number(spec))) return std::nullopt;
    if (!is_number(spec)) return fmt::format("{}: {}", name_of(spec), param_text(value));
    const auto number = number_value(spec, value, shape);
    if (!number) return std::nullopt;
    return fmt::format("{} = {}", has_symbol(spec) ? symbol_of(spec) : name_of(spec), *number);
}

/// Whether the formula has this letter as a symbol of its own: not inside a word, not with an index (subscripts are U+2080 to U+209C).
bool mentions(const std::string& formula, char letter) {
    for (std::size_t at = formula.find(letter); at != std::string::npos; at = formula.find(letter, at + 1)) {
        const std::string after = formula.substr(at + 1, 2);
        const bool joined = (at > 0 && is_letter(formula[at - 1])) || (!after.empty() && (is_letter(after[0]) || after[0] == '_' || is_greek(after)));
        if (!joined && after != "\xE2\x82") return true;
    }
    return false;
}

struct ModelLetter {
    char letter;
    std::int64_t value;
};

/// L, H, d and E where the formula (or a value) has them and no parameter is called so.
void add_model_letters(const Entry& entry, const ModelShape& shape, std::vector<std::string>& parts) {
    std::string text = entry.info.formula;
    for (const auto& part : parts) text += " " + part;
    std::vector<std::string> taken;
    for (const auto& spec : entry.info.params) taken.push_back(symbol_of(spec));
    for (const ModelLetter& known : std::array{ModelLetter{'L', shape.train_length}, ModelLetter{'H', shape.heads}, ModelLetter{'d', shape.head_width},
                                               ModelLetter{'E', shape.model_width()}}) {
        if (!mentions(text, known.letter) || std::find(taken.begin(), taken.end(), std::string(1, known.letter)) != taken.end()) continue;
        parts.push_back(fmt::format("{} = {}", known.letter, number_text(static_cast<double>(known.value))));
    }
}

std::string values_of(const Entry& entry, const Params& params, const ModelShape& shape) {
    std::vector<std::string> parts;
    for (const auto& spec : entry.info.params) {
        if (const auto part = shown_param(entry.info, spec, params.at(spec.id), shape)) parts.push_back(*part);
    }
    add_model_letters(entry, shape, parts);
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    const std::string derived = entry.values != nullptr ? entry.values(params, shape) : "";
    return text + (text.empty() || derived.empty() ? "" : "; ") + derived;
}

bool claims_it(const MethodInfo& info, const std::string& id) {
    return std::any_of(info.claims.begin(), info.claims.end(), [&](const ClaimInfo& claim) { return claim.id == id; });
}

/// What holds for every method of a slot. A bias of distances is a table per pass, so that a pair takes the addition alone; position maps
/// and input encodings act on tokens, frequency scalings once per pass.
MethodCost slot_cost(const MethodInfo& info, const ModelShape& shape) {
    MethodCost cost;
    if (info.slot == "positions" || info.slot == "input" || info.slot == "frequency") cost.per_pair = 0;
    if (info.slot == "frequency") cost.per_token = 0;
    if (info.slot == "bias" && claims_it(info, "relative") && !claims_it(info, "content-dependent")) cost.per_pair = static_cast<double>(shape.heads);
    if (!info.learned) cost.learned = 0;
    return cost;
}

}  // namespace

std::string number_text(double value) {
    if (value != std::floor(value) || std::abs(value) >= 1e15) return fmt::format("{:.4g}", value);
    std::string digits = fmt::format("{:.0f}", std::abs(value));
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
    return (value < 0 ? "−" : "") + digits;
}

std::string short_list(const std::vector<double>& values) {
    std::string text;
    for (std::size_t n = 0; n < values.size(); ++n) {
        const bool left_out = values.size() > 4 && n > 2 && n + 1 < values.size();
        if (left_out && n > 3) continue;
        text += (n == 0 ? "" : ", ") + (left_out ? "…" : number_text(values[n]));
    }
    return text;
}

std::string cost_sentence(const MethodCost& cost, const ModelShape& shape) {
    std::vector<std::string> parts;
    const auto operations = [](double count) { return number_text(count) + (count == 1 ? " operation" : " operations"); };
    const bool free_pair = cost.per_pair && *cost.per_pair == 0, free_token = cost.per_token && *cost.per_token == 0;
    if (free_pair) parts.push_back(free_token ? "nothing per pair or token" : "nothing per visible pair");
    else if (cost.per_pair) {
        const auto plain = 4.0 * static_cast<double>(shape.head_width * shape.heads);
        parts.push_back(fmt::format("{} per visible pair (attention itself: {})", operations(*cost.per_pair), number_text(plain)));
    }
    if (cost.per_token && !free_token) parts.push_back(operations(*cost.per_token) + " per token");
    if (cost.learned && *cost.learned > 0) parts.push_back(number_text(static_cast<double>(*cost.learned)) + " learned numbers" + (cost.shared ? " for all layers together" : ""));
    if (cost.kept > 0) parts.push_back(number_text(static_cast<double>(cost.kept)) + " more numbers kept per token");
    return parts.empty() ? "" : fmt::format("Adds in each layer: {}.", fmt::join(parts, ", "));
}

MethodNumbers numbers_or_throw(const std::string& slot, const SlotChoice& choice, const ModelShape& shape) {
    const Entry& entry = find_entry(slot, choice.id);
    const Params params = checked_params(entry.info, choice.params);
    if (entry.check != nullptr) entry.check(params);
    MethodNumbers numbers{slot, choice.id, values_of(entry, params, shape), {}, {}};
    numbers.cost = entry.cost != nullptr ? entry.cost(params, shape) : slot_cost(entry.info, shape);
    numbers.cost_line = cost_sentence(numbers.cost, shape);
    return numbers;
}

std::vector<MethodNumbers> scheme_numbers_or_throw(const SchemeSpec& scheme, ModelShape shape) {
    shape.has_bias = scheme.slots.count("bias") != 0;
    if (const auto rotation = scheme.slots.find("rotation"); rotation != scheme.slots.end()) {
        const auto params = checked_params(find_entry("rotation", rotation->second.id).info, rotation->second.params);
        const auto base = params.find("base"), fraction = params.find("fraction");
        const bool whole = fraction == params.end() || std::get<double>(fraction->second) == 1;
        shape.base = base != params.end() && whole ? std::get<double>(base->second) : 0;
    }
    std::vector<MethodNumbers> all;
    for (const auto& slot : slots()) {
        const auto found = scheme.slots.find(slot.id);
        if (found == scheme.slots.end() || found->second.id.empty() || found->second.id == "none") continue;
        all.push_back(numbers_or_throw(slot.id, found->second, shape));
    }
    return all;
}

}  // namespace lw
