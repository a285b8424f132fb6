// safetensors: u64 little-endian header size, JSON header {name: {dtype, shape, data_offsets: [begin, end]}} with an optional
// "__metadata__" of strings, then the raw values, row major, offsets counted from the end of the header.
#include "core/storage/tensor_file.h"

#include "core/storage/atomic_file.h"

#include <ATen/ops/empty.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace lw {

namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "safetensors files are little-endian and are read without swapping");

using nlohmann::json;

constexpr std::uint64_t kHeaderLimit = 100'000'000;
constexpr std::size_t kAxisLimit = 16;

struct TypeName {
    const char* name;
    at::ScalarType type;
};
constexpr std::array<TypeName, 10> kTypes{{{"F64", at::kDouble}, {"F32", at::kFloat}, {"F16", at::kHalf}, {"BF16", at::kBFloat16},
                                           {"I64", at::kLong}, {"I32", at::kInt}, {"I16", at::kShort}, {"I8", at::kChar},
                                           {"U8", at::kByte}, {"BOOL", at::kBool}}};

/// Where one tensor lies; checked against the file before anything is allocated.
struct Extent {
    std::string name;
    at::ScalarType type = at::kFloat;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;
};

class Reader {
public:
    explicit Reader(const std::filesystem::path& file) : file_(file), descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (descriptor_ < 0) fail_reading(file, errno);
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
            const int error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
            ::close(descriptor_);
            fail_reading(file, error);
        }
        size_ = static_cast<std::uint64_t>(status.st_size);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { ::close(descriptor_); }

    [[nodiscard]] std::uint64_t size() const { return size_; }

    void read(std::uint64_t offset, void* into, std::uint64_t bytes) const {
        char* next = static_cast<char*>(into);
        while (bytes > 0) {
            const ssize_t got = ::pread(descriptor_, next, bytes, static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail_reading(file_, errno);
            if (got == 0) corrupt("it became shorter while it was read");
            next += got;
            offset += static_cast<std::uint64_t>(got);
            bytes -= static_cast<std::uint64_t>(got);
        }
    }

    [[noreturn]] void corrupt(const std::string& why) const {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} is not a readable safetensors file: {}. It may be truncated or of another kind.", file_.string(), why));
    }

private:
    std::filesystem::path file_;
    int descriptor_;
    std::uint64_t size_ = 0;
};

/// The header's JSON. Depth and repeated names are checked while parsing, since later code could not see them.
json read_header(const Reader& reader, std::uint64_t& data_begin) {
    if (reader.size() < 8) reader.corrupt(fmt::format("it has {} bytes, and the header size alone takes 8", reader.size()));
    std::uint64_t length = 0;
    reader.read(0, &length, sizeof length);
    if (length > kHeaderLimit) reader.corrupt(fmt::format("its header claims {} bytes, more than the {} allowed", length, kHeaderLimit));
    if (length > reader.size() - 8) reader.corrupt(fmt::format("its header claims {} bytes, but only {} follow", length, reader.size() - 8));
    std::string text(length, '\0');
    reader.read(8, text.data(), length);
    data_begin = 8 + length;
    std::set<std::string> names;
    std::string problem;
    const auto check = [&](int depth, json::parse_event_t event, json& value) {
        if (depth > 4 && problem.empty()) problem = "its header is nested too deeply";
        if (event == json::parse_event_t::key && depth == 1 && !names.insert(value.get<std::string>()).second && problem.empty()) {
            problem = fmt::format("its header names \"{}\" twice", value.get<std::string>());
        }
        return true;
    };
    json header = json::parse(text, check, false);
    if (!problem.empty()) reader.corrupt(problem);
    if (header.is_discarded() || !header.is_object()) reader.corrupt("its header is not a JSON object");
    return header;
}

std::uint64_t whole_number(const Reader& reader, const std::string& name, const json& value) {
    if (!value.is_number_unsigned()) reader.corrupt(fmt::format("tensor \"{}\" has a size or an offset that is not a whole number", name));
    return value.get<std::uint64_t>();
}

at::ScalarType type_of(const Reader& reader, const std::string& name, const json& value) {
    const std::string word = value.is_string() ? value.get<std::string>() : std::string("?");
    for (const TypeName& known : kTypes) {
        if (word == known.name) return known.type;
    }
    reader.corrupt(fmt::format("tensor \"{}\" has the number type {}, and F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL can be read", name, word));
}

/// Bytes that shape and type need; refuses products past 2^62 so that no later arithmetic can overflow.
std::uint64_t bytes_of(const Reader& reader, const Extent& extent) {
    std::uint64_t bytes = c10::elementSize(extent.type);
    bool empty = false;
    for (const std::int64_t axis : extent.shape) {
        if (axis == 0) {
            empty = true;
        } else if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(axis), &bytes) || bytes > (std::uint64_t{1} << 62U)) {
            reader.corrupt(fmt::format("tensor \"{}\" has a shape larger than any file", extent.name));
        }
    }
    return empty ? 0 : bytes;
}

