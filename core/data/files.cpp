#include "core/data/files.h"

#include "core/storage/atomic_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

namespace lw {
namespace {

/// Closes on every way out.
class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& file) : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

}  // namespace

std::string read_whole_file(const std::filesystem::path& file) { return read_file(file, std::numeric_limits<std::size_t>::max()); }

void write_whole_file(const std::filesystem::path& file, std::string_view content) {
    make_folder(file.parent_path());
    write_file(file, content);
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
    const Descriptor descriptor(file);
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
