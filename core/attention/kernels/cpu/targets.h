#pragma once
/// The instruction sets that the kernels are compiled for. A kernel takes the best one the machine has.

#include <cstdint>
#include <string>
#include <vector>

namespace lw::kernels {

/// Those this machine can run, best first: "AVX3" (AVX-512), "AVX2", "SSE4", "SCALAR".
std::vector<std::string> machine_targets();

/// As long as it lives, kernels use this instruction set: for tests and benchmarks. Not to be made or destroyed while a kernel runs.
class TargetScope {
public:
    explicit TargetScope(const std::string& target);
    ~TargetScope();
    TargetScope(const TargetScope&) = delete;
    TargetScope& operator=(const TargetScope&) = delete;
};

}  // namespace lw::kernels
