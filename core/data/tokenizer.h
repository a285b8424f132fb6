#pragma once
/// Text <-> token ids.

#include "core/api/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    [[nodiscard]] virtual std::vector<std::int64_t> encode(std::string_view text) const = 0;
    [[nodiscard]] virtual std::string decode(std::span<const std::int64_t> ids) const = 0;
    /// Printable form of one token: space "▁", newline "⏎", partial UTF-8 as hex.
    [[nodiscard]] virtual std::string piece(std::int64_t id) const = 0;
    [[nodiscard]] virtual std::int64_t size() const = 0;
    /// "byte" or "bpe-1024-<hash>": names cached token files.
    [[nodiscard]] virtual std::string id() const = 0;
    /// Writes what load_tokenizer needs into a run folder (tokenizer.json, and tokenizer.model for bpe).
    virtual void save(const std::filesystem::path& folder) const = 0;
};

/// From a run folder. Throws Failure(not_found / corrupt_file).
std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder);

}  // namespace lw
