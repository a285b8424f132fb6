#pragma once
/// The fetchable corpora as resources/corpora/corpora.json lists them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lw {

struct ListedCorpus {
    std::string id, title, language, licence, origin;
    std::int64_t documents = 0, bytes = 0;
    bool every_tenth = true;                     ///< else the two lists below
    std::vector<std::string> test, validation;   ///< document names
};

/// Throws Failure(corrupt_file) when the list cannot be read.
[[nodiscard]] std::vector<ListedCorpus> listed_corpora();
/// Where a fetched corpus lies; it is there when its MANIFEST.tsv is.
[[nodiscard]] std::filesystem::path corpus_folder(const std::string& id);
[[nodiscard]] bool is_fetched(const std::string& id);

}  // namespace lw
