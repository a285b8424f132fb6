#include "core/data/token_files.h"

#include "core/api/doctor.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace lw {
namespace {

constexpr int kFormat = 1;

struct CacheFiles {
    std::filesystem::path index, tokens;
};

CacheFiles cache_files(const TextSource& source, const Tokenizer& tokenizer) {
    StableHash hash;
    hash.add(source.id);
    // The same id may mean another folder after the data folder was moved.
    if (!source.documents.empty()) hash.add(source.documents.front().file.parent_path().string());
    const std::string stem = hash.hex() + "-" + tokenizer.id();
    const auto folder = data_folder() / "tokens";
    return {folder / (stem + ".json"), folder / (stem + ".bin")};
}

std::string content_hash(std::span<const std::int32_t> tokens) {
    StableHash hash;
    // Two tokens at a time: hashing must not cost more than reading.
    for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
        const auto pair = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(tokens[i])) << 32U) | static_cast<std::uint32_t>(tokens[i + 1]);
        hash.mix(pair);
    }
    if (tokens.size() % 2 == 1) hash.mix(static_cast<std::uint32_t>(tokens.back()));
    return hash.hex();
}

TokenizedDocument document_at(const SourceDocument& document, const nlohmann::json& entry, std::span<const std::int32_t> all) {
    const auto begin = entry.at("begin").get<std::size_t>();
    const auto count = entry.at("count").get<std::size_t>();
    if (begin > all.size() || count > all.size() - begin || entry.at("id").get<std::string>() != document.id)
        throw Failure(ErrorKind::corrupt_file, "The index does not fit its token file.");
    return {document.id, document.split, entry.at("bytes").get<std::int64_t>(), bad_bytes_warning(document, entry.at("bad_bytes").get<std::int64_t>()),
            all.subspan(begin, count)};
}

/// Nothing when the cache is absent, stale or damaged: it is then made again.
std::shared_ptr<const TokenizedSource> open_cache(const TextSource& source, const Tokenizer& tokenizer, const CacheFiles& files) {
    try {
        const auto index = nlohmann::json::parse(read_whole_file(files.index));
        if (index.at("format") != kFormat || index.at("signature") != source_signature(source.documents) || index.at("tokenizer") != tokenizer.id())
            return nullptr;
        const auto& entries = index.at("documents");
        if (entries.size() != source.documents.size()) return nullptr;
        auto mapped = std::make_unique<MappedTokens>(files.tokens, index.at("count").get<std::int64_t>());
        if (content_hash(mapped->tokens()) != index.at("hash").get<std::string>()) return nullptr;
        std::vector<TokenizedDocument> documents;
        for (std::size_t i = 0; i < entries.size(); ++i) documents.push_back(document_at(source.documents[i], entries[i], mapped->tokens()));
        return std::make_shared<TokenizedSource>(std::move(mapped), std::move(documents));
    } catch (const Failure&) {
        return nullptr;
    } catch (const nlohmann::json::exception&) {
        return nullptr;
    }
}

void report_place(const TextSource& source, std::size_t done, const RunContext& context) {
    Progress progress;
    progress.stage = "Tokenising " + source.id;
    progress.done = static_cast<double>(done);
    progress.total = static_cast<double>(source.documents.size());
    progress.unit = "documents";
    context.report(progress);
}

void make_cache(const TextSource& source, const Tokenizer& tokenizer, const CacheFiles& files, const RunContext& context) {
    std::vector<std::int32_t> tokens;
    auto entries = nlohmann::json::array();
    for (const auto& document : source.documents) {
        if (context.stopping()) throw Failure(ErrorKind::cancelled, "Tokenising was cancelled.");
        report_place(source, entries.size(), context);
        const DocumentText text = read_document_text(document);
        const auto ids = tokenizer.encode(text.text);
        entries.push_back({{"id", document.id}, {"split", document.split}, {"begin", tokens.size()}, {"count", ids.size()},
                           {"bytes", text.text.size()}, {"bad_bytes", text.bad_bytes}});
        for (const std::int64_t id : ids) tokens.push_back(static_cast<std::int32_t>(id));
    }
    write_whole_file(files.tokens, {reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof(std::int32_t)});
    const nlohmann::json index{{"format", kFormat}, {"source", source.id}, {"signature", source_signature(source.documents)},
                               {"tokenizer", tokenizer.id()}, {"count", tokens.size()}, {"hash", content_hash(tokens)}, {"documents", entries}};
    write_whole_file(files.index, index.dump(1) + "\n");
}

}  // namespace

std::shared_ptr<const TokenizedSource> open_tokens(const TextSource& source, const Tokenizer& tokenizer, const RunContext& context) {
    const CacheFiles files = cache_files(source, tokenizer);
    if (auto cached = open_cache(source, tokenizer, files)) return cached;
    make_cache(source, tokenizer, files, context);
    if (auto cached = open_cache(source, tokenizer, files)) return cached;
    throw Failure(ErrorKind::io, fmt::format("The tokens of {} were written to {} but cannot be read back; check the disk, or that no other program "
                                             "changes the texts.", source.id, files.tokens.string()));
}

void TokenChain::add(std::span<const std::int32_t> tokens) {
    if (tokens.empty()) return;
    parts_.push_back(tokens);
    ends_.push_back(size() + static_cast<std::int64_t>(tokens.size()));
}

void TokenChain::copy(std::int64_t begin, std::int64_t count, std::int64_t* out) const {
    auto part = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin());
    for (; count > 0; ++part) {
        const std::int64_t part_begin = ends_[part] - static_cast<std::int64_t>(parts_[part].size());
        const std::int64_t taken = std::min(count, ends_[part] - begin);
        const auto source = parts_[part].subspan(static_cast<std::size_t>(begin - part_begin), static_cast<std::size_t>(taken));
        out = std::copy(source.begin(), source.end(), out);
        begin += taken;
        count -= taken;
    }
}

}  // namespace lw
