#pragma once
/// A folder that lives as long as the test that made it.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lw {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "lengthwise-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data()) == nullptr ? std::filesystem::path() : std::filesystem::path(name);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

}  // namespace lw
