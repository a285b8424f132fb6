#include "core/evaluation/bootstrap.h"

#include "core/attention/poll.h"

#include <algorithm>
#include <random>
#include <vector>

namespace lw {
namespace {

/// A million resamples of a thousand units take seconds: now and then they ask whether to stop.
void poll_between(std::int64_t resample) {
    constexpr std::int64_t kEvery = 64;
    if (resample % kEvery == 0) poll();
}

/// The standard library's distributions differ between implementations; this one does not.
std::size_t draw_below(std::mt19937_64& engine, std::size_t count) {
    const auto scaled = static_cast<double>(engine() >> 11U) * 0x1.0p-53;
    return std::min(static_cast<std::size_t>(scaled * static_cast<double>(count)), count - 1);
}

std::optional<Interval> percentiles(std::vector<double>& values, double level) {
    std::sort(values.begin(), values.end());
    return Interval{quantile(values, 0.5 - level / 2), quantile(values, 0.5 + level / 2)};
}

/// A statistic of the sum over each resample.
template <class Statistic>
std::optional<Interval> bootstrap(std::span<const LossSum> units, const BootstrapSettings& settings, const Statistic& statistic) {
    if (units.size() < 2 || settings.resamples < 1) return std::nullopt;
    std::mt19937_64 engine(settings.seed);
    std::vector<double> values;
    for (std::int64_t resample = 0; resample < settings.resamples; ++resample) {
        poll_between(resample);
        LossSum sum;
        for (std::size_t n = 0; n < units.size(); ++n) sum += units[draw_below(engine, units.size())];
        values.push_back(statistic(sum));
    }
    return percentiles(values, settings.level);
}

}  // namespace

std::optional<Interval> bootstrap_mean(std::span<const LossSum> units, const BootstrapSettings& settings) {
    return bootstrap(units, settings, [](const LossSum& sum) { return sum.mean(); });
}

std::optional<Interval> bootstrap_perplexity(std::span<const LossSum> units, const BootstrapSettings& settings) {
    return bootstrap(units, settings, [](const LossSum& sum) { return sum.perplexity(); });
}

std::optional<Interval> bootstrap_ratio(std::span<const LossSum> a, std::span<const LossSum> b, const BootstrapSettings& settings) {
    if (a.size() != b.size() || a.size() < 2 || settings.resamples < 1) return std::nullopt;
    std::mt19937_64 engine(settings.seed);
    std::vector<double> values;
    for (std::int64_t resample = 0; resample < settings.resamples; ++resample) {
        poll_between(resample);
        LossSum sum_a;
        LossSum sum_b;
        for (std::size_t n = 0; n < a.size(); ++n) {
            const std::size_t unit = draw_below(engine, a.size());
            sum_a += a[unit];
            sum_b += b[unit];
        }
        values.push_back(std::exp(sum_a.mean() - sum_b.mean()));
    }
    return percentiles(values, settings.level);
}

}  // namespace lw
