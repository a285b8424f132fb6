#pragma once
/// What the rest of core needs to know about the machine it runs on.

#include <cstdint>
#include <string>
#include <vector>

namespace lw {

/// A place tensors can live on.
struct DeviceInfo {
    std::string id;          ///< "cpu", "cuda:0"
    std::string name;        ///< "AMD EPYC ...", "NVIDIA H200"
    std::int64_t memory = 0; ///< bytes
};

/// What came of looking for NVIDIA GPUs: the devices, or one sentence why there are none to use.
struct CudaState {
    std::vector<DeviceInfo> devices;
    std::string note;           ///< "" when devices are usable
    bool driver = false;        ///< the driver library is installed
};

/// Looks for a driver once and loads LibTorch's CUDA part. Later calls return the first answer.
const CudaState& cuda_state();

/// The CPU first, then every usable GPU.
std::vector<DeviceInfo> usable_devices();

/// Bytes that tensors can still take on a usable GPU ("cuda" or "cuda:1"): free there, or kept by this program's allocator for reuse.
std::int64_t free_gpu_memory(const std::string& id);

/// Messages that LibTorch wanted to print as warnings, newest last, at most the last 64.
std::vector<std::string> library_warnings();

/// Measured speed of one 1024 x 1024 float32 matrix product, in GFLOP/s, with so many threads.
double measure_gflops(int threads);
/// The same with the threads in force, measured once per process; for estimates.
double machine_gflops();

std::string cpu_name();
std::string torch_version();
/// The BLAS that LibTorch was built with ("mkl", "open"), and the vector instructions it uses here ("AVX512").
std::string blas_name();
std::string vector_instructions();
int thread_count();

}  // namespace lw
