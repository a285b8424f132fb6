#pragma once
/// liblw_cuda.so, loaded at run time: the main program links no CUDA.

#include "core/attention/kernels/cuda/library.h"

#include <string>

namespace lw {

class CudaLibrary {
public:
    CudaLibrary();
    [[nodiscard]] bool loaded() const { return dape_scores_ != nullptr; }
    /// Why it is not loaded: no driver, no library, another version.
    [[nodiscard]] const std::string& why_not() const { return why_not_; }
    /// "" or the error's text.
    [[nodiscard]] std::string dape_scores(const LwDapeScores& call) const;

private:
    int (*dape_scores_)(const LwDapeScores*) = nullptr;
    const char* (*error_text_)(int) = nullptr;
    std::string why_not_;
};

/// Loaded on first use, on the thread that computes.
const CudaLibrary& cuda_library();

}  // namespace lw
