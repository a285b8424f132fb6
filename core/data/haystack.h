#pragma once
/// Where tests of retrieval hide things in a text, for texts of characters and of tokens alike.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lw {

/// `block` again and again, cut after `count` items.
template <class Text>
Text repeated(const Text& block, std::size_t count) {
    Text out;
    while (out.size() < count) out.insert(out.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(std::min(block.size(), count - out.size())));
    return out;
}

/// The passkey test of Mohtashami and Jaggi 2023, arXiv 2305.16300.
template <class Text>
struct PasskeyParts {
    Text task, filler, needle, question;
    Text line_break;
};
template <class Text>
struct PasskeyPrompt {
    Text text;
    std::size_t needle_offset = 0;
};
/// Five parts joined by line breaks: the task, `prefix` items of filler, the needle, the other filler up to `garbage` items in all, the
/// question. Both parts of the filler begin at its beginning.
template <class Text>
PasskeyPrompt<Text> passkey_prompt(const PasskeyParts<Text>& parts, std::size_t garbage, std::size_t prefix) {
    PasskeyPrompt<Text> prompt;
    const auto add = [&](const Text& part) { prompt.text.insert(prompt.text.end(), part.begin(), part.end()); };
    add(parts.task);
    add(parts.line_break);
    add(repeated(parts.filler, prefix));
    add(parts.line_break);
    prompt.needle_offset = prompt.text.size();
    add(parts.needle);
    add(parts.line_break);
    add(repeated(parts.filler, garbage - prefix));
    add(parts.line_break);
    add(parts.question);
    return prompt;
}

/// The first run of digits in an answer: what is compared with the key, as text.
[[nodiscard]] inline std::string first_digits(const std::string& answer) {
    const std::size_t begin = std::min(answer.find_first_of("0123456789"), answer.size());
    return answer.substr(begin, answer.find_first_not_of("0123456789", begin) - begin);
}

/// Where a needle goes into a text: at the share `depth` of it, moved back to the end of a sentence; depth 1 is behind the text.
[[nodiscard]] inline std::size_t needle_place(const std::vector<std::int64_t>& tokens, double depth, std::int64_t sentence_end) {
    if (depth >= 1) return tokens.size();
    auto place = static_cast<std::size_t>(static_cast<double>(tokens.size()) * depth);
    while (place > 0 && tokens[place - 1] != sentence_end) --place;
    return place;
}

/// `count` places from 0 to 1; one is 0.
[[nodiscard]] inline std::vector<double> even_depths(std::int64_t count) {
    std::vector<double> depths;
    for (std::int64_t i = 0; i < count; ++i) depths.push_back(count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0);
    return depths;
}

}  // namespace lw
