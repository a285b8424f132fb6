/// Names and measured speed of the processor.

#include "core/device/device.h"

#include <ATen/ATen.h>
#include <ATen/Config.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace lw {
namespace {

constexpr std::int64_t kSide = 1024;
constexpr int kRepeats = 8;

/// What follows `key` in at::show_config(), up to a comma or the end of the line.
std::string config_field(const std::string& key) {
    const std::string text = at::show_config();
    const auto begin = text.find(key);
    if (begin == std::string::npos) return "unknown";
    const auto from = begin + key.size();
    return text.substr(from, text.find_first_of(",\n", from) - from);
}

}  // namespace

double measure_gflops(int threads) {
    const at::NoGradGuard no_grad;
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    const at::Tensor a = at::full({kSide, kSide}, 0.5f);  // [1024, 1024]
    const at::Tensor b = at::full({kSide, kSide}, 0.25f);
    at::Tensor c = at::mm(a, b);  // warm-up: threads start, code is generated
    double best = 0;
    for (int i = 0; i < kRepeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        at::mm_out(c, a, b);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::max(best, 2.0 * kSide * kSide * kSide / seconds.count() / 1e9);
    }
    at::set_num_threads(before);
    return best;
}

double machine_gflops() {
    static const double speed = measure_gflops(at::get_num_threads());
    return speed;
}

std::string cpu_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("model name", 0) != 0) continue;
        const auto colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "CPU";
}

std::string torch_version() { return TORCH_VERSION; }
std::string blas_name() { return config_field("BLAS_INFO="); }
std::string vector_instructions() { return config_field("CPU capability usage: "); }
int thread_count() { return at::get_num_threads(); }

}  // namespace lw
