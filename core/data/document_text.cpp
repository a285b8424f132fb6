#include "core/data/files.h"
#include "core/data/source.h"
#include "core/data/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

/// More than one bad byte in a hundred is not a slip but another encoding.
constexpr std::int64_t kBadBytesPerHundred = 1;

std::size_t cut_near(const std::string& text, std::size_t wanted) {
    const std::size_t line = text.find('\n', wanted);
    // A line's end within 2,000 bytes keeps sentences whole; texts without lines are cut between characters.
    if (line != std::string::npos && line - wanted < 2000 && line + 1 < text.size()) return line + 1;
    while (wanted < text.size() && (static_cast<unsigned char>(text[wanted]) & 0xC0U) == 0x80U) ++wanted;
    return wanted;
}

}  // namespace

PartBounds part_bounds(const std::string& text) {
    const std::size_t validation = cut_near(text, text.size() * 8 / 10);
    const std::size_t test = std::max(validation, cut_near(text, text.size() * 9 / 10));
    return {{0, validation, test, text.size()}};
}

DocumentText read_document_text(const SourceDocument& document) {
    const std::string bytes = read_whole_file(document.file);
    const std::string name = document.file.string();
    if (bytes.empty()) throw Failure(ErrorKind::invalid_argument, fmt::format("{} is empty: there is nothing to read.", name));
    const auto zeros = std::count(bytes.begin(), bytes.end(), '\0');
    if (zeros > 0)
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} is not a text: it has {} zero bytes. Text must be UTF-8; a text in UTF-16 can be "
                                                               "converted with iconv.", name, zeros));
    RepairedText repaired = repair_utf8(bytes);
    if (repaired.bad_bytes * 100 > static_cast<std::int64_t>(bytes.size()) * kBadBytesPerHundred)
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} is not UTF-8: {} of its {} bytes do not fit. Convert it first, for example with "
                                                               "iconv -f latin1 -t utf-8.", name, repaired.bad_bytes, bytes.size()));
    if (document.part < 0) return {std::move(repaired.text), repaired.bad_bytes};
    const PartBounds cut = part_bounds(repaired.text);
    const auto part = static_cast<std::size_t>(document.part);
    return {repaired.text.substr(cut.bounds[part], cut.bounds[part + 1] - cut.bounds[part]), repaired.bad_bytes};
}

std::string bad_bytes_warning(const SourceDocument& document, std::int64_t bad_bytes) {
    if (bad_bytes == 0) return "";
    return fmt::format("{} byte{} of {} not UTF-8 and replaced by U+FFFD", bad_bytes, bad_bytes == 1 ? "" : "s",
                       document.file.filename().string() + (bad_bytes == 1 ? " is" : " are"));
}

}  // namespace lw
