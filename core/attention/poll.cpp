#include "core/attention/poll.h"

#include "core/api/result.h"

namespace lw {

namespace {

constexpr std::chrono::milliseconds kServeEvery{50};

thread_local PollScope* innermost = nullptr;

}  // namespace

PollScope::PollScope(const RunContext& context) : context_(context), outer_(innermost), next_(std::chrono::steady_clock::now() + kServeEvery) {
    innermost = this;
}

PollScope::~PollScope() { innermost = outer_; }

void PollScope::ask() {
    if (context_.stopping()) throw Failure(ErrorKind::cancelled, "Stopped inside a pass through the model, as asked for.");
    if (!context_.serve || std::chrono::steady_clock::now() < next_) return;
    // A job served here may run a model itself; its blocks must not serve further jobs from within.
    const RunContext quiet;
    const PollScope none(quiet);
    context_.serve();
    next_ = std::chrono::steady_clock::now() + kServeEvery;
}

void poll() {
    if (innermost != nullptr) innermost->ask();
}

}  // namespace lw
