#include "core/storage/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>

namespace lw {

namespace {

std::atomic<std::int64_t> full_disks{0};

constexpr std::string_view kTemporaryEnding = ".partial";

std::filesystem::path folder_of(const std::filesystem::path& file) {
    const std::filesystem::path parent = file.parent_path();
    return parent.empty() ? std::filesystem::path(".") : parent;
}

std::filesystem::path temporary_name(const std::filesystem::path& target) {
    static std::atomic<int> counter{0};
    const std::string name = fmt::format(".{}.{}-{}{}", target.filename().string(), ::getpid(), counter++, kTemporaryEnding);
    return folder_of(target) / name;
}

/// A link stays one: what it leads to is written.
std::filesystem::path behind_links(const std::filesystem::path& target) {
    std::error_code error;
    if (!std::filesystem::is_symlink(target, error)) return target;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(target, error);
    return error ? target : resolved;
}

/// A pipe or a device is written to and must not be replaced by a file.
bool is_device(const std::filesystem::path& target) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(target, error);
    return !error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status);
}

std::string free_space(const std::filesystem::path& folder) {
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    return error ? std::string() : fmt::format(" ({:.1f} MB are free)", static_cast<double>(space.available) / 1e6);
}

ErrorKind kind_of(int error) {
    return error == ENOENT ? ErrorKind::not_found : ErrorKind::io;
}

}  // namespace

void fail_writing(const std::filesystem::path& file, int error) {
    const std::string folder = folder_of(file).string();
    const std::string name = file.string();
    if (error == ENOSPC || error == EDQUOT || error == EFBIG) ++full_disks;
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            throw Failure(ErrorKind::io, fmt::format("Disk full while writing {}{}. What was there before is unchanged; free some space or choose another folder.",
                                                     name, free_space(folder)));
        case EFBIG:
            throw Failure(ErrorKind::io, fmt::format("Disk full while writing {}: the file would grow past the size limit set for this program. "
                                                     "What was there before is unchanged; raise the limit or choose another folder.", name));
        case EACCES:
        case EPERM:
        case EROFS:
            throw Failure(ErrorKind::io, fmt::format("Cannot write {}: the folder {} is read-only for this user. Choose another workspace.", name, folder));
        case ENOTDIR:
            throw Failure(ErrorKind::io, fmt::format("Cannot write {}: {} is not a folder. Choose another workspace.", name, folder));
        case ENOENT:
            throw Failure(ErrorKind::io, fmt::format("Cannot write {}: the folder {} does not exist.", name, folder));
        default:
            throw Failure(ErrorKind::io, fmt::format("Cannot write {}: {}.", name, std::strerror(error)));
    }
}

std::int64_t full_disk_failures() { return full_disks; }

void fail_reading(const std::filesystem::path& file, int error) {
    if (error == ENOENT) throw Failure(ErrorKind::not_found, fmt::format("There is no file {}.", file.string()));
    if (error == EISDIR) throw Failure(ErrorKind::invalid_argument, fmt::format("{} is a folder, not a file.", file.string()));
    throw Failure(kind_of(error), fmt::format("Cannot read {}: {}.", file.string(), std::strerror(error)));
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(behind_links(target)) {
    if (is_device(target_)) {
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        temporary_ = temporary_name(target_);
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    }
    if (descriptor_ < 0) fail_writing(target_, errno);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
    const char* next = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = ::write(descriptor_, next, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_writing(target_, errno);
        next += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void AtomicFile::commit() {
    // A pipe has nothing to flush and says so.
    if (::fsync(descriptor_) != 0 && !temporary_.empty()) fail_writing(target_, errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_writing(target_, errno);
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_writing(target_, errno);
    temporary_.clear();
    // The rename itself is only safe against power loss once the folder is flushed; a folder that cannot be opened is no reason to fail.
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    ::fsync(folder);
    ::close(folder);
}

void write_file(const std::filesystem::path& file, std::string_view content) {
    AtomicFile out(file);
    out.write(content);
    out.commit();
}

std::string read_file(const std::filesystem::path& file, std::size_t limit) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) fail_reading(file, error ? error.value() : ENOENT);
    if (std::filesystem::is_directory(status)) fail_reading(file, EISDIR);
    std::ifstream in(file, std::ios::binary);
    if (!in) fail_reading(file, errno);
    std::string content;
    char block[65536];
    while (in.read(block, sizeof block), in.gcount() > 0) {
        content.append(block, static_cast<std::size_t>(in.gcount()));
        if (content.size() > limit) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("{} is larger than {} MB and is not what is expected here.", file.string(), limit >> 20U));
        }
    }
    if (in.bad()) fail_reading(file, EIO);
    return content;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && !std::filesystem::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
    if (!error) return;
    const int code = error.value();
    if (code == ENOTDIR || code == EEXIST) {
        throw Failure(ErrorKind::io, fmt::format("Cannot create the folder {}: a file is in its place. Choose another workspace.", folder.string()));
    }
    if (code == EACCES || code == EPERM || code == EROFS) {
        throw Failure(ErrorKind::io, fmt::format("Cannot create the folder {}: this place is read-only for this user. Choose another workspace.", folder.string()));
    }
    fail_writing(folder, code);
}

void remove_leftovers(const std::filesystem::path& folder) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with('.') || !name.ends_with(kTemporaryEnding)) continue;
        std::error_code ignored;  // A leftover that cannot be removed does no harm.
        std::filesystem::remove(entry.path(), ignored);
    }
}

}  // namespace lw
