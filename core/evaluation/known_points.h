#pragma once
/// Points of an evaluation that was begun before, and which of them can stand in one that is made now. Torch-free.

#include "core/api/evaluation.h"

namespace lw {

/// The known point of a length, measured at the same places, and with the same key tokens where there are any; null without. `now`: protocol,
/// places and evaluator are those of the evaluation in work. In whichever unit.
[[nodiscard]] const LengthPoint* same_tokens_point(const std::optional<Evaluation>& known, const Evaluation& now, std::int64_t length);

/// Such a point in the unit of `now` that would not have changed that unit.
[[nodiscard]] const LengthPoint* known_point(const std::optional<Evaluation>& known, const Evaluation& now, std::int64_t length);

/// Whether the known evaluation resamples places because of key tokens in few documents at a length that is among these too.
[[nodiscard]] bool went_over_to_places(const std::optional<Evaluation>& known, const Evaluation& now);

}  // namespace lw
