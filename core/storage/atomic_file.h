#pragma once
/// Files that are whole or absent: written under a temporary name, flushed to the disk, then renamed.

#include "core/api/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lw {

/// What the system said (errno), as a Failure that names the file and what to try.
[[noreturn]] void fail_writing(const std::filesystem::path& file, int error);
/// How many of this program's writes failed since a disk, a quota or a size limit was full. Every later write fails as well then, which is
/// another matter than one file that cannot be written, and an Error's kind and sentence do not tell.
[[nodiscard]] std::int64_t full_disk_failures();
[[noreturn]] void fail_reading(const std::filesystem::path& file, int error);

/// The file appears under its own name at commit() and not before; without commit() nothing is left behind.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(const void* data, std::size_t bytes);
    void write(std::string_view text) { write(text.data(), text.size()); }
    /// Flush to the disk, close, rename over the target.
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

void write_file(const std::filesystem::path& file, std::string_view content);
/// Refuses files larger than `limit` bytes: what is read here is small.
std::string read_file(const std::filesystem::path& file, std::size_t limit = std::size_t{64} << 20U);
/// Creates a folder and its parents.
void make_folder(const std::filesystem::path& folder);
/// Removes the temporary files that a killed program left in a folder.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace lw
