#pragma once
/// Temporary data folder for a test: texts, caches and corpora of the machine stay out of it.

#include "tests/support/catch_torch.h"

#include "core/api/result.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace lw {

/// Sets a variable of the environment until the end of the scope.
class ScopedVariable {
public:
    ScopedVariable(const char* name, const std::string& value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        ::setenv(name, value.c_str(), 1);
    }
    ~ScopedVariable() {
        if (old_) ::setenv(name_, old_->c_str(), 1);
        else ::unsetenv(name_);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

private:
    const char* name_;
    std::optional<std::string> old_;
};

class DataFolders {
public:
    DataFolders() : folder_(make()), data_("LENGTHWISE_DATA", (folder_ / "data").string()) {}
    ~DataFolders() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    DataFolders(const DataFolders&) = delete;
    DataFolders& operator=(const DataFolders&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
    /// Writes a file below the temporary folder and returns its path.
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        const auto file = folder_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << content;
        return file;
    }

private:
    static std::filesystem::path make() {
        std::string name = (std::filesystem::temp_directory_path() / "lengthwise-data-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        return name;
    }
    std::filesystem::path folder_;
    ScopedVariable data_;
};

/// The sentence of the Failure that `body` throws; "" when it throws none.
template <class Body>
std::string failure_of(const Body& body, ErrorKind expected) {
    try {
        body();
    } catch (const Failure& failure) {
        CHECK(failure.kind() == expected);
        return failure.what();
    }
    return "";
}

/// Numbered words, each of them once: a window of it tells where it was taken from.
inline std::string numbered_lines(int count, const std::string& prefix = "line") {
    std::string text;
    for (int i = 0; i < count; ++i) text += prefix + " " + std::to_string(i) + "\n";
    return text;
}

}  // namespace lw
