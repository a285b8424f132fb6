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

}  // namespace

CudaLibrary::CudaLibrary() {
    void* library = open_library();
    if (library == nullptr) {
        const char* reason = dlerror();
        why_not_ = "liblw_cuda.so cannot be loaded (" + std::string(reason != nullptr ? reason : "no reason given") + "): build with nvcc to have the fused GPU kernels";
        return;
    }
    const auto version = reinterpret_cast<int (*)()>(dlsym(library, "lw_cuda_version"));
    error_text_ = reinterpret_cast<const char* (*)(int)>(dlsym(library, "lw_cuda_error_text"));
    const auto kernel = reinterpret_cast<int (*)(const LwDapeScores*)>(dlsym(library, "lw_cuda_dape_scores"));
    if (version == nullptr || kernel == nullptr || error_text_ == nullptr || version() != kLwCudaVersion) {
        why_not_ = "liblw_cuda.so is of another version: build it again";
        return;
    }
    dape_scores_ = kernel;
}

std::string CudaLibrary::dape_scores(const LwDapeScores& call) const {
    const auto error = dape_scores_(&call);
    return error == 0 ? std::string() : std::string(error_text_(error));
}

const CudaLibrary& cuda_library() {
    static const CudaLibrary library;
    return library;
}

}  // namespace lw
