#include "tests/support/catch_torch.h"

#include "core/api/doctor.h"
#include "core/device/device.h"

#include <cstdlib>
#include <cstring>

using namespace lw;

namespace {

/// Sets an environment variable for one test case.
class Environment {
public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        had_ = std::getenv(name) != nullptr;
        value == nullptr ? unsetenv(name) : setenv(name, value, 1);
    }
    ~Environment() { had_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* name_;
    std::string before_;
    bool had_ = false;
};

}  // namespace

TEST_CASE("the environment's thread count wins over the argument", "[device]") {
    const int before = thread_count();
    {
        const Environment threads("LENGTHWISE_THREADS", "1");
        initialise(2);
        CHECK(thread_count() == 1);
    }
    const Environment none("LENGTHWISE_THREADS", nullptr);
    initialise(2);
    CHECK(thread_count() == 2);
    initialise(before);
}

TEST_CASE("without a count of its own the program takes what OpenMP programs are told", "[device]") {
    const int before = thread_count();
    const Environment own("LENGTHWISE_THREADS", nullptr);
    const Environment common("OMP_NUM_THREADS", "1");
    initialise(2);
    CHECK(thread_count() == 2);
    initialise();
    CHECK(thread_count() == 1);
    initialise(before);
}

TEST_CASE("a thread count that is no number is ignored", "[device]") {
    const Environment threads("LENGTHWISE_THREADS", "many");
    initialise(2);
    CHECK(thread_count() == 2);
    initialise(1);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a large freed block stays with the process", "[device]") {
    constexpr std::size_t kBytes = 96u << 20;
    void* block = std::malloc(kBytes);
    std::memset(block, 1, kBytes);
    const auto held = memory_use().resident;
    std::free(block);
    CHECK(memory_use().resident > held - static_cast<std::int64_t>(kBytes / 4));
}
#endif

TEST_CASE("memory of the process lies within that of the machine", "[device]") {
    const auto use = memory_use();
    CHECK(use.resident > 1'000'000);
    CHECK(use.peak >= use.resident);
    CHECK(use.total > use.resident);
    CHECK(use.available > 0);
    CHECK(use.available <= use.total);
}

TEST_CASE("the cpu is always a device and an unknown word never", "[device]") {
    CHECK(check_device("cpu").ok());
    CHECK(usable_devices().front().id == "cpu");
    for (const char* name : {"toaster", "", "cuda:", "cuda:x", "cuda:0x", "CPU"}) {
        const auto status = check_device(name);
        REQUIRE_FALSE(status.ok());
        CHECK(status.error().kind == ErrorKind::invalid_argument);
    }
}

TEST_CASE("a gpu that is not there is refused with what is there", "[device]") {
    const auto status = check_device("cuda:99");
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == ErrorKind::unavailable);
    CHECK(status.error().message.find("cpu") != std::string::npos);
    CHECK(cuda_state().devices.empty() == !cuda_state().note.empty());
}

TEST_CASE("measuring the speed leaves the thread count alone", "[device]") {
    const int before = thread_count();
    CHECK(measure_gflops(2) > 0.1);
    CHECK(thread_count() == before);
}

TEST_CASE("warnings of the tensor library are collected, not printed", "[device]") {
    initialise(1);
    TORCH_WARN("a warning for the test");
    const auto warnings = library_warnings();
    REQUIRE_FALSE(warnings.empty());
    CHECK(warnings.back() == "a warning for the test");
}

TEST_CASE("folders follow the environment", "[device]") {
    {
        const Environment resources("LENGTHWISE_RESOURCES", "/somewhere/resources");
        CHECK(resource_folder() == "/somewhere/resources");
    }
    const Environment no_data("LENGTHWISE_DATA", nullptr);
    {
        const Environment base("XDG_DATA_HOME", "/base");
        CHECK(data_folder() == "/base/lengthwise");
        const Environment data("LENGTHWISE_DATA", "/data");
        CHECK(data_folder() == "/data");
    }
    const Environment relative("XDG_DATA_HOME", "relative/ones/are/ignored");
    const Environment home("HOME", "/some/one");
    CHECK(data_folder() == "/some/one/.local/share/lengthwise");
}

TEST_CASE("resources are found beside the source while developing", "[device]") {
    const Environment none("LENGTHWISE_RESOURCES", nullptr);
    CHECK(std::filesystem::is_directory(resource_folder() / "schemes"));
}
