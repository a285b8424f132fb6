/// Process-wide settings that must stand before the first tensor and the first thread.

#include "core/api/doctor.h"
#include "core/device/device.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <malloc.h>

#include <climits>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

namespace lw {
namespace {

constexpr int kKeepBelow = 1 << 30;
constexpr int kGrowBy = 64 << 20;

/// glibc hands blocks above 32 MB at most back to the kernel at once and gets them again as fresh pages, each of which
/// must be cleared and mapped. Tensors of some MB come and go all the time, so that costs more than the arithmetic:
/// keeping the blocks makes plain tensor code 2 to 3 times faster. One arena, because only the main one can grow freely
/// and the window's compute thread would otherwise get another one.
void keep_large_blocks() {
    mallopt(M_MMAP_THRESHOLD, kKeepBelow);
    mallopt(M_TRIM_THRESHOLD, kKeepBelow);
    mallopt(M_TOP_PAD, kGrowBy);
    mallopt(M_ARENA_MAX, 1);
}

/// 0 where the variable is not set or is no plain number.
int threads_from_environment(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return 0;
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > 1024) return 0;
    return static_cast<int>(value);
}

/// What is said most plainly counts: our own variable, the caller's number, the variable that batch systems set, every core.
int chosen_threads(int given) {
    if (const int own = threads_from_environment("LENGTHWISE_THREADS"); own > 0) return own;
    if (given > 0) return given;
    if (const int common = threads_from_environment("OMP_NUM_THREADS"); common > 0) return common;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

constexpr std::size_t kKeptWarnings = 64;

/// LibTorch warns on stderr by default, which core never does; `doctor` shows what was collected.
class WarningLog : public c10::WarningHandler {
public:
    void process(const c10::Warning& warning) override {
        const std::lock_guard lock(mutex_);
        lines_.push_back(warning.msg());
        if (lines_.size() > kKeptWarnings) lines_.pop_front();
    }
    std::vector<std::string> lines() {
        const std::lock_guard lock(mutex_);
        return {lines_.begin(), lines_.end()};
    }

private:
    std::mutex mutex_;
    std::deque<std::string> lines_;
};

WarningLog& warning_log() {
    static WarningLog log;
    return log;
}

}  // namespace

std::vector<std::string> library_warnings() { return warning_log().lines(); }

void initialise(int threads) {
    static std::once_flag once;
    std::call_once(once, [] {
        // Past a size limit (ulimit -f) a write then fails with EFBIG, which atomic_file says in words and cleans up after; the signal would
        // end the program in the middle of a file.
        std::signal(SIGXFSZ, SIG_IGN);
        keep_large_blocks();
        at::set_num_interop_threads(1);  // a second call would throw
    });
    c10::WarningUtils::set_warning_handler(&warning_log());  // per thread
    at::set_num_threads(chosen_threads(threads));
}

}  // namespace lw
