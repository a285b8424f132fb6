#include "core/data/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <utility>

namespace lw {
namespace {

/// Closes on every way out.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close_now(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return number_; }
    bool close_now() {
        const int number = std::exchange(number_, -1);
        return number < 0 || ::close(number) == 0;
    }

private:
    int number_;
};

[[noreturn]] void fail_writing(const std::filesystem::path& file, int code) {
    const std::string why = code == ENOSPC ? "the disk is full" : std::strerror(code);
    throw Failure(ErrorKind::io, fmt::format("{} could not be written: {}. Nothing of it was kept.", file.string(), why));
}

std::filesystem::path temporary_name(const std::filesystem::path& file) {
    static std::atomic<unsigned> counter{0};
    return file.parent_path() / fmt::format(".{}.{}.{}", file.filename().string(), ::getpid(), counter++);
}

int write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Failure(ErrorKind::not_found, fmt::format("{} is not there or cannot be read.", file.string()));
    std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad()) throw Failure(ErrorKind::io, fmt::format("{} could not be read to its end.", file.string()));
    return content;
}

void write_whole_file(const std::filesystem::path& file, std::string_view content) {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const auto temporary = temporary_name(file);
    Descriptor descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (descriptor.number() < 0) fail_writing(file, errno);
    int code = write_all(descriptor.number(), content);
    if (!descriptor.close_now() && code == 0) code = errno;
    if (code == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) code = errno;
    if (code != 0) {
        ::unlink(temporary.c_str());
        fail_writing(file, code);
    }
}

StableHash& StableHash::add(std::string_view bytes) {
    for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return add(static_cast<std::int64_t>(bytes.size()));  // so that "ab" + "c" differs from "a" + "bc"
}

StableHash& StableHash::add(std::int64_t number) {
    auto bits = static_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, bits >>= 8) state_ = (state_ ^ (bits & 255U)) * 1099511628211ULL;
    return *this;
}

std::string StableHash::hex() const { return fmt::format("{:016x}", state_); }

MappedTokens::MappedTokens(const std::filesystem::path& file, std::int64_t count) : bytes_(static_cast<std::size_t>(count) * sizeof(std::int32_t)) {
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (descriptor.number() < 0 || ::fstat(descriptor.number(), &status) != 0)
        throw Failure(ErrorKind::not_found, fmt::format("The token file {} is not there.", file.string()));
    if (static_cast<std::uint64_t>(status.st_size) != bytes_)
        throw Failure(ErrorKind::corrupt_file,
                      fmt::format("The token file {} has {} bytes instead of {}.", file.string(), status.st_size, bytes_));
    if (bytes_ == 0) return;
    address_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
    if (address_ == MAP_FAILED) {
        address_ = nullptr;
        throw Failure(ErrorKind::io, fmt::format("The token file {} could not be mapped: {}.", file.string(), std::strerror(errno)));
    }
    tokens_ = {static_cast<const std::int32_t*>(address_), static_cast<std::size_t>(count)};
}

MappedTokens::~MappedTokens() {
    if (address_ != nullptr) ::munmap(address_, bytes_);
}

}  // namespace lw
