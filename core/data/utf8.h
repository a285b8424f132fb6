#pragma once
/// UTF-8 as far as texts and tokens need it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lw {

/// Bytes of the well-formed UTF-8 character that begins `text`; 0 when it does not begin with one (overlong forms,
/// surrogates and values past U+10FFFF are not well-formed).
[[nodiscard]] std::size_t utf8_length(std::string_view text);
/// The code point of a well-formed character of utf8_length() bytes.
[[nodiscard]] char32_t utf8_decode(std::string_view character);

struct RepairedText {
    std::string text;
    std::int64_t bad_bytes = 0;  ///< each replaced by U+FFFD
};
[[nodiscard]] RepairedText repair_utf8(std::string_view bytes);

/// One token's bytes for people: space "▁", newline "⏎", tab "⇥", carriage return "␍"; other control characters and bytes
/// that are not whole characters as hex ("⟨e4⟩").
[[nodiscard]] std::string printable(std::string_view bytes);

}  // namespace lw
