#pragma once
/// The machine: versions, devices, threads, measured speed, what is missing and what to do.

#include "core/api/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lw {

struct DoctorLine {
    std::string topic;
    std::string value;
    std::string status;  ///< "ok" | "note" | "missing"
    std::string advice;  ///< what to do, "" when nothing
};
struct DoctorReport {
    std::vector<DoctorLine> lines;
    std::vector<std::string> devices;  ///< usable: "cpu", "cuda:0"
    double gflops_one_thread = 0, gflops_all_threads = 0;
};
Result<DoctorReport> doctor(bool measure_speed = true);

/// Call once at program start, before any other verb and any thread: allocator thresholds that keep large blocks,
/// thread count (0 = OMP_NUM_THREADS, else all cores; LENGTHWISE_THREADS overrides), warning handler. Safe to call again.
void initialise(int threads = 0);
/// Refuses a device that is not there: unavailable, with what was found.
Status check_device(const std::string& device);
struct MemoryUse {
    std::int64_t resident = 0, peak = 0, total = 0, available = 0;  ///< bytes
};
[[nodiscard]] MemoryUse memory_use();

/// Folder of committed resources, and of fetched data (LENGTHWISE_DATA, else $XDG_DATA_HOME/lengthwise).
[[nodiscard]] std::filesystem::path resource_folder();
[[nodiscard]] std::filesystem::path data_folder();

}  // namespace lw
