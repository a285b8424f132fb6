#pragma once
/// Checks of claims that live in their slots' own test files; claims_test.cpp runs them for every entry that makes the claim.

#include "tests/core/position/probe.h"

namespace lw::claim_checks {

// positions_test.cpp
void ascending(Probe& probe);
void random_in_training(Probe& probe);
void mapped_plain_at_factor_1(Probe& probe);
void mapped_plain_within_training(Probe& probe);
void mapped_by_text(Probe& probe);
// rotations_test.cpp
void scores_by_text(Probe& probe);
// content_bias_test.cpp
void content_dependent(Probe& probe);
// distance_test.cpp
void equals_oracle(Probe& probe);
void identity_inside_window(Probe& probe);
void stays_trained(Probe& probe);
// row_slots_test.cpp
void hides_future(Probe& probe);
void sums_to_one(Probe& probe);
void sums_below_one(Probe& probe);
void row_factor(Probe& probe);

}  // namespace lw::claim_checks
