/// Schemes with and without what may be changed on a trained model.
#include "core/position/catalogue.h"

#include <fmt/format.h>

namespace lw {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// Slots in which a trained model's own method may only change its parameters: other weights or other scores belong to the rest.
bool fixed_by_training(const std::string& slot) { return slot == "input" || slot == "rotation" || slot == "bias" || slot == "adaptive"; }

void check_exchange(const std::string& slot, const SlotChoice* present, const SlotChoice& wanted) {
    const bool same = present != nullptr && present->id == wanted.id;
    if (wanted.id == "none") {
        if (present == nullptr || (!fixed_by_training(slot) && find_entry(slot, present->id).info.plug_in)) return;
        refuse(fmt::format("{} was part of the training in slot {} and cannot be taken away.", find_entry(slot, present->id).info.name, slot));
    }
    const MethodInfo& info = find_entry(slot, wanted.id).info;
    if (!info.plug_in) refuse(fmt::format("{} cannot be put into a trained model: it must be trained with it.", info.name));
    if (fixed_by_training(slot) && !same) {
        refuse(fmt::format("The model was trained with {} in slot {}; only that method's parameters can be changed.",
                           present == nullptr ? "nothing" : find_entry(slot, present->id).info.name, slot));
    }
    if (present != nullptr && !same && !find_entry(slot, present->id).info.plug_in) {
        refuse(fmt::format("{} was part of the training in slot {} and cannot be exchanged.", find_entry(slot, present->id).info.name, slot));
    }
}

}  // namespace

SchemeSpec extended_scheme(const SchemeSpec& base, const SchemeSpec& extension) {
    SchemeSpec extended = checked_scheme(base);
    for (const auto& [slot, choice] : extension.slots) {
        if (choice.id.empty()) continue;
        const auto present = extended.slots.find(slot);
        check_exchange(slot, present == extended.slots.end() ? nullptr : &present->second, choice);
        if (choice.id == "none") extended.slots.erase(slot);
        else extended.slots[slot] = choice;
    }
    if (!extension.name.empty()) extended.name = extension.name;
    return checked_scheme(extended);
}

SchemeSpec difference_of(const SchemeSpec& base, const SchemeSpec& wanted) {
    const SchemeSpec from = checked_scheme(base), to = checked_scheme(wanted);
    SchemeSpec extension;
    for (const auto& [slot, choice] : to.slots) {
        const auto present = from.slots.find(slot);
        if (present == from.slots.end() || present->second.id != choice.id || present->second.params != choice.params) extension.slots[slot] = choice;
    }
    for (const auto& [slot, choice] : from.slots) {
        if (to.slots.count(slot) == 0) extension.slots[slot] = {"none", {}};
    }
    return extension;
}

SchemeSpec without_extension(const SchemeSpec& scheme) {
    SchemeSpec plain = checked_scheme(scheme);
    for (auto& [slot, choice] : plain.slots) {
        if (!fixed_by_training(slot)) continue;
        const MethodInfo& info = find_entry(slot, choice.id).info;
        for (const auto& spec : info.params) {
            // A factor whose default is 1 changes nothing there: ALiBi's slopes, sinusoidal positions.
            if (spec.id == "factor" && spec.default_value == ParamValue(1.0)) choice.params[spec.id] = 1.0;
        }
    }
    std::erase_if(plain.slots, [](const auto& slot) { return !fixed_by_training(slot.first) && find_entry(slot.first, slot.second.id).info.plug_in; });
    return checked_scheme(plain);
}

}  // namespace lw
