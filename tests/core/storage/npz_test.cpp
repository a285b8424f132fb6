#include "tests/support/catch_torch.h"

#include "core/api/export.h"
#include "core/storage/atomic_file.h"
#include "tests/core/storage/temporary_folder.h"

#include <zip.h>

using namespace lw;

namespace {

std::string member(const std::filesystem::path& file, const std::string& name) {
    int error = 0;
    zip_t* archive = zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
    REQUIRE(archive != nullptr);
    zip_stat_t status;
    REQUIRE(zip_stat(archive, name.c_str(), 0, &status) == 0);
    zip_file_t* in = zip_fopen(archive, name.c_str(), 0);
    std::string bytes(status.size, '\0');
    REQUIRE(zip_fread(in, bytes.data(), bytes.size()) == static_cast<zip_int64_t>(bytes.size()));
    zip_fclose(in);
    zip_discard(archive);
    return bytes;
}

}  // namespace

TEST_CASE("an npz holds aligned npy files with shape and values", "[storage]") {
    const TemporaryFolder folder;
    const auto file = folder / "maps.npz";
    REQUIRE(write_npz(file, {{"map", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"row", {2}, {7, 8}}}).ok());
    const std::string map = member(file, "map.npy");
    CHECK(map.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
    CHECK(map.find("'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)") != std::string::npos);
    const std::size_t header = map.size() - 6 * sizeof(float);
    CHECK(header % 64 == 0);
    CHECK(map[header - 1] == '\n');
    float values[6];
    std::memcpy(values, map.data() + header, sizeof values);
    CHECK(values[0] == 1.0f);
    CHECK(values[5] == 6.0f);
    CHECK(member(file, "row.npy").find("'shape': (2,)") != std::string::npos);
}

TEST_CASE("the same arrays give the same npz", "[storage]") {
    const TemporaryFolder folder;
    const std::vector<NamedArray> arrays{{"a", {3}, {1, 2, 3}}};
    REQUIRE(write_npz(folder / "a.npz", arrays).ok());
    REQUIRE(write_npz(folder / "b.npz", arrays).ok());
    CHECK(read_file(folder / "a.npz") == read_file(folder / "b.npz"));
}

TEST_CASE("an npz whose shape and values differ is refused and nothing is written", "[storage]") {
    const TemporaryFolder folder;
    const Status status = write_npz(folder / "a.npz", {{"a", {2, 2}, {1, 2, 3}}});
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().message.find("needs 4") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "a.npz"));
}