Extent read_extent(const Reader& reader, const std::string& name, const json& entry, std::uint64_t data_bytes) {
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets")) {
        reader.corrupt(fmt::format("tensor \"{}\" lacks dtype, shape or data_offsets", name));
    }
    Extent extent{name, type_of(reader, name, entry["dtype"]), {}, 0, 0};
    const json& shape = entry["shape"];
    if (!shape.is_array() || shape.size() > kAxisLimit) reader.corrupt(fmt::format("tensor \"{}\" has no shape of at most {} axes", name, kAxisLimit));
    for (const json& axis : shape) {
        const std::uint64_t size = whole_number(reader, name, axis);
        if (size > (std::uint64_t{1} << 62U)) reader.corrupt(fmt::format("tensor \"{}\" has an axis of {}", name, size));
        extent.shape.push_back(static_cast<std::int64_t>(size));
    }
    const json& offsets = entry["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2) reader.corrupt(fmt::format("tensor \"{}\" has no pair of data_offsets", name));
    extent.begin = whole_number(reader, name, offsets[0]);
    extent.end = whole_number(reader, name, offsets[1]);
    if (extent.begin > extent.end || extent.end > data_bytes) {
        reader.corrupt(fmt::format("tensor \"{}\" lies at bytes {} to {}, and there are {} bytes of values", name, extent.begin, extent.end, data_bytes));
    }
    const std::uint64_t needed = bytes_of(reader, extent);
    if (needed != extent.end - extent.begin) {
        reader.corrupt(fmt::format("tensor \"{}\" needs {} bytes by its shape and type, but its range has {}", name, needed, extent.end - extent.begin));
    }
    return extent;
}

/// Every byte belongs to exactly one tensor: no overlap, no hole, nothing after the last.
void check_layout(const Reader& reader, std::vector<Extent>& extents, std::uint64_t data_bytes) {
    std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    std::uint64_t reached = 0;
    for (const Extent& extent : extents) {
        if (extent.begin < reached) reader.corrupt(fmt::format("tensor \"{}\" overlaps the one before it by {} bytes", extent.name, reached - extent.begin));
        if (extent.begin > reached) reader.corrupt(fmt::format("{} bytes before tensor \"{}\" belong to no tensor", extent.begin - reached, extent.name));
        reached = extent.end;
    }
    if (reached != data_bytes) reader.corrupt(fmt::format("{} bytes after the last tensor belong to no tensor", data_bytes - reached));
}

at::Tensor read_tensor(const Reader& reader, const Extent& extent, std::uint64_t data_begin) {
    at::Tensor tensor = at::empty(extent.shape, at::TensorOptions().dtype(extent.type));
    reader.read(data_begin + extent.begin, tensor.data_ptr(), extent.end - extent.begin);
    if (extent.type == at::kBool) {
        const auto* bytes = static_cast<const unsigned char*>(tensor.data_ptr());
        const bool clean = std::all_of(bytes, bytes + tensor.numel(), [](unsigned char b) { return b <= 1; });
        if (!clean) reader.corrupt(fmt::format("tensor \"{}\" is BOOL and has values other than 0 and 1", extent.name));
    }
    return tensor;
}

std::map<std::string, std::string> read_metadata(const Reader& reader, const json& entry) {
    std::map<std::string, std::string> metadata;
    if (!entry.is_object()) reader.corrupt("its __metadata__ is not an object");
    for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) reader.corrupt(fmt::format("its metadata \"{}\" is not a string", key));
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

const char* type_name(const std::string& tensor, at::ScalarType type) {
    for (const TypeName& known : kTypes) {
        if (known.type == type) return known.name;
    }
    throw Failure(ErrorKind::internal, fmt::format("Tensor {} has the number type {}, which safetensors cannot hold.", tensor, c10::toString(type)));
}

/// Names with the widest types first, so that every tensor is aligned to its own element size.
std::vector<std::string> file_order(const TensorFile& content) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : content.tensors) names.push_back(name);
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return content.tensors.at(a).element_size() > content.tensors.at(b).element_size();
    });
    return names;
}

std::string header_text(const TensorFile& content, const std::vector<std::string>& names) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
    std::uint64_t offset = 0;
    for (const std::string& name : names) {
        const at::Tensor& tensor = content.tensors.at(name);
        const std::uint64_t end = offset + static_cast<std::uint64_t>(tensor.nbytes());
        header[name] = {{"dtype", type_name(name, tensor.scalar_type())}, {"shape", tensor.sizes().vec()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

}  // namespace

TensorFile read_tensor_file(const std::filesystem::path& file) {
    const Reader reader(file);
    std::uint64_t data_begin = 0;
    const json header = read_header(reader, data_begin);
    const std::uint64_t data_bytes = reader.size() - data_begin;
    TensorFile content;
    std::vector<Extent> extents;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            content.metadata = read_metadata(reader, entry);
        } else {
            extents.push_back(read_extent(reader, name, entry, data_bytes));
        }
    }
    check_layout(reader, extents, data_bytes);
    for (const Extent& extent : extents) content.tensors[extent.name] = read_tensor(reader, extent, data_begin);
    return content;
}

void write_tensor_file(const std::filesystem::path& file, const TensorFile& content) {
    const std::vector<std::string> names = file_order(content);
    const std::string header = header_text(content, names);
    const std::uint64_t length = header.size();
    AtomicFile out(file);
    out.write(&length, sizeof length);
    out.write(header);
    for (const std::string& name : names) {
        const at::Tensor values = content.tensors.at(name).detach().to(at::kCPU).contiguous();
        out.write(values.data_ptr(), values.nbytes());
    }
    out.commit();
}

}  // namespace lw
