#pragma once
/// Whether perplexities of two runs may be set against each other. Torch-free.

#include "core/evaluation/comparison.h"

namespace lw {

/// The run's point at a length, null without.
[[nodiscard]] const LengthPoint* point_at(const EvaluatedRun& run, std::int64_t length);

/// Perplexities can be paired only where the same tokens were scored in the same units. Throws Failure(invalid_argument) with what differs and
/// what makes the two alike.
void check_pairing(const EvaluatedRun& a, const EvaluatedRun& b);

}  // namespace lw
