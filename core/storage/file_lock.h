#pragma once
/// A lock that the system releases when the process ends, however it ends.

#include <filesystem>
#include <string>

namespace lw {

/// Held as long as it lives. Another job of this program counts as another holder.
class FileLock {
public:
    /// Makes the file where it is absent. Tried for `wait_ms`, then throws Failure(unavailable) with the sentence; Failure(io) where the file
    /// cannot be made.
    FileLock(const std::filesystem::path& file, const std::string& sentence, int wait_ms = 100);
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();
    /// Whether somebody holds it now.
    [[nodiscard]] static bool held(const std::filesystem::path& file);

private:
    int descriptor_ = -1;
};

}  // namespace lw
