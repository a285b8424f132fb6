#include "core/storage/npz.h"

#include "core/api/result.h"
#include "core/storage/atomic_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <ctime>
#include <memory>

namespace lw {

namespace {

struct ZipErrorGuard {
    zip_error_t error{};
    ZipErrorGuard() { zip_error_init(&error); }
    ~ZipErrorGuard() { zip_error_fini(&error); }
    ZipErrorGuard(const ZipErrorGuard&) = delete;
    ZipErrorGuard& operator=(const ZipErrorGuard&) = delete;
};

[[noreturn]] void fail_zip(const std::filesystem::path& file, const char* what) {
    throw Failure(ErrorKind::io, fmt::format("Cannot build the archive {}: {}.", file.string(), what));
}

/// "\x93NUMPY", version 1.0, header size, a Python dictionary padded so that the values start at a multiple of 64 bytes.
std::string npy_header(const std::vector<std::int64_t>& shape) {
    const std::string axes = shape.size() == 1 ? fmt::format("{},", shape[0]) : fmt::format("{}", fmt::join(shape, ", "));
    std::string dictionary = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", axes);
    constexpr std::size_t kPrefix = 10;
    const std::size_t total = (kPrefix + dictionary.size() + 1 + 63) / 64 * 64;
    dictionary.resize(total - kPrefix - 1, ' ');
    dictionary.push_back('\n');
    std::string header("\x93NUMPY\x01\x00", 8);
    header.push_back(static_cast<char>(dictionary.size() & 0xffU));
    header.push_back(static_cast<char>(dictionary.size() >> 8U));
    return header + dictionary;
}

std::string npy_bytes(const NpzArray& array) {
    std::size_t expected = 1;
    for (const std::int64_t axis : array.shape) expected *= static_cast<std::size_t>(axis);
    if (expected != array.count) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("Array {} has {} values, but its shape ({}) needs {}.", array.name, array.count,
                                                               fmt::join(array.shape, " x "), expected));
    }
    std::string bytes = npy_header(array.shape);
    if (array.count > 0) bytes.append(static_cast<const char*>(static_cast<const void*>(array.values)), array.count * sizeof(float));
    return bytes;
}

/// Adds one member, uncompressed and with a fixed date: the same arrays give the same file.
void add_member(zip_t* archive, const std::filesystem::path& file, const std::string& name, const std::string& bytes) {
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    if (source == nullptr) fail_zip(file, zip_strerror(archive));
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        fail_zip(file, zip_strerror(archive));
    }
    const auto place = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(archive, place, ZIP_CM_STORE, 0);
    zip_file_set_dostime(archive, place, 0, (1U << 5U) | 1U, 0);  // 1980-01-01
}

std::string read_all(zip_source_t* source, const std::filesystem::path& file) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0) fail_zip(file, zip_error_strerror(zip_source_error(source)));
    std::string bytes(status.size, '\0');
    const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (got != static_cast<zip_int64_t>(bytes.size())) fail_zip(file, "the archive in memory could not be read back");
    return bytes;
}

}  // namespace

void write_npz_file(const std::filesystem::path& file, const std::vector<NpzArray>& arrays) {
    // The archive is built in memory: only then is it known whole, and the disk sees one atomic write.
    std::vector<std::string> members;
    for (const NpzArray& array : arrays) members.push_back(npy_bytes(array));
    ZipErrorGuard guard;
    zip_source_t* made = zip_source_buffer_create(nullptr, 0, 0, &guard.error);
    if (made == nullptr) fail_zip(file, zip_error_strerror(&guard.error));
    const std::unique_ptr<zip_source_t, decltype(&zip_source_free)> target(made, &zip_source_free);
    zip_source_keep(made);  // zip_close() releases one reference; ours is needed to read the bytes afterwards.
    zip_t* opened = zip_open_from_source(made, ZIP_TRUNCATE, &guard.error);
    if (opened == nullptr) {
        zip_source_free(made);
        fail_zip(file, zip_error_strerror(&guard.error));
    }
    std::unique_ptr<zip_t, decltype(&zip_discard)> archive(opened, &zip_discard);
    for (std::size_t i = 0; i < arrays.size(); ++i) add_member(opened, file, arrays[i].name + ".npy", members[i]);
    if (zip_close(opened) != 0) fail_zip(file, zip_strerror(opened));
    archive.release();
    // libzip drops an archive without members; 22 bytes of an end record are one.
    std::string bytes("PK\x05\x06", 4);
    bytes.resize(22, '\0');
    if (!arrays.empty()) bytes = read_all(made, file);
    write_file(file, bytes);
}

}  // namespace lw
