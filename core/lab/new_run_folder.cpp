#include "core/lab/new_run_folder.h"

#include "core/storage/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

namespace lw {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".new-run-";

/// What a program left that was killed while it filled its folder: old, and nobody holds its lock.
void remove_abandoned(const fs::path& workspace) {
    std::error_code ignored;
    const auto recent = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator(workspace, ignored)) {
        if (!entry.path().filename().string().starts_with(kPrefix)) continue;
        const auto written = fs::last_write_time(entry.path(), ignored);
        if (!ignored && written < recent && !RunLock::held(RunFolder(entry.path()))) fs::remove_all(entry.path(), ignored);
    }
}

fs::path make_hidden(const fs::path& workspace) {
    static std::atomic<int> counter{0};
    make_folder(workspace);
    remove_abandoned(workspace);
    const fs::path path = workspace / fmt::format("{}{}-{}", kPrefix, ::getpid(), counter++);
    std::error_code error;
    fs::remove_all(path, error);  // of an earlier program with this number
    fs::create_directory(path, error);
    if (error) fail_writing(path, error.value());
    return path;
}

}  // namespace

NewRunFolder::NewRunFolder(const fs::path& workspace) : workspace_(workspace), folder_(make_hidden(workspace)) {}

NewRunFolder::~NewRunFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(folder_.path(), ignored);
}

void NewRunFolder::appear(const std::string& name) {
    for (int number = 1;; ++number) {
        const fs::path path = workspace_ / (number == 1 ? name : fmt::format("{}-{}", name, number));
        std::error_code error;
        if (fs::exists(fs::symlink_status(path, error))) continue;
        fs::rename(folder_.path(), path, error);
        // Another program may have taken the name meanwhile.
        if (error == std::errc::directory_not_empty || error == std::errc::file_exists) continue;
        if (error) fail_writing(path, error.value());
        folder_ = RunFolder(path);
        return;
    }
}

}  // namespace lw
