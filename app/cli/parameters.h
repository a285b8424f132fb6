#pragma once
/// Parameters of methods and tasks as text: a table for people, and values as they are typed.

#include "core/api/result.h"
#include "core/api/scheme.h"

#include <optional>

namespace lw::cli {

/// One line for each: id, default, what it may be, what it means.
[[nodiscard]] std::string parameter_table(const std::vector<ParamSpec>& specs);
/// true, false, a number, or else a word.
[[nodiscard]] ParamValue parse_parameter(const std::string& text);

/// "frequency.factor=4" or "frequency=yarn" taken apart; the keys of a recipe's JSON, "scheme.slots.frequency.params.factor=4", mean the same.
struct SlotSetting {
    std::string slot;
    std::string parameter;  ///< "" where the slot's method is named
    std::string value;      ///< as typed
};
/// How such a setting is described in help texts.
inline constexpr const char* kSlotSettingForm = "SLOT.PARAMETER=VALUE or SLOT=METHOD";
/// Nothing where the text is of another form or does not begin with a slot.
[[nodiscard]] std::optional<SlotSetting> find_slot_setting(const std::string& text);
/// The same. Throws Failure(invalid_argument) that names the forms and the slots.
[[nodiscard]] SlotSetting parse_slot_setting(const std::string& text);
/// Puts a setting into a scheme; "none" empties a slot. Whether the method has the parameter is seen when the scheme is checked.
/// Throws Failure(invalid_argument) for a parameter of an empty slot.
void set_in_scheme(SchemeSpec& scheme, const std::string& assignment);
/// What that refusal says.
[[nodiscard]] Failure empty_slot(const std::string& assignment, const std::string& slot, const SchemeSpec& scheme);

}  // namespace lw::cli
