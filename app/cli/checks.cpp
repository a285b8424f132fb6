/// See checks.h.
#include "app/cli/checks.h"

#include "app/cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace lw::cli {
namespace {

std::optional<double> number_in(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}

/// ".pdf, .svg or .png"
std::string either(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t n = 0; n < words.size(); ++n) text += (n == 0 ? "" : n + 1 == words.size() ? " or " : ", ") + words[n];
    return text;
}

/// The part of the path that is a file and would have to be a folder; empty where there is none.
std::filesystem::path file_above(std::filesystem::path path) {
    std::error_code error;
    for (path = path.parent_path(); !path.empty() && path != path.parent_path(); path = path.parent_path()) {
        if (std::filesystem::exists(path, error)) return std::filesystem::is_directory(path, error) ? std::filesystem::path() : path;
    }
    return {};
}

/// Why nothing can be written under this name; "" where it can be tried.
std::string output_problem(const std::string& name, const std::vector<std::string>& endings) {
    std::error_code error;
    if (name.empty()) return "a file is meant, not nothing";
    const std::filesystem::path file(name);
    if (std::filesystem::is_directory(file, error) || file.filename().empty()) return fmt::format("{} is a folder; name a file", name);
    if (const auto above = file_above(file); !above.empty()) return fmt::format("{} cannot be written, since {} is a file and no folder", name, above.string());
    const std::string ending = CLI::detail::to_lower(file.extension().string());
    if (endings.empty() || std::find(endings.begin(), endings.end(), ending) != endings.end()) return "";
    return fmt::format("the name of the file must end in {}, not \"{}\"", either(endings), file.filename().string());
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

CLI::Validator number_check(double low, double high) {
    return CLI::Validator(
        [low, high](std::string& text) {
            const auto value = number_in(text);
            if (value && *value >= low && *value <= high) return std::string();
            return fmt::format("a number from {} to {} is meant, not \"{}\"", compact(low), compact(high), text);
        },
        "NUMBER", "number");
}

CLI::Validator filled_check() {
    return CLI::Validator([](std::string& text) { return text.empty() ? std::string("it is empty; leave the option out, or write something") : std::string(); }, "TEXT", "filled");
}

CLI::Validator output_check(const std::vector<std::string>& endings) {
    return CLI::Validator([endings](std::string& name) { return output_problem(name, endings); }, "FILE", "output");
}

std::vector<std::string> figure_endings() { return {".pdf", ".svg", ".png"}; }

}  // namespace lw::cli
