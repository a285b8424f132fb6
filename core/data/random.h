#pragma once
/// Random numbers that are a function of (seed, number): no state to save, the same on every machine.

#include <cstdint>

namespace lw {

/// SplitMix64 started from a seed and a sample number.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t number) : state_(mixed(seed + 0x9E3779B97F4A7C15ULL) ^ mixed(number * 0xD1B54A32D192ED03ULL + 1)) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15ULL;
        return mixed(state_);
    }
    /// Uniform in 0 … bound - 1, without the bias of a plain remainder.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t unfair = (0 - bound) % bound;  // so many of the smallest values would come once too often
        for (;;) {
            const std::uint64_t value = next();
            if (value >= unfair) return value % bound;
        }
    }

private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    std::uint64_t state_;
};

}  // namespace lw
