#include "core/attention/kernels/cpu/targets.h"

#include <hwy/highway.h>

#include <algorithm>

namespace lw::kernels {

namespace {

/// Bits of targets that are compiled and that the machine has; a lower bit is the better one.
std::vector<std::int64_t> target_bits() {
    std::vector<std::int64_t> bits;
    for (auto left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) bits.push_back(left & -left);
    return bits;
}

void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> machine_targets() {
    std::vector<std::string> names;
    for (const auto bit : target_bits()) names.emplace_back(hwy::TargetName(bit));
    return names;
}

TargetScope::TargetScope(const std::string& target) {
    const auto bits = target_bits();
    const auto found = std::find_if(bits.begin(), bits.end(), [&](std::int64_t bit) { return hwy::TargetName(bit) == target; });
    if (found != bits.end()) use(*found);
}

TargetScope::~TargetScope() { use(0); }

}  // namespace lw::kernels
