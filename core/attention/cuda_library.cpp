#include "core/attention/cuda_library.h"

#include <dlfcn.h>

#include <filesystem>

namespace lw {

namespace {

/// Beside the program (build folder: ../lib), else wherever the loader looks.
void* open_library() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = program.parent_path().parent_path() / "lib" / "liblw_cuda.so";
    if (!error && std::filesystem::exists(beside)) return dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
    return dlopen("liblw_cuda.so", RTLD_NOW | RTLD_LOCAL);
}

template <class Function>
Function function(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

CudaLibrary::CudaLibrary() {
    void* library = open_library();
    if (library == nullptr) {
        const char* reason = dlerror();
        why_not_ = "liblw_cuda.so cannot be loaded (" + std::string(reason != nullptr ? reason : "no reason given") + "): build with nvcc to have the fused GPU kernels";
        return;
    }
    const auto version = function<int (*)()>(library, "lw_cuda_version");
    if (version == nullptr || version() != kLwCudaVersion) {
        why_not_ = "liblw_cuda.so is of another version: build it again";
        return;
    }
    kernels_ = {function<decltype(AttentionKernels::plan)>(library, "lw_cuda_attention_plan"),
                function<decltype(AttentionKernels::forward)>(library, "lw_cuda_attention_forward"),
                function<decltype(AttentionKernels::backward)>(library, "lw_cuda_attention_backward"),
                function<decltype(AttentionKernels::error_text)>(library, "lw_cuda_error_text")};
    if (kernels_.plan != nullptr && kernels_.forward != nullptr && kernels_.backward != nullptr && kernels_.error_text != nullptr) return;
    kernels_ = {};
    why_not_ = "liblw_cuda.so lacks a function: build it again";
}

const CudaLibrary& cuda_library() {
    static const CudaLibrary library;
    return library;
}

}  // namespace lw
