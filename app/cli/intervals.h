#pragma once
/// Whether there is an interval. The API gives the value itself for both ends where there is none, and where all units are alike a real one has such
/// ends too: what was resampled tells the two apart.

#include "app/cli/shell.h"
#include "core/api/evaluation.h"

#include <utility>

namespace lw::cli {

/// Of a point by such an evaluation: a bootstrap over at least two documents or places, and numbers to resample.
[[nodiscard]] bool has_interval(const Evaluation& evaluation, const LengthPoint& point);
/// Of a ratio. `protocol_line` is that of the evaluations, or several of them with " | " between, the reference's first.
[[nodiscard]] bool has_interval(const Comparison& comparison, const std::string& protocol_line);
/// Why a ratio has none, as a sentence without its stop.
[[nodiscard]] std::string no_interval_reason(const Comparison& comparison, const std::string& protocol_line);
/// Equal to the last digit, which needs no interval.
[[nodiscard]] bool equal_losses(const Comparison& comparison);
/// Of numbers that carry nothing else: ends that are both the value count as none.
[[nodiscard]] inline bool has_interval(double low, double high) { return low != high; }

/// The ends for --json, null where there is no interval, which a reader could not tell from a narrow one.
[[nodiscard]] inline std::pair<Json, Json> ends_json(double low, double high, bool interval) {
    return interval ? std::pair(Json(low), Json(high)) : std::pair(Json(), Json());
}
[[nodiscard]] inline std::pair<Json, Json> ends_json(double low, double high) { return ends_json(low, high, has_interval(low, high)); }

}  // namespace lw::cli
