#pragma once
/// safetensors, read with every size checked and written atomically.

#include "core/api/result.h"

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace lw {

struct TensorFile {
    std::map<std::string, at::Tensor> tensors;       ///< CPU, contiguous
    std::map<std::string, std::string> metadata;
};

/// Throws Failure(corrupt_file) naming the file and what does not fit; refuses before it allocates.
TensorFile read_tensor_file(const std::filesystem::path& file);
/// Temporary name, flush, rename. Throws Failure(io), e.g. "disk full while writing ...".
void write_tensor_file(const std::filesystem::path& file, const TensorFile& content);

}  // namespace lw
