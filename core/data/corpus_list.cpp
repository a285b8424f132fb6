#include "core/data/corpus_list.h"

#include "core/api/doctor.h"
#include "core/data/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

ListedCorpus read_entry(const nlohmann::json& entry) {
    ListedCorpus corpus;
    corpus.id = entry.at("id").get<std::string>();
    corpus.title = entry.at("title").get<std::string>();
    corpus.language = entry.at("language").get<std::string>();
    corpus.licence = entry.at("licence").get<std::string>();
    corpus.origin = entry.at("origin").get<std::string>();
    corpus.documents = entry.at("documents").get<std::int64_t>();
    corpus.bytes = entry.at("bytes").get<std::int64_t>();
    const auto& split = entry.at("split");
    corpus.every_tenth = !split.is_object();
    if (!corpus.every_tenth) {
        corpus.test = split.at("test").get<std::vector<std::string>>();
        corpus.validation = split.at("validation").get<std::vector<std::string>>();
    }
    return corpus;
}

}  // namespace

std::vector<ListedCorpus> listed_corpora() {
    const auto file = resource_folder() / "corpora" / "corpora.json";
    const std::string content = read_whole_file(file);
    std::vector<ListedCorpus> corpora;
    try {
        const auto list = nlohmann::json::parse(content);  // named: a temporary would be gone inside the loop
        for (const auto& entry : list.at("corpora")) corpora.push_back(read_entry(entry));
    } catch (const nlohmann::json::exception& error) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("The list of corpora {} cannot be read: {}.", file.string(), error.what()));
    }
    return corpora;
}

std::filesystem::path corpus_folder(const std::string& id) { return data_folder() / "corpora" / id; }

bool is_fetched(const std::string& id) {
    std::error_code ignored;
    return std::filesystem::exists(corpus_folder(id) / "MANIFEST.tsv", ignored);
}

}  // namespace lw
