#include "bench/fma_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/fma_peak.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include <chrono>

HWY_BEFORE_NAMESPACE();
namespace lw::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Twelve sums that do not wait for each other hide the latency of two multipliers.
double rate() {
    constexpr int kSums = 12, kSteps = 100'000;
    const hn::ScalableTag<float> d;
    hn::Vec<decltype(d)> sums[kSums];
    for (int i = 0; i < kSums; ++i) sums[i] = hn::Set(d, static_cast<float>(i));
    const auto factor = hn::Set(d, 0.999f), term = hn::Set(d, 0.5f);
    const auto start = std::chrono::steady_clock::now();
    for (int step = 0; step < kSteps; ++step) {
        HWY_UNROLL(12)
        for (int i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], factor, term);
    }
    auto sum = sums[0];
    for (int i = 1; i < kSums; ++i) sum = hn::Add(sum, sums[i]);
    volatile float kept = hn::GetLane(sum);
    static_cast<void>(kept);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return 2.0 * kSums * kSteps * static_cast<double>(hn::Lanes(d)) / time.count() * 1e-9;
}

}  // namespace lw::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lw::bench {

HWY_EXPORT(rate);

double fma_rate() { return HWY_DYNAMIC_DISPATCH(rate)(); }

}  // namespace lw::bench
#endif
