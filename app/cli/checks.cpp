/// See checks.h.
#include "app/cli/checks.h"

#include "app/cli/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace lw::cli {
namespace {

std::optional<double> number_in(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}

}  // namespace

CLI::Validator seed_check() {
    return CLI::Validator(
        [](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool whole = error == std::errc() && end == text.data() + text.size();
            return whole ? std::string() : "A seed is a whole number from 0 to 18446744073709551615, not \"" + text + "\".";
        },
        "UINT", "seed");
}

CLI::Validator whole_number_check(std::int64_t low, std::int64_t high) {
    return CLI::Validator(
        [low, high](std::string& text) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool whole = error == std::errc() && end == text.data() + text.size();
            return whole && value >= low && value <= high
                       ? std::string()
                       : fmt::format("a whole number from {} to {} is meant, not \"{}\"", grouped(low), grouped(high), text);
        },
        "INT", "whole number");
}

CLI::Validator millimetre_check(bool zero_chooses) {
    return CLI::Validator(
        [zero_chooses](std::string& text) {
            const auto value = number_in(text);
            if (value && ((*value >= 20 && *value <= 2000) || (zero_chooses && *value == 0))) return std::string();
            return fmt::format("a figure is 20 to 2,000 mm wide and high{}, not \"{}\"", zero_chooses ? ", or 0 for what its content needs" : "",
                               text);
        },
        "MM", "millimetres");
}

CLI::Validator resolution_check() {
    return CLI::Validator(
        [](std::string& text) {
            const auto value = number_in(text);
            if (value && *value >= 36 && *value <= 1200) return std::string();
            return fmt::format("a picture has 36 to 1,200 dots per inch, not \"{}\"", text);
        },
        "DPI", "resolution");
}

}  // namespace lw::cli
