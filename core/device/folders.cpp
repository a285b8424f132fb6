/// Where the committed resources and the fetched data lie.

#include "core/api/doctor.h"

#include <cstdlib>

namespace lw {
namespace {

std::filesystem::path environment_path(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

}  // namespace

std::filesystem::path resource_folder() {
    if (auto set = environment_path("LENGTHWISE_RESOURCES"); !set.empty()) return set;
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const auto folder = program.parent_path();  // "bin", or "tests" of a build
        auto installed = folder.parent_path() / "share" / "lengthwise";
        if (std::filesystem::is_directory(installed, error)) return installed;
        // <clone>/build/<preset>/bin: a copied or moved clone reads its own files, not those of the tree it was built from.
        auto beside = folder.parent_path().parent_path().parent_path() / "resources";
        if (std::filesystem::is_directory(beside / "schemes", error)) return beside;
    }
    return std::filesystem::path(LW_SOURCE_DIR) / "resources";
}

std::filesystem::path data_folder() {
    if (auto set = environment_path("LENGTHWISE_DATA"); !set.empty()) return set;
    // The base directory specification asks that a relative XDG_DATA_HOME is ignored.
    if (auto base = environment_path("XDG_DATA_HOME"); base.is_absolute()) return base / "lengthwise";
    if (auto home = environment_path("HOME"); !home.empty()) return home / ".local" / "share" / "lengthwise";
    return std::filesystem::temp_directory_path() / "lengthwise";
}

}  // namespace lw
