#pragma once
/// The border between core's exceptions and the API's Result: every verb's body runs inside guarded().

#include "core/api/result.h"

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

}  // namespace lw
