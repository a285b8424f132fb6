#pragma once
/// Tokens of a source, cached in data_folder()/tokens and memory-mapped.

#include "core/api/context.h"
#include "core/data/files.h"
#include "core/data/source.h"
#include "core/data/tokenizer.h"

namespace lw {

struct TokenizedDocument {
    std::string id;
    std::string split;
    std::int64_t bytes = 0;
    std::string warning;  ///< replaced bytes, "" = none
    std::span<const std::int32_t> tokens;
};

/// The mapping lives as long as this object.
class TokenizedSource {
public:
    TokenizedSource(std::unique_ptr<MappedTokens> file, std::vector<TokenizedDocument> documents)
        : file_(std::move(file)), documents_(std::move(documents)) {}
    [[nodiscard]] const std::vector<TokenizedDocument>& documents() const { return documents_; }

private:
    std::unique_ptr<MappedTokens> file_;
    std::vector<TokenizedDocument> documents_;
};

/// Opens the cached tokens, or makes them when they are absent, damaged or older than the source's files.
std::shared_ptr<const TokenizedSource> open_tokens(const TextSource& source, const Tokenizer& tokenizer, const RunContext& context = {});

/// Tokens of several documents as one long sequence, without copying them together.
class TokenChain {
public:
    void add(std::span<const std::int32_t> tokens);
    [[nodiscard]] std::int64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
    /// Copies `count` tokens from `begin`; the range must lie inside.
    void copy(std::int64_t begin, std::int64_t count, std::int64_t* out) const;

private:
    std::vector<std::span<const std::int32_t>> parts_;
    std::vector<std::int64_t> ends_;  // of each part in the chain
};

}  // namespace lw
