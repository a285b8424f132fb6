#pragma once
/// Parameters of methods and tasks as text: a table for people, and values as they are typed.

#include "core/api/params.h"

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

}  // namespace lw::cli
