#include "core/data/source.h"

#include "core/api/doctor.h"
#include "core/data/corpus_list.h"
#include "core/data/files.h"
#include "core/data/utf8.h"
#include "core/position/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTextExtensions = {
    ".txt", ".text", ".md", ".markdown", ".rst", ".org", ".tex", ".bib", ".log", ".csv", ".tsv",  ".json", ".jsonl", ".xml", ".html",
    ".htm", ".yaml", ".yml", ".toml",    ".ini", ".py",  ".c",   ".h",   ".cc",  ".cpp", ".cxx",  ".hpp",  ".cu",    ".cuh", ".rs",
    ".go",  ".java", ".kt",  ".js",      ".ts",  ".jl",  ".r",   ".rb",  ".pl",  ".sh",  ".lua",  ".hs",   ".ml",    ".lean", ".cmake", ".sql"};

/// Names go into recipes and indexes, which are UTF-8.
void require_utf8(const std::string& name, const char* what) {
    const RepairedText shown = repair_utf8(name);
    if (shown.bad_bytes == 0) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("The name of the {} {} is not UTF-8 ({} bytes do not fit). Rename it, for example with "
                                                           "convmv -f latin1 -t utf8 --notest.", what, shown.text, shown.bad_bytes));
}

SourceDocument document_of(const std::string& id, const fs::path& file) {
    require_utf8(file.string(), "file");
    std::error_code error;
    SourceDocument document;
    document.id = id;
    document.file = file;
    document.file_bytes = static_cast<std::int64_t>(fs::file_size(file, error));
    if (error) throw Failure(ErrorKind::not_found, fmt::format("{} cannot be read: {}.", file.string(), error.message()));
    document.modified = static_cast<std::int64_t>(fs::last_write_time(file, error).time_since_epoch().count());
    return document;
}

/// The only document of a source becomes three: its first 80 %, next 10 % and last 10 %.
std::vector<SourceDocument> three_parts(const SourceDocument& whole) {
    std::vector<SourceDocument> parts(3, whole);
    constexpr std::array splits = {"train", "validation", "test"};
    for (std::size_t i = 0; i < 3; ++i) {
        parts[i].split = splits.at(i);
        parts[i].part = static_cast<int>(i);
        parts[i].id += "#" + parts[i].split;
    }
    return parts;
}

/// Every 10th document is for tests and the one before it for validation; a source of fewer than ten keeps its last for tests
/// and the one before for validation; fewer than three are cut into parts.
std::vector<SourceDocument> split_documents(std::vector<SourceDocument> documents) {
    std::vector<SourceDocument> result;
    const std::size_t count = documents.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (count < 3) {
            for (auto& part : three_parts(documents[i])) result.push_back(std::move(part));
            continue;
        }
        const std::size_t test = count < 10 ? count - 1 : i / 10 * 10 + 9;
        documents[i].split = i == test ? "test" : i + 1 == test ? "validation" : "train";
        result.push_back(documents[i]);
    }
    return result;
}

