#include "core/lab/sampler.h"

#include "core/api/result.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

/// Uniform in [0, 1): the standard's distributions differ between libraries, this does not.
double uniform(std::mt19937_64& generator) { return static_cast<double>(generator() >> 11U) * 0x1.0p-53; }

void require(bool holds, const std::string& sentence) {
    if (!holds) throw Failure(ErrorKind::invalid_argument, sentence);
}

}  // namespace

Sampler::Sampler(const SamplerSettings& settings, std::uint64_t seed) : settings_(settings), generator_(seed) {
    require(settings.temperature >= 0 && std::isfinite(settings.temperature), fmt::format("The temperature is {:g}; it must be at least 0.", settings.temperature));
    require(settings.top_k >= 0, fmt::format("top_k is {}; it must be at least 0 (0 = off).", settings.top_k));
    require(settings.top_p > 0 && settings.top_p <= 1, fmt::format("top_p is {:g}; it must be greater than 0 and at most 1.", settings.top_p));
}

std::int64_t Sampler::next(const at::Tensor& logits) {
    const at::Tensor row = logits.to(at::kCPU, at::kDouble);  // [V]
    if (settings_.temperature == 0) return row.argmax().item<std::int64_t>();
    const auto [sorted, tokens] = (row / settings_.temperature).sort(/*stable=*/true, -1, /*descending=*/true);
    const at::Tensor probabilities = sorted.softmax(-1).contiguous();  // [V], descending
    const double* p = probabilities.const_data_ptr<double>();
    std::int64_t kept = probabilities.size(0);
    if (settings_.top_k > 0) kept = std::min(kept, settings_.top_k);
    double mass = 0;
    std::int64_t count = 0;
    // The token that crosses top_p still belongs to the nucleus.
    while (count < kept && (count == 0 || mass < settings_.top_p)) mass += p[count++];
    double left = uniform(generator_) * mass;
    std::int64_t chosen = 0;
    while (chosen + 1 < count && left >= p[chosen]) left -= p[chosen++];
    return tokens[chosen].item<std::int64_t>();
}

}  // namespace lw
