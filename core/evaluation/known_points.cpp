#include "core/evaluation/known_points.h"

#include "core/evaluation/comparison.h"
#include "core/evaluation/resampling_units.h"

#include <algorithm>

namespace lw {

const LengthPoint* same_tokens_point(const std::optional<Evaluation>& known, const Evaluation& now, std::int64_t length) {
    if (!known || !same_places(*known, now) || !same_keys(*known, now)) return nullptr;
    const auto found = std::find_if(known->points.begin(), known->points.end(), [&](const LengthPoint& point) { return point.length == length; });
    return found == known->points.end() ? nullptr : &*found;
}

const LengthPoint* known_point(const std::optional<Evaluation>& known, const Evaluation& now, std::int64_t length) {
    const LengthPoint* point = same_tokens_point(known, now, length);
    if (point == nullptr || !now.keys) return point;
    const bool too_few = now.unit == "document" && point->documents < kFewestDocuments;
    return known->unit == now.unit && !too_few ? point : nullptr;
}

bool went_over_to_places(const std::optional<Evaluation>& known, const Evaluation& now) {
    if (!known || !now.keys || known->unit != "place" || now.unit != "document") return false;
    return std::any_of(now.protocol.lengths.begin(), now.protocol.lengths.end(), [&](std::int64_t length) {
        const LengthPoint* point = same_tokens_point(known, now, length);
        return point != nullptr && point->documents < kFewestDocuments;
    });
}

}  // namespace lw
