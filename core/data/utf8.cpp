#include "core/data/utf8.h"

#include <fmt/format.h>

namespace lw {

std::size_t utf8_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    // The second byte rules out overlong forms, surrogates and values past the end of Unicode.
    const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    }
    return length;
}

char32_t utf8_decode(std::string_view character) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(character[i])); };
    switch (character.size()) {
        case 1: return byte(0);
        case 2: return ((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU);
        case 3: return ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
        default: return ((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU);
    }
}

RepairedText repair_utf8(std::string_view bytes) {
    RepairedText result;
    result.text.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = utf8_length(bytes);
        if (length == 0) {
            result.text += "\xEF\xBF\xBD";
            ++result.bad_bytes;
        } else {
            result.text += bytes.substr(0, length);
        }
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

std::string printable(std::string_view bytes) {
    std::string result;
    while (!bytes.empty()) {
        const std::size_t length = utf8_length(bytes);
        const auto first = static_cast<unsigned char>(bytes[0]);
        if (first == ' ') result += "▁";
        else if (first == '\n') result += "⏎";
        else if (first == '\t') result += "⇥";
        else if (first == '\r') result += "␍";
        else if (length == 0 || first < 0x20 || first == 0x7F) result += fmt::format("⟨{:02x}⟩", first);
        else result += bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

}  // namespace lw
