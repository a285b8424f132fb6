#include "tests/support/catch_torch.h"

#include "core/storage/atomic_file.h"
#include "core/storage/tensor_file.h"
#include "tests/core/storage/temporary_folder.h"

#include <cstring>

using namespace lw;

namespace {

std::filesystem::path broken(const std::string& name) { return std::filesystem::path(LW_TEST_DATA) / "data" / "broken_safetensors" / name; }

std::string refusal(const std::filesystem::path& file) {
    try {
        (void)read_tensor_file(file);
    } catch (const Failure& failure) {
        CHECK(failure.kind() == ErrorKind::corrupt_file);
        CHECK(std::string(failure.what()).find(file.filename().string()) != std::string::npos);
        return failure.what();
    }
    FAIL(file << " was read");
    return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A file of the given header and so many bytes of values.
std::filesystem::path made(const TemporaryFolder& folder, const std::string& header, std::size_t bytes) {
    const std::uint64_t length = header.size();
    std::string content(8, '\0');
    std::memcpy(content.data(), &length, 8);
    const auto file = folder / "made.safetensors";
    write_file(file, content + header + std::string(bytes, '\2'));
    return file;
}

}  // namespace

TEST_CASE("tensors of every number type come back bit for bit", "[storage]") {
    const TemporaryFolder folder;
    TensorFile content;
    for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kByte, at::kBool}) {
        content.tensors[c10::toString(type)] = (at::arange(15) % 2).reshape({3, 5}).to(type);
    }
    content.tensors["transposed"] = at::arange(6, at::kFloat).reshape({2, 3}).t();
    content.tensors["scalar"] = at::tensor(0.1);
    content.tensors["empty"] = at::zeros({0, 4});
    content.metadata = {{"step", "250"}, {"note", "Größe \"quoted\"\n"}};
    write_tensor_file(folder / "t.safetensors", content);
    const TensorFile back = read_tensor_file(folder / "t.safetensors");
    CHECK(back.metadata == content.metadata);
    REQUIRE(back.tensors.size() == content.tensors.size());
    for (const auto& [name, tensor] : content.tensors) {
        INFO(name);
        CHECK(back.tensors.at(name).scalar_type() == tensor.scalar_type());
        CHECK(at::equal(back.tensors.at(name), tensor));
    }
}

TEST_CASE("a foreign safetensors file is read", "[storage]") {
    const TensorFile file = read_tensor_file(broken("control_good.safetensors"));
    CHECK(at::equal(file.tensors.at("a"), at::arange(24, at::kFloat).reshape({4, 6})));
    CHECK(at::equal(file.tensors.at("b"), at::arange(0, 16, 2, at::kFloat)));
    CHECK(file.metadata.at("format") == "pt");
}

TEST_CASE("a header longer than its file is refused", "[storage]") {
    CHECK(contains(refusal(broken("header_longer_than_file.safetensors")), "claims 100000 bytes"));
}

TEST_CASE("overlapping tensors are refused", "[storage]") {
    CHECK(contains(refusal(broken("overlapping_offsets.safetensors")), "overlaps"));
}

TEST_CASE("a shape that does not fit its bytes is refused", "[storage]") {
    CHECK(contains(refusal(broken("shape_times_dtype_mismatch.safetensors")), "needs 112 bytes"));
}

TEST_CASE("damaged headers are refused before anything is allocated", "[storage]") {
    const TemporaryFolder folder;
    const auto says = [&](const std::string& header, std::size_t bytes, const std::string& part) {
        INFO(header);
        CHECK(contains(refusal(made(folder, header, bytes)), part));
    };
    says("{", 0, "not a JSON object");
    says("[1]", 0, "not a JSON object");
    says(R"({"a": 1})", 0, "lacks dtype");
    says(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0]}})", 4, "no pair");
    says(R"({"a": {"dtype": "Q7", "shape": [1], "data_offsets": [0, 4]}})", 4, "number type Q7");
    says(R"({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})", 4, "not a whole number");
    says(R"({"a": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}})", 4, "not a whole number");
    says(R"({"a": {"dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 4]}})", 4, "larger than any file");
    says(R"({"a": {"dtype": "F32", "shape": [0, 4294967296, 4294967296], "data_offsets": [0, 0]}})", 0, "larger than any file");
    says(R"({"a": {"dtype": "F32", "shape": [1000000], "data_offsets": [0, 4000000]}})", 4, "lies at bytes 0 to 4000000");
    says(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [8, 4]}})", 8, "lies at bytes 8 to 4");
    says(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", 8, "belong to no tensor");
    says(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})", 9, "after the last tensor");
    says(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", 8, "twice");
    says(R"({"a": {"dtype": "BOOL", "shape": [4], "data_offsets": [0, 4]}})", 4, "other than 0 and 1");
    says(R"({"__metadata__": {"step": 3}})", 0, "not a string");
    says(std::string(100000, '['), 0, "its header");
}

TEST_CASE("a truncated file is refused at every length", "[storage]") {
    const TemporaryFolder folder;
    const std::string whole = read_file(broken("control_good.safetensors"));
    for (std::size_t length = 0; length < whole.size(); length += 7) {
        write_file(folder / "cut.safetensors", whole.substr(0, length));
        INFO(length);
        (void)refusal(folder / "cut.safetensors");
    }
}

TEST_CASE("an absent tensor file is not found", "[storage]") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(read_tensor_file(folder / "absent.safetensors"), Failure);
}
