#include "core/storage/file_lock.h"

#include "core/storage/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace lw {

FileLock::FileLock(const std::filesystem::path& file, const std::string& sentence, int wait_ms) : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) fail_writing(file, errno);
    constexpr int kBetweenTries = 5;
    for (int waited = 0; waited < wait_ms; waited += kBetweenTries) {
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
        ::usleep(static_cast<useconds_t>(kBetweenTries) * 1000);
    }
    ::close(descriptor_);
    descriptor_ = -1;
    throw Failure(ErrorKind::unavailable, sentence);
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::held(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0;
    ::close(descriptor);
    return taken;
}

}  // namespace lw
