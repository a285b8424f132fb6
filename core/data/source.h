#pragma once
/// Data sources: which documents a source has, in which split, and their text.

#include "core/api/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lw {

/// A document, or a part of the only document of a source.
struct SourceDocument {
    std::string id;               ///< "<corpus>/<name>"; parts end in "#train", "#validation", "#test"
    std::string split;            ///< train | validation | test
    std::filesystem::path file;
    std::int64_t file_bytes = 0;
    std::int64_t modified = 0;    ///< file time in nanoseconds; with the size it tells whether the file changed
    int part = -1;                ///< -1 = the whole file; 0, 1, 2 = its first 80 %, next 10 %, last 10 %
};

/// One corpus, folder, file or bundled sample.
struct TextSource {
    std::string id;  ///< as in DataSpec::source
    std::vector<SourceDocument> documents;
};

/// Splits "a+b" and resolves each part. Reads no text. Throws Failure: unknown name (with the nearest), a corpus that is not
/// fetched (says how to fetch it), a path without text files.
std::vector<TextSource> resolve_sources(const std::string& source);
/// A bundled sample as one whole document "sample:<name>", in no split.
SourceDocument whole_sample(const std::string& name);
/// A short text that comes with the program, as resources/texts/texts.json lists them.
struct Sample {
    std::string name, title, language;
};
[[nodiscard]] std::vector<Sample> samples();
[[nodiscard]] std::vector<std::string> sample_names();

struct DocumentText {
    std::string text;            ///< well-formed UTF-8
    std::int64_t bad_bytes = 0;  ///< of the whole file; replaced by U+FFFD
};
/// Throws Failure(invalid_argument) for binary files (NUL bytes), empty ones and ones that are mostly not UTF-8.
DocumentText read_document_text(const SourceDocument& document);
/// "" or "3 bytes of notes.txt are not UTF-8 and were replaced by U+FFFD".
[[nodiscard]] std::string bad_bytes_warning(const SourceDocument& document, std::int64_t bad_bytes);

/// Bytes at which the three parts of a text begin and end: at the ends of lines near 80 % and 90 %, else between characters.
struct PartBounds {
    std::size_t bounds[4];
};
[[nodiscard]] PartBounds part_bounds(const std::string& text);

/// Hash over ids, sizes and times: changes whenever a file does.
[[nodiscard]] std::string source_signature(const std::vector<SourceDocument>& documents);

}  // namespace lw
