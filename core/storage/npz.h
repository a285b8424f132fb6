#pragma once
/// NumPy .npz: a zip of float32 .npy files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lw {

/// One array, values row major and owned by the caller.
struct NpzArray {
    std::string name;
    std::vector<std::int64_t> shape;
    const float* values = nullptr;
    std::size_t count = 0;
};

/// Temporary name, flush, rename. Throws Failure(invalid_argument) where shape and values do not fit, Failure(io) from the disk.
void write_npz_file(const std::filesystem::path& file, const std::vector<NpzArray>& arrays);

}  // namespace lw
