/// Schemes with and without what may be changed on a trained model.
#include "core/position/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

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

/// The parameter by which a method of the training is interpolated (ALiBi's slopes): a factor that changes nothing at its default 1.
const ParamSpec* interpolation_factor(const std::string& slot, const std::string& id) {
    if (!fixed_by_training(slot)) return nullptr;
    const auto& params = find_entry(slot, id).info.params;
    const auto found = std::find_if(params.begin(), params.end(), [](const ParamSpec& spec) { return spec.id == "factor" && spec.default_value == ParamValue(1.0); });
    return found == params.end() ? nullptr : &*found;
}

/// Whether the preset has the methods that the training of `base` fixed, and no others of that kind.
bool same_training(const SchemeSpec& base, const SchemeSpec& preset) {
    const auto covers = [](const SchemeSpec& outer, const SchemeSpec& inner) {
        return std::all_of(inner.slots.begin(), inner.slots.end(), [&](const auto& slot) {
            const auto own = outer.slots.find(slot.first);
            return !fixed_by_training(slot.first) || (own != outer.slots.end() && own->second.id == slot.second.id);
        });
    };
    return covers(base, preset) && covers(preset, base);
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
        if (const auto* factor = interpolation_factor(slot, choice.id); factor != nullptr) choice.params[factor->id] = 1.0;
    }
    std::erase_if(plain.slots, [](const auto& slot) { return !fixed_by_training(slot.first) && find_entry(slot.first, slot.second.id).info.plug_in; });
    return checked_scheme(plain);
}

std::optional<SchemeSpec> extension_of_preset(const SchemeSpec& base, const SchemeSpec& preset) {
    const SchemeSpec from = checked_scheme(base), to = checked_scheme(preset);
    if (!same_training(from, to)) return std::nullopt;
    SchemeSpec extension;
    for (const auto& [slot, choice] : to.slots) {
        const auto own = from.slots.find(slot);
        SlotChoice wanted = choice;
        if (fixed_by_training(slot)) {
            // Of a method that was trained, only its interpolation is taken over: base or width are the run's own.
            wanted = own->second;
            if (const auto* factor = interpolation_factor(slot, choice.id); factor != nullptr) wanted.params[factor->id] = choice.params.at(factor->id);
        }
        if (own == from.slots.end() || own->second.id != wanted.id || own->second.params != wanted.params) extension.slots[slot] = wanted;
    }
    if (extension.slots.empty()) return std::nullopt;
    try {
        // Where the run has more than the preset, or other parameters, the preset's name would hide what the run was trained with.
        if (const auto made = extended_scheme(from, extension); difference_of(to, made).slots.empty() && difference_of(made, to).slots.empty()) extension.name = preset.name;
    } catch (const Failure&) {
        return std::nullopt;  // a part of the preset must be trained with
    }
    return extension;
}

}  // namespace lw
