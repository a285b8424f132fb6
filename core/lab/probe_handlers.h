#pragma once
/// The handlers of a probe file's groups. A group is one file probe_<group>.cpp with a function <group>_probes() and one line in
/// probes.def; a method or kind inside it is one line of that function's table.

#include "core/lab/probe_input.h"

namespace lw {

/// Computes what a case asks for, from its parameters and inputs: key -> number, word or array. Throws UnknownCase for a form that
/// the library does not have, Failure where the library refuses.
using ProbeHandler = nlohmann::json (*)(const ProbeInput& test);
using ProbeHandlers = std::map<std::string, ProbeHandler>;

// Parts of groups that fill files of their own.
const ProbeHandlers& scaling_tables();  ///< of rope_scaling
const ProbeHandlers& text_biases();     ///< of biases
/// "negated kerple-log 1 0.5", "alibi 1/16", "sandwich 6 12" (head 6 of 12), "flat": values at δ = 0 .. count - 1, [count]. UnknownCase for
/// other names, and for other numbers behind them.
at::Tensor named_row(const std::string& name, std::int64_t count);
/// Positions by given draws, as SHAPE and CAPE make them, in the shape of the input "positions".
at::Tensor shape_positions(const ProbeInput& test);
at::Tensor cape_positions(const ProbeInput& test);
/// Cases of the kind "position_map" of the group rotary, by their method.
nlohmann::json mapped_positions(const ProbeInput& test);

}  // namespace lw
