#include "core/position/frequency/correction_range.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lw {

double turns_within(double theta, double train_length) { return train_length * theta / (2 * std::numbers::pi); }

double pair_of_turns(double turns, std::size_t pairs, double base, double train_length) {
    return static_cast<double>(pairs) * std::log(train_length / (2 * std::numbers::pi * turns)) / std::log(base);
}

double PairRange::ramp(std::size_t pair) const { return std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0); }

PairRange correction_range(const RangeEnds& ends, std::size_t pairs, double base, double train_length) {
    double low = pair_of_turns(ends.fast, pairs, base, train_length), high = pair_of_turns(ends.slow, pairs, base, train_length);
    if (ends.truncate) low = std::floor(low), high = std::ceil(high);
    const auto count = static_cast<double>(pairs);
    low = std::max(low, 0.0);
    high = std::min(high, ends.clamp_to_pairs ? count - 1 : 2 * count - 1);
    // A short L can put both ends at or below the first pair: a step then, where published code divides by 0.001.
    return {low, high <= low ? low + 0.001 : high};
}

double partly_divided(double theta, double s, double keep) { return theta / s * (1 - keep) + theta * keep; }

}  // namespace lw
