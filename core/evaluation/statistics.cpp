#include "core/evaluation/statistics.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace lw {
namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sample_variance(std::span<const double> values, double mean) {
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum / static_cast<double>(values.size() - 1);
}

TTest t_test(double difference, double error, double degrees, double level) {
    const boost::math::students_t distribution(degrees);
    TTest test;
    test.difference = difference;
    test.t = difference / error;
    test.degrees = degrees;
    test.p = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(test.t)));
    const double reach = boost::math::quantile(distribution, 0.5 + level / 2) * error;
    test.interval = {difference - reach, difference + reach};
    return test;
}

/// Ranks from 1, equal values share the mean of the ranks they cover.
std::vector<double> average_ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double rank = 0.5 * static_cast<double>(begin + end - 1) + 1;
        for (std::size_t n = begin; n < end; ++n) ranks[order[n]] = rank;
        begin = end;
    }
    return ranks;
}

}  // namespace

MeanSummary summarise(std::span<const double> values, double level) {
    MeanSummary summary;
    summary.n = static_cast<std::int64_t>(values.size());
    if (values.empty()) return summary;
    summary.mean = mean_of(values);
    if (values.size() < 2) return summary;
    const double n = static_cast<double>(values.size());
    const double deviation = std::sqrt(sample_variance(values, summary.mean));
    const double error = deviation / std::sqrt(n);
    const double reach = boost::math::quantile(boost::math::students_t(n - 1), 0.5 + level / 2) * error;
    summary.deviation = deviation;
    summary.error = error;
    summary.interval = Interval{summary.mean - reach, summary.mean + reach};
    return summary;
}

std::optional<TTest> welch_test(std::span<const double> a, std::span<const double> b, double level) {
    if (a.size() < 2 || b.size() < 2) return std::nullopt;
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    const double n_a = static_cast<double>(a.size());
    const double n_b = static_cast<double>(b.size());
    const double part_a = sample_variance(a, mean_a) / n_a;
    const double part_b = sample_variance(b, mean_b) / n_b;
    const double sum = part_a + part_b;
    if (!(sum > 0)) return std::nullopt;
    // Welch and Satterthwaite's approximate degrees of freedom.
    const double degrees = sum * sum / (part_a * part_a / (n_a - 1) + part_b * part_b / (n_b - 1));
    return t_test(mean_a - mean_b, std::sqrt(sum), degrees, level);
}

std::optional<TTest> paired_test(std::span<const double> a, std::span<const double> b, double level) {
    if (a.size() != b.size() || a.size() < 2) return std::nullopt;
    std::vector<double> differences(a.size());
    for (std::size_t n = 0; n < a.size(); ++n) differences[n] = a[n] - b[n];
    const double mean = mean_of(differences);
    const double variance = sample_variance(differences, mean);
    if (!(variance > 0)) return std::nullopt;
    const double n = static_cast<double>(a.size());
    return t_test(mean, std::sqrt(variance / n), n - 1, level);
}

std::optional<double> hedges_g(std::span<const double> a, std::span<const double> b) {
    if (a.size() < 2 || b.size() < 2) return std::nullopt;
    const double mean_a = mean_of(a);
    const double mean_b = mean_of(b);
    const double degrees = static_cast<double>(a.size() + b.size() - 2);
    const double pooled = (static_cast<double>(a.size() - 1) * sample_variance(a, mean_a) + static_cast<double>(b.size() - 1) * sample_variance(b, mean_b)) / degrees;
    if (!(pooled > 0)) return std::nullopt;
    const double correction = std::exp(std::lgamma(degrees / 2) - std::lgamma((degrees - 1) / 2)) / std::sqrt(degrees / 2);
    return correction * (mean_a - mean_b) / std::sqrt(pooled);
}

std::vector<double> holm_correction(std::span<const double> p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> corrected(p.size());
    double highest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        highest = std::max(highest, static_cast<double>(p.size() - rank) * p[order[rank]]);
        corrected[order[rank]] = std::min(1.0, highest);
    }
    return corrected;
}

Interval wilson_interval(std::int64_t successes, std::int64_t trials, double level) {
    if (trials <= 0) return {0, 1};
    const double z = boost::math::quantile(boost::math::normal(), 0.5 + level / 2);
    const double n = static_cast<double>(trials);
    const double share = static_cast<double>(successes) / n;
    const double scale = 1 + z * z / n;
    const double centre = (share + z * z / (2 * n)) / scale;
    const double reach = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale;
    return {std::max(0.0, centre - reach), std::min(1.0, centre + reach)};
}

double spearman(std::span<const double> x, std::span<const double> y) {
    if (x.size() != y.size() || x.size() < 2) return 0;
    const std::vector<double> rank_x = average_ranks(x);
    const std::vector<double> rank_y = average_ranks(y);
    const double centre = 0.5 * static_cast<double>(x.size() + 1);
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
        const double dx = rank_x[n] - centre;
        const double dy = rank_y[n] - centre;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double quantile(std::span<const double> sorted, double probability) {
    const double place = std::clamp(probability, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double share = place - static_cast<double>(below);
    return sorted[below] + share * (sorted[above] - sorted[below]);
}

}  // namespace lw