TextSource corpus_source(const ListedCorpus& corpus) {
    if (!is_fetched(corpus.id))
        throw Failure(ErrorKind::not_found, fmt::format("The corpus {} ({:.1f} MB) is not fetched yet. Fetch it with: lengthwise-cli corpus fetch {}",
                                                        corpus.id, static_cast<double>(corpus.bytes) / 1e6, corpus.id));
    std::vector<SourceDocument> documents;
    for (const auto& entry : fs::directory_iterator(corpus_folder(corpus.id))) {
        if (entry.path().extension() == ".txt")
            documents.push_back(document_of(corpus.id + "/" + entry.path().stem().string(), entry.path()));
    }
    std::sort(documents.begin(), documents.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    if (corpus.every_tenth) return {corpus.id, split_documents(std::move(documents))};
    const auto in = [&](const std::vector<std::string>& names, const std::string& id) {
        return std::find(names.begin(), names.end(), id.substr(corpus.id.size() + 1)) != names.end();
    };
    for (auto& document : documents)
        document.split = in(corpus.test, document.id) ? "test" : in(corpus.validation, document.id) ? "validation" : "train";
    return {corpus.id, std::move(documents)};
}

bool is_text_like(const fs::path& file) {
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::find(kTextExtensions.begin(), kTextExtensions.end(), extension) != kTextExtensions.end();
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::vector<SourceDocument> folder_documents(const fs::path& folder) {
    std::vector<SourceDocument> documents;
    const std::string name = folder.filename().string();
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
        if (is_hidden(it->path())) {
            if (it->is_directory()) it.disable_recursion_pending();
        } else if (it->is_regular_file() && is_text_like(it->path()) && it->file_size() > 0) {
            documents.push_back(document_of(name + "/" + it->path().lexically_relative(folder).generic_string(), it->path()));
        }
    }
    if (error) throw Failure(ErrorKind::io, fmt::format("The folder {} cannot be read: {}.", folder.string(), error.message()));
    std::sort(documents.begin(), documents.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return documents;
}

TextSource path_source(const std::string& name) {
    fs::path path = fs::path(name).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (!fs::exists(path)) throw Failure(ErrorKind::not_found, fmt::format("There is no file or folder {}.", name));
    if (!fs::is_directory(path)) return {name, three_parts(document_of(path.filename().string(), path))};
    auto documents = folder_documents(path);
    if (documents.empty())
        throw Failure(ErrorKind::not_found, fmt::format("The folder {} has no text file that is not empty (looked for .txt, .md, .py and similar, also in its "
                                                        "folders). Name another folder, or one file.", name));
    return {name, split_documents(std::move(documents))};
}

TextSource one_source(const std::string& name) {
    if (name.starts_with("sample:")) return {name, three_parts(whole_sample(name.substr(7)))};
    if (name.find('/') != std::string::npos) return path_source(name);
    std::vector<std::string> known;
    for (const auto& corpus : listed_corpora()) {
        if (corpus.id == name) return corpus_source(corpus);
        known.push_back(corpus.id);
    }
    if (fs::exists(name)) return path_source(fs::absolute(name).string());
    const std::string near = nearest(name, known);
    throw Failure(ErrorKind::not_found, fmt::format("There is no corpus \"{}\".{} There are: {}; or name a text file or folder by its path.", name,
                                                    near.empty() ? "" : " Did you mean " + near + "?", fmt::join(known, ", ")));
}

}  // namespace

std::vector<TextSource> resolve_sources(const std::string& source) {
    if (source.empty()) throw Failure(ErrorKind::invalid_argument, "No data source is named. Name a corpus (en-prose), a text file or a folder.");
    require_utf8(source, "data source");
    if (source.starts_with("task:")) throw Failure(ErrorKind::invalid_argument, fmt::format("{} is a synthetic task: it has no documents.", source));
    // A path may contain "+" itself.
    if (fs::path(source).is_absolute() && fs::exists(source)) return {one_source(source)};
    std::vector<TextSource> sources;
    for (std::size_t begin = 0; begin <= source.size();) {
        const std::size_t end = std::min(source.find('+', begin), source.size());
        const std::string name = source.substr(begin, end - begin);
        if (name.empty()) throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" has an empty part beside \"+\".", source));
        sources.push_back(one_source(name));
        begin = end + 1;
    }
    return sources;
}

SourceDocument whole_sample(const std::string& name) {
    const auto file = resource_folder() / "texts" / (name + ".txt");
    const auto known = sample_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
        throw Failure(ErrorKind::not_found, fmt::format("There is no sample text \"{}\". There are: {}.", name, fmt::join(known, ", ")));
    return document_of("sample:" + name, file);
}

std::vector<Sample> samples() {
    const auto file = resource_folder() / "texts" / "texts.json";
    const std::string content = read_whole_file(file);
    try {
        const auto list = nlohmann::json::parse(content);
        std::vector<Sample> result;
        for (const auto& entry : list.at("samples"))
            result.push_back({entry.at("name").get<std::string>(), entry.at("title").get<std::string>(), entry.at("language").get<std::string>()});
        return result;
    } catch (const nlohmann::json::exception& error) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("The list of sample texts {} cannot be read: {}.", file.string(), error.what()));
    }
}

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const auto& sample : samples()) names.push_back(sample.name);
    return names;
}

std::string source_signature(const std::vector<SourceDocument>& documents) {
    StableHash hash;
    for (const auto& document : documents) hash.add(document.id).add(document.file_bytes).add(document.modified).add(std::int64_t{document.part});
    return hash.hex();
}

}  // namespace lw
