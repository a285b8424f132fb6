#pragma once
/// liblw_cuda.so, loaded at run time: the main program links no CUDA.

#include "core/attention/kernel_call.h"

#include <string>

namespace lw {

class CudaLibrary {
public:
    CudaLibrary();
    [[nodiscard]] bool loaded() const { return kernels_.forward != nullptr; }
    /// Why it is not loaded: no driver, no library, another version.
    [[nodiscard]] const std::string& why_not() const { return why_not_; }
    /// Only when loaded().
    [[nodiscard]] const AttentionKernels& kernels() const { return kernels_; }

private:
    AttentionKernels kernels_;
    std::string why_not_;
};

/// Loaded on first use, on the thread that computes.
const CudaLibrary& cuda_library();

}  // namespace lw
