#pragma once
/// The one place where text of files and of people becomes JSON values: what is nested without end is refused before it is read.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace lw {

/// Brackets within brackets that are read. Copying, comparing and writing a value call themselves for each level, so a text of brackets
/// alone would overflow the stack, which no exception reports; files of this program have about ten levels.
inline constexpr int kJsonLevels = 100;

/// Whether brackets stand within more than kJsonLevels others; brackets in quotes do not count. The text may be anything.
[[nodiscard]] bool nested_too_deeply(std::string_view text);

/// For files that the program writes itself: the value, or a discarded one (is_discarded(), neither object nor list) where the text is no
/// JSON or too deep. Throws nothing.
[[nodiscard]] nlohmann::json parse_json(const std::string& text);
/// The same with the members in the order of the text.
[[nodiscard]] nlohmann::ordered_json parse_ordered_json(const std::string& text);

/// A value, or what is wrong with its text.
struct CheckedJson {
    nlohmann::json value;
    /// Ends a sentence that begins with the file's name: "is not valid JSON: the first problem is at line 2, column 7"; "" = nothing.
    std::string problem;
};

/// For files that people write: says where the text is no JSON, no UTF-8 or too deep, and which key stands twice in one object (the parser
/// would keep the last one without a word). Throws nothing.
[[nodiscard]] CheckedJson check_json(const std::string& text);

}  // namespace lw
