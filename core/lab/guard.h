#pragma once
/// The border between core's exceptions and the API's Result: every verb's body runs inside guarded().

#include "core/api/result.h"
#include "core/attention/poll.h"

#include <exception>
#include <functional>

namespace lw {

/// Failure -> its kind; out of memory (GPU or "DefaultCPUAllocator") -> out_of_memory with advice; c10::Error -> internal without backtrace.
Error classify(std::exception_ptr error);

template <class T>
Result<T> guarded(const std::function<T()>& body) {
    try {
        return body();
    } catch (...) {
        return classify(std::current_exception());
    }
}

/// The same for a body whose long parts ask poll() whether to stop, as the bootstraps of statistics do.
template <class T>
Result<T> guarded(const RunContext& context, const std::function<T()>& body) {
    const PollScope polling(context);
    return guarded<T>(body);
}

}  // namespace lw
