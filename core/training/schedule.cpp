#include "core/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw {

std::int64_t warmup_steps(const TrainingSpec& spec) { return std::llround(spec.warmup_fraction * static_cast<double>(spec.steps)); }

double learning_rate(const TrainingSpec& spec, std::int64_t index) {
    const std::int64_t warmup = warmup_steps(spec);
    if (index < warmup) return spec.peak_rate * static_cast<double>(index + 1) / static_cast<double>(warmup);
    const std::int64_t rest = std::max<std::int64_t>(1, spec.steps - 1 - warmup);
    const double part = std::clamp(static_cast<double>(index - warmup) / static_cast<double>(rest), 0.0, 1.0);
    const double final_rate = spec.peak_rate * spec.final_rate_fraction;
    return final_rate + 0.5 * (spec.peak_rate - final_rate) * (1 + std::cos(std::numbers::pi * part));
}

}  // namespace lw
