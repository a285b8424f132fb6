#pragma once
/// Bootstrap over resampling units. A unit is what is taken to be independent: a document, or a scored place where there
/// are too few documents. Resamples are a function of the seed alone, the same on every machine. Inside a PollScope all of them throw
/// Failure(cancelled) soon after a stop is asked for.

#include "core/evaluation/statistics.h"
#include "core/evaluation/totals.h"

#include <optional>
#include <span>

namespace lw {

struct BootstrapSettings {
    std::int64_t resamples = 1000;
    double level = 0.95;
    std::uint64_t seed = 1;
};

/// Percentile interval of the mean, Σ nll / Σ tokens. Nothing with fewer than two units or no resamples.
[[nodiscard]] std::optional<Interval> bootstrap_mean(std::span<const LossSum> units, const BootstrapSettings& settings);

/// Percentile interval of the perplexity. Nothing with fewer than two units or no resamples.
[[nodiscard]] std::optional<Interval> bootstrap_perplexity(std::span<const LossSum> units, const BootstrapSettings& settings);

/// Percentile interval of perplexity a / perplexity b; every resample takes the same units of both sides.
[[nodiscard]] std::optional<Interval> bootstrap_ratio(std::span<const LossSum> a, std::span<const LossSum> b,
                                                      const BootstrapSettings& settings);

}  // namespace lw
