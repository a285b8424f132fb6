#include "core/lab/text_stream.h"

#include "core/data/utf8.h"

#include <algorithm>

namespace lw {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the character that a lead byte begins; 0 for bytes that begin none.
std::size_t announced_length(unsigned char lead) {
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// Bytes at the end that later tokens may still change: a character begun and not ended, or the mark that stands for one.
std::size_t uncertain_tail(std::string_view text) {
    std::size_t tail = 0;
    while (text.substr(0, text.size() - tail).ends_with(kReplacement)) tail += kReplacement.size();
    if (tail > 0) return tail;
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (byte < 0x80) return 0;
        if (byte >= 0xC0) return back < announced_length(byte) ? back : 0;
    }
    return 0;
}

}  // namespace

TextStream::TextStream(const Tokenizer& tokenizer, std::vector<std::int64_t> ids) : tokenizer_(tokenizer), ids_(std::move(ids)) {
    given_ = tokenizer_.decode(ids_);
}

// The whole sequence is decoded again each time: what a piece looks like depends on its neighbours (leading spaces, split characters).
std::string TextStream::advance(bool last) {
    const std::string text = tokenizer_.decode(ids_);
    const std::size_t certain = last ? text.size() : text.size() - uncertain_tail(text);
    // A prompt that ended inside a character may be re-read; then the common beginning counts as given.
    const std::string_view sure = std::string_view(text).substr(0, certain);
    const auto common = std::mismatch(given_.begin(), given_.end(), sure.begin(), sure.end()).second;
    const std::string fresh(common, sure.end());
    if (fresh.empty()) return "";
    given_.assign(sure);
    return repair_utf8(fresh).text;
}

std::string TextStream::add(std::int64_t id) {
    ids_.push_back(id);
    return advance(false);
}

std::string TextStream::finish() { return advance(true); }

}  // namespace lw
