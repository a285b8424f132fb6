#pragma once
/// Runs that differ in nothing but their seed, which curves and comparisons take together. Torch-free.

#include "core/evaluation/comparison.h"

namespace lw {

/// Runs of one recipe with different seeds, in the order in which they were given; never empty.
using SeedGroup = std::vector<const EvaluatedRun*>;

/// All of them as one group. A second run with the same seed is the same experiment again: counted as a seed of its own it would make
/// intervals too narrow, so the first counts.
[[nodiscard]] SeedGroup seed_group(const std::vector<EvaluatedRun>& runs);

/// One group for each recipe, or for each run where seeds are not put together, in the order of their first runs. They point into `runs`.
[[nodiscard]] std::vector<SeedGroup> seed_groups(const std::vector<EvaluatedRun>& runs, bool group_seeds);

/// A title for each group, in order; those that would be equal are told apart.
[[nodiscard]] std::vector<std::string> group_titles(const std::vector<SeedGroup>& groups);

/// "95 % t interval over 3 seeds".
[[nodiscard]] std::string seeds_band(const SeedGroup& group);

}  // namespace lw
