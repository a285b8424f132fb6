/// See intervals.h.
#include "app/cli/intervals.h"

#include <cmath>

namespace lw::cli {
namespace {

/// An evaluation without a bootstrap says so at the end of its line. A comparison is made with the settings of the reference.
bool was_resampled(const std::string& protocol_line) { return !protocol_line.substr(0, protocol_line.find(" | ")).ends_with("no interval"); }

/// "48 documents", "1 place of 1 document": whether those are two at least.
bool several(const std::string& units) { return !units.starts_with("1 ") && !units.starts_with("0 "); }

}  // namespace

bool has_interval(const Evaluation& evaluation, const LengthPoint& point) {
    return evaluation.protocol.bootstrap > 0 && point.document_loss.size() > 1 && std::isfinite(point.loss);
}

bool has_interval(const Comparison& comparison, const std::string& protocol_line) {
    return comparison.low != comparison.high || (was_resampled(protocol_line) && several(comparison.units));
}

std::string no_interval_reason(const Comparison& comparison, const std::string& protocol_line) {
    const std::string needed = "an interval needs a bootstrap over at least two documents or places";
    if (!was_resampled(protocol_line)) return needed + "; these evaluations were made with 0 resamples";
    return needed + "; here there is " + comparison.units;
}

bool equal_losses(const Comparison& comparison) { return comparison.ratio == 1 && comparison.low == comparison.high; }

}  // namespace lw::cli
