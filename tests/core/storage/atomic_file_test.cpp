#include "tests/support/catch_torch.h"

#include "core/storage/atomic_file.h"
#include "core/storage/tensor_file.h"
#include "tests/core/storage/temporary_folder.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lw;

namespace {

std::string failure_of(const std::function<void()>& action, ErrorKind kind) {
    try {
        action();
    } catch (const Failure& failure) {
        CHECK(failure.kind() == kind);
        return failure.what();
    }
    FAIL("no failure");
    return {};
}

/// Files may not grow past so many bytes while this lives; the write then fails as on a full disk.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

std::size_t entries(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a link stays a link, and a pipe is written to and not replaced", "[storage]") {
    const TemporaryFolder folder;
    write_file(folder / "target.txt", "old");
    std::filesystem::create_symlink("target.txt", folder / "link.txt");
    write_file(folder / "link.txt", "new");
    CHECK(std::filesystem::is_symlink(folder / "link.txt"));
    CHECK(read_file(folder / "target.txt") == "new");
    const auto pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    write_file(pipe, "through");
    std::array<char, 16> got{};
    CHECK(::read(reader, got.data(), got.size()) == 7);
    ::close(reader);
    CHECK(std::string(got.data()) == "through");
    CHECK(std::filesystem::is_fifo(pipe));
    if (std::filesystem::is_character_file("/dev/full")) CHECK_THAT(failure_of([] { write_file("/dev/full", "x"); }, ErrorKind::io), Catch::Contains("Disk full"));
    CHECK(std::filesystem::is_character_file("/dev/full") == std::filesystem::exists("/dev/full"));
}

TEST_CASE("a file appears only when it is committed", "[storage]") {
    const TemporaryFolder folder;
    const auto file = folder / "a.txt";
    {
        AtomicFile out(file);
        out.write("half");
        CHECK_FALSE(std::filesystem::exists(file));
    }
    CHECK(entries(folder.path()) == 0);
    write_file(file, "whole");
    CHECK(read_file(file) == "whole");
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a full disk gives a sentence and leaves the earlier file as it was", "[storage]") {
    const TemporaryFolder folder;
    const auto file = folder / "weights.safetensors";
    write_tensor_file(file, {{{"a", at::arange(4, at::kFloat)}}, {}});
    const std::string before = read_file(file);
    std::string message;
    {
        const SmallDisk disk(4096);
        message = failure_of([&] { write_tensor_file(file, {{{"a", at::zeros({100000})}}, {}}); }, ErrorKind::io);
    }
    CHECK(message.find("Disk full") != std::string::npos);
    CHECK(message.find("weights.safetensors") != std::string::npos);
    CHECK(read_file(file) == before);
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("no space on the device is called a full disk", "[storage]") {
    const std::string message = failure_of([] { fail_writing("/some/where/x.json", ENOSPC); }, ErrorKind::io);
    CHECK(message.find("Disk full while writing /some/where/x.json") != std::string::npos);
    CHECK(message.find("free some space") != std::string::npos);
}

TEST_CASE("a folder that cannot be written to is named", "[storage]") {
    const TemporaryFolder folder;
    write_file(folder / "file", "x");
    CHECK(failure_of([&] { make_folder(folder / "file" / "runs"); }, ErrorKind::io).find("a file is in its place") != std::string::npos);
    CHECK(failure_of([&] { make_folder(folder / "file"); }, ErrorKind::io).find("a file is in its place") != std::string::npos);
    CHECK(failure_of([&] { write_file(folder / "file" / "run.json", "x"); }, ErrorKind::io).find("is not a folder") != std::string::npos);
    CHECK(failure_of([&] { write_file(folder / "absent" / "run.json", "x"); }, ErrorKind::io).find("does not exist") != std::string::npos);
    CHECK(failure_of([] { fail_writing("/read/only/run.json", EROFS); }, ErrorKind::io).find("/read/only is read-only") != std::string::npos);
    if (::geteuid() == 0) return;  // Nothing is read-only for root.
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    CHECK(failure_of([&] { write_file(folder / "run.json", "x"); }, ErrorKind::io).find("read-only") != std::string::npos);
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST_CASE("leftovers of a killed program are removed and nothing else", "[storage]") {
    const TemporaryFolder folder;
    write_file(folder / ".run.json.17-0.partial", "half");
    write_file(folder / "run.json", "whole");
    write_file(folder / "notes.partial", "mine");
    remove_leftovers(folder.path());
    CHECK_FALSE(std::filesystem::exists(folder / ".run.json.17-0.partial"));
    CHECK(std::filesystem::exists(folder / "run.json"));
    CHECK(std::filesystem::exists(folder / "notes.partial"));
}

TEST_CASE("reading refuses folders, absent files and files that are too large", "[storage]") {
    const TemporaryFolder folder;
    write_file(folder / "large", std::string(2000, 'x'));
    CHECK(failure_of([&] { (void)read_file(folder / "absent"); }, ErrorKind::not_found).find("absent") != std::string::npos);
    CHECK(failure_of([&] { (void)read_file(folder.path()); }, ErrorKind::invalid_argument).find("is a folder") != std::string::npos);
    CHECK(failure_of([&] { (void)read_file(folder / "large", 1000); }, ErrorKind::invalid_argument).find("larger than") != std::string::npos);
}
