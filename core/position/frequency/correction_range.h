#pragma once
/// Where frequencies stop being fast: the pair numbers between which YaRN, NTK-by-parts and LongRoPE's starting point pass from
/// kept to divided frequencies.

#include <cstddef>
#include <vector>

namespace lw {

/// Turns that a pair of frequency θ makes within L tokens: L θ / 2π.
double turns_within(double theta, double train_length);
/// corr(x) = d ln(L / (2π x)) / (2 ln b): the fractional number of the pair that makes x turns within L; d = 2 · pairs.
double pair_of_turns(double turns, std::size_t pairs, double base, double train_length);

/// Two pair numbers and the ramp between them.
struct PairRange {
    double low = 0, high = 1;
    /// 0 up to low, 1 from high on.
    [[nodiscard]] double ramp(std::size_t pair) const;
};

/// How a range is found.
struct RangeEnds {
    double fast = 32, slow = 1;   ///< turns within L at its two ends
    bool truncate = true;         ///< down and up to whole pair numbers
    bool clamp_to_pairs = false;  ///< upper limit d/2 - 1; published code clamps with d - 1 although there are only d/2 pairs
};
/// The ends of NTK-by-parts' first code, found by trial: of the ramp from linear to NTK-aware frequencies, and of that to untouched ones.
inline constexpr RangeEnds kByPartsBeta{1.25, 0.75, true, false}, kByPartsGamma{16, 2, true, false};
PairRange correction_range(const RangeEnds& ends, std::size_t pairs, double base, double train_length);

/// θ/s where keep is 0, θ itself where it is 1, linear in the frequency between.
double partly_divided(double theta, double s, double keep);

}  // namespace lw
