#include "tests/support/catch_torch.h"

#include "core/lab/guard.h"

#include <filesystem>
#include <set>

using namespace lw;

TEST_CASE("a failure keeps its kind and sentence", "[guard]") {
    const auto result = guarded<int>([]() -> int { throw Failure(ErrorKind::corrupt_file, "The file ends early."); });
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::corrupt_file);
    CHECK(result.error().message == "The file ends early.");
}

TEST_CASE("an error of the tensor library comes without its backtrace", "[guard]") {
    const auto result = guarded<int>([] {
        at::mm(at::zeros({2, 3}), at::zeros({2, 3}));
        return 0;
    });
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::internal);
    CHECK(result.error().message.find("2x3 and 2x3") != std::string::npos);
    CHECK(result.error().message.find("frame #") == std::string::npos);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a refused block is out of memory and says how large it was", "[guard]") {
    const auto result = guarded<int>([] {
        at::empty({std::int64_t{1} << 45});
        return 0;
    });
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::out_of_memory);
    CHECK(result.error().message.find("140737.49 GB") != std::string::npos);
    CHECK(result.error().message.find("Try") != std::string::npos);
}
#endif

TEST_CASE("a gpu's refusal keeps its size and unit", "[guard]") {
    const auto result = guarded<int>([]() -> int { throw std::runtime_error("CUDA out of memory. Tried to allocate 20.50 MiB. GPU 0 has ..."); });
    CHECK(result.error().kind == ErrorKind::out_of_memory);
    CHECK(result.error().message.find("one block of 20.50 MiB") != std::string::npos);
}

TEST_CASE("standard exceptions find their kinds", "[guard]") {
    const auto kind_of = [](auto thrower) { return guarded<int>([&]() -> int { thrower(); return 0; }).error().kind; };
    CHECK(kind_of([] { throw std::bad_alloc(); }) == ErrorKind::out_of_memory);
    CHECK(kind_of([] { throw std::runtime_error("odd"); }) == ErrorKind::internal);
    CHECK(kind_of([] { throw 7; }) == ErrorKind::internal);
    CHECK(kind_of([] { static_cast<void>(std::filesystem::file_size("/no/such/file")); }) == ErrorKind::not_found);
}

TEST_CASE("every error kind has a name of its own", "[guard]") {
    std::set<std::string> names;
    for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind) names.insert(error_kind_name(static_cast<ErrorKind>(kind)));
    CHECK(names.size() == static_cast<std::size_t>(ErrorKind::internal) + 1);
}

TEST_CASE("a result without a value throws its own error when the value is asked for", "[guard]") {
    const Result<int> result = Error{ErrorKind::not_found, "Nothing there."};
    CHECK_THROWS_AS(result.value(), Failure);
}
