#pragma once
/// A case's computed values beside its expected ones.

#include "core/api/probe.h"
#include "core/lab/probe_array.h"

namespace lw {

/// One entry for every expected and every computed key; objects are opened ("gradients.S"). Keys of known mistakes ("wrong_...",
/// "off_by_one_...") are no expectations.
std::vector<ProbeValue> compared_values(const nlohmann::json& computed, const nlohmann::json& expected, const Tolerance& tolerance);

}  // namespace lw
