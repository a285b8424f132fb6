#pragma once
/// A pass over a long text is one call that takes seconds. Attention asks between its blocks whether to stop, and lets short jobs run,
/// so that a cancel is obeyed and a map is served within one block.

#include "core/api/context.h"

#include <chrono>

namespace lw {

/// As long as it lives, poll() on this thread asks `context`, which must outlive it. Scopes nest; the innermost one counts.
class PollScope {
public:
    explicit PollScope(const RunContext& context);
    ~PollScope();
    PollScope(const PollScope&) = delete;
    PollScope& operator=(const PollScope&) = delete;

private:
    friend void poll();
    void ask();

    const RunContext& context_;
    PollScope* outer_;
    std::chrono::steady_clock::time_point next_;
};

/// Throws Failure(cancelled) when the scope's context is stopping; serves its short jobs about every 50 ms. Nothing without a scope.
/// Not to be called inside at::parallel_for: its threads are not the scope's.
void poll();

}  // namespace lw
