#pragma once
/// File helpers of the data layer: memory mapping and a stable hash.

#include "core/api/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace lw {

/// Whole content, whatever its size: texts may be large. Throws Failure(not_found) or Failure(io).
std::string read_whole_file(const std::filesystem::path& file);
/// Atomic, and makes the folder. Throws Failure(io) ("Disk full while writing ...").
void write_whole_file(const std::filesystem::path& file, std::string_view content);

/// FNV-1a, 64 bits: the same on every machine, so it may name files.
class StableHash {
public:
    StableHash& add(std::string_view bytes);
    StableHash& add(std::int64_t number);
    /// One step for eight bytes: for long arrays of numbers.
    void mix(std::uint64_t word) {
        state_ = (state_ ^ word) * 1099511628211ULL;
        state_ ^= state_ >> 29U;  // brings high bits, which the product alone never moves down, into play
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }
    /// 16 hex digits.
    [[nodiscard]] std::string hex() const;

private:
    std::uint64_t state_ = 14695981039346656037ULL;
};

/// A read-only mapping of a file of int32 values.
class MappedTokens {
public:
    /// Throws Failure(not_found / corrupt_file) when the file does not hold exactly `count` values.
    MappedTokens(const std::filesystem::path& file, std::int64_t count);
    ~MappedTokens();
    MappedTokens(const MappedTokens&) = delete;
    MappedTokens& operator=(const MappedTokens&) = delete;
    [[nodiscard]] std::span<const std::int32_t> tokens() const { return tokens_; }

private:
    void* address_ = nullptr;
    std::size_t bytes_ = 0;
    std::span<const std::int32_t> tokens_;
};

}  // namespace lw
