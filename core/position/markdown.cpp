/// The catalogue of methods as Markdown.
#include "core/position/catalogue.h"

#include <fmt/ranges.h>

#include <cmath>

namespace lw {

namespace {

/// 1048576 -> "1,048,576"; fractions as they are.
std::string bound_text(double value) {
    if (value != std::floor(value) || std::abs(value) >= 1e12) return fmt::format("{:g}", value);
    std::string digits = fmt::format("{:.0f}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string bounds_text(const ParamSpec& spec) {
    switch (spec.type) {
        case ParamType::boolean: return "on, off";
        case ParamType::choice: return fmt::format("{}", fmt::join(spec.choices, ", "));
        case ParamType::list: return fmt::format("numbers from {} to {}", bound_text(spec.min), bound_text(spec.max));
        default: return fmt::format("{} … {}{}{}", bound_text(spec.min), bound_text(spec.max), spec.unit.empty() ? "" : " ", spec.unit);
    }
}

void append_params(std::string& out, const MethodInfo& method) {
    if (method.params.empty()) return;
    out += "| parameter | default | values | what it does |\n| --- | --- | --- | --- |\n";
    for (const auto& spec : method.params) {
        out += fmt::format("| `{}` | {} | {} | {}. {} |\n", spec.id, param_text(spec, spec.default_value), bounds_text(spec), spec.label, spec.help);
    }
    out += "\n";
}

void append_method(std::string& out, const MethodInfo& method) {
    out += fmt::format("### {} (`{}`)\n\n{}\n\n", method.name, method.id, method.summary);
    out += fmt::format("    {}\n\n", method.formula);
    out += fmt::format("{}. <{}>\n\n", method.paper, method.url);
    if (!method.not_to_confuse.empty()) out += fmt::format("**Names.** {}\n\n", method.not_to_confuse);
    out += fmt::format("**Past the training length.** {}\n\n", method.beyond_training);
    out += fmt::format("{} {}\n\n", method.learned ? "Trained with the model." : "Nothing is trained.",
                       method.plug_in ? "May be changed on a trained model." : "Belongs to the model: a trained one keeps it.");
    append_params(out, method);
    out += "Tested claims:\n\n";
    for (const auto& claim : method.claims) out += fmt::format("- *{}*: {}\n", claim.id, claim.sentence);
    out += "\n";
}

void append_presets(std::string& out) {
    out += "## Presets\n\n| id | name | slots | summary |\n| --- | --- | --- | --- |\n";
    for (const auto& preset : scheme_presets()) {
        out += fmt::format("| `{}` | {} | {} | {} |\n", preset.id, preset.scheme.name, scheme_line(preset.scheme), preset.summary);
    }
}

}  // namespace

std::string methods_markdown() {
    std::string out =
        "# Methods\n\nWritten by `lengthwise-cli methods --markdown > docs/methods.md`; a test compares the two.\n\n"
        "A scheme fills each slot with at most one method. Symbols: i query, j key, d head width, E model width, H heads, L training length.\n\n"
        "`auto` is worked out from the model or from the text, as the parameter's help says of 0; recipes and `--set` take `auto` and 0 alike.\n\n";
    for (const auto& slot : slots()) {
        out += fmt::format("## Slot `{}`: {}\n\n{}\n\n", slot.id, slot.title, slot.summary);
        for (const auto& method : methods()) {
            if (method.slot == slot.id) append_method(out, method);
        }
    }
    append_presets(out);
    return out;
}

}  // namespace lw
