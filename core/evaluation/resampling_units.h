#pragma once
/// What the bootstrap of a length resamples, from the sums of its places. Torch-free.

#include "core/evaluation/protocol.h"
#include "core/evaluation/totals.h"

#include <vector>

namespace lw {

/// Fewer documents than this are too few to resample: places inside them are resampled instead.
constexpr std::int64_t kFewestDocuments = 8;

/// Sums per resampling unit, document or place, in the order of places; units that got no token are left out. `places` are those of the plan.
[[nodiscard]] std::vector<LossSum> units_of(const LengthPlan& plan, const std::vector<LossSum>& places, bool by_document);
/// Documents that hold a token that counts.
[[nodiscard]] std::int64_t documents_with_tokens(const LengthPlan& plan, const std::vector<LossSum>& places);
/// Counts the places that hold a token that counts, and their documents, into the point.
void count_places(LengthPoint& point, const LengthPlan& plan, const std::vector<LossSum>& places);

}  // namespace lw
