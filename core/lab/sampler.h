#pragma once
/// The next token from a row of logits.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <random>

namespace lw {

struct SamplerSettings {
    double temperature = 0.8;  ///< 0 = the most likely token
    std::int64_t top_k = 0;    ///< 0 = off
    double top_p = 1.0;
};

/// Owns its generator: the same seed gives the same text, whatever else the program draws.
class Sampler {
public:
    /// Throws Failure(invalid_argument) for settings out of bounds.
    Sampler(const SamplerSettings& settings, std::uint64_t seed);
    /// logits [V].
    std::int64_t next(const at::Tensor& logits);

private:
    SamplerSettings settings_;
    std::mt19937_64 generator_;
};

}  // namespace lw
