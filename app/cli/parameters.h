#pragma once
/// Parameters of methods and tasks as text: a table for people, and values as they are typed.

#include "core/api/scheme.h"

namespace lw::cli {

/// One line for each: id, default, what it may be, what it means.
[[nodiscard]] std::string parameter_table(const std::vector<ParamSpec>& specs);
/// true, false, a number, or else a word.
[[nodiscard]] ParamValue parse_parameter(const std::string& text);

/// "frequency.factor=4" taken apart.
struct SlotParameter {
    std::string slot, parameter;
    ParamValue value;
};
/// Throws Failure(invalid_argument) where the text is not SLOT.PARAMETER=VALUE.
[[nodiscard]] SlotParameter parse_slot_parameter(const std::string& text);
/// Puts "frequency.factor=4" into a scheme that fills that slot; whether the method has the parameter is seen when the scheme is checked.
/// Throws Failure(invalid_argument) where the slot is empty.
void set_parameter(SchemeSpec& scheme, const std::string& assignment);

}  // namespace lw::cli
