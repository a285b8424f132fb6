#pragma once
/// The distance buckets of T5's relative bias, which TUPE uses too.

#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

struct T5Buckets {
    std::int64_t count = 32;        ///< all buckets, those of both sides
    std::int64_t max_distance = 128;
    bool bidirectional = false;
};

/// Differences i - j of any sign [n] or [r, c] float64 -> bucket numbers, int64. Of a side's b buckets the first b/2 hold one distance each, the
/// others grow logarithmically up to the largest distance. Bidirectional: those of later keys are the upper half; else later keys share bucket 0.
/// Computed in double so that exact powers never fall on the wrong side. Raffel et al. 2020, arXiv 1910.10683.
inline at::Tensor t5_bucket(const at::Tensor& differences, const T5Buckets& buckets) {
    const auto own = buckets.bidirectional ? buckets.count / 2 : buckets.count;  // buckets of one side
    const double exact = static_cast<double>(own / 2);
    const auto n = at::floor(buckets.bidirectional ? differences.abs() : differences.clamp_min(0));
    const double range = std::log(static_cast<double>(buckets.max_distance) / exact);
    const auto ramp = at::log(n.clamp_min(exact) / exact) / range * (static_cast<double>(own) - exact);
    // 1e-9: ln(64/16)/ln(128/16) must not round to just below its exact value.
    const auto far = at::floor(ramp + 1e-9) + exact;
    const auto number = at::where(n < exact, n, far.clamp_max(static_cast<double>(own - 1))).to(at::kLong);
    return buckets.bidirectional ? number + differences.lt(0).to(at::kLong) * own : number;
}

/// Parameters "buckets", "max_distance" and "bidirectional"; throws Failure(invalid_argument) where they do not fit together.
inline void check_t5_buckets(const char* method, const Params& params) {
    const auto buckets = integer_param(params, "buckets"), far = integer_param(params, "max_distance");
    const bool bidirectional = flag_param(params, "bidirectional");
    const std::int64_t parts = bidirectional ? 4 : 2;
    if (buckets % parts != 0) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("buckets of {} is {}; it must be {}.", method, buckets,
                                                               bidirectional ? "a multiple of 4 where bidirectional is on" : "even"));
    }
    if (far > buckets / parts) return;
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("max_distance of {} is {}; with {} buckets it must be more than {}.", method, far, buckets, buckets / parts));
}

}  // namespace lw
