#pragma once
/// Means, intervals and tests on plain numbers. Torch-free.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

struct Interval {
    double low = 0;
    double high = 0;
};

/// Mean with what its spread allows: one value has a mean only.
struct MeanSummary {
    std::int64_t n = 0;
    double mean = 0;
    std::optional<double> deviation;   ///< sample standard deviation, n - 1
    std::optional<double> error;       ///< of the mean
    std::optional<Interval> interval;  ///< Student's t
};
[[nodiscard]] MeanSummary summarise(std::span<const double> values, double level = 0.95);

/// A two-sided t test of the mean of a minus the mean of b.
struct TTest {
    double difference = 0;
    double t = 0;
    double degrees = 0;
    double p = 1;
    Interval interval;  ///< of the difference
};
/// Unequal variances. Nothing when a side has fewer than two values or neither side varies.
[[nodiscard]] std::optional<TTest> welch_test(std::span<const double> a, std::span<const double> b, double level = 0.95);
/// Same length, pairs in order. Nothing with fewer than two pairs or when all differences are equal.
[[nodiscard]] std::optional<TTest> paired_test(std::span<const double> a, std::span<const double> b, double level = 0.95);

/// Hedges' g: the difference of the means over the pooled deviation, without the bias of few values. Nothing where a test would have nothing.
[[nodiscard]] std::optional<double> hedges_g(std::span<const double> a, std::span<const double> b);

/// Holm's step-down correction for asking several questions at once: the chance of one false "differs" among all stays below the level. In the
/// order given; at most 1.
[[nodiscard]] std::vector<double> holm_correction(std::span<const double> p);

/// Wilson's interval of a proportion; it stays inside [0, 1] and is honest at 0 and n successes.
[[nodiscard]] Interval wilson_interval(std::int64_t successes, std::int64_t trials, double level = 0.95);

/// Spearman's rank correlation, ties given their average rank; 0 when either side is constant.
[[nodiscard]] double spearman(std::span<const double> x, std::span<const double> y);

/// Linear interpolation between order statistics; `sorted` ascending and not empty.
[[nodiscard]] double quantile(std::span<const double> sorted, double probability);

}  // namespace lw
