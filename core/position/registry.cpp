/// The list of entries. Each slot's entries.def is read twice, for the declarations and for the array, so nothing depends on
/// the order of static initialisation or on the linker keeping an object file that nobody refers to.
#include "core/position/entry.h"
#include "core/position/nearest.h"

#include <fmt/format.h>

namespace lw {

#define LW_ENTRY(name) const Entry& name();
namespace entries_of::positions {
#include "core/position/positions/entries.def"
}
namespace entries_of::input {
#include "core/position/input/entries.def"
}
namespace entries_of::rotation {
#include "core/position/rotation/entries.def"
}
namespace entries_of::frequency {
#include "core/position/frequency/entries.def"
}
namespace entries_of::distance {
#include "core/position/distance/entries.def"
}
namespace entries_of::bias {
#include "core/position/bias/entries.def"
}
namespace entries_of::adaptive {
#include "core/position/adaptive/entries.def"
}
namespace entries_of::temperature {
#include "core/position/temperature/entries.def"
}
namespace entries_of::visibility {
#include "core/position/visibility/entries.def"
}
namespace entries_of::normaliser {
#include "core/position/normaliser/entries.def"
}
#undef LW_ENTRY

namespace {

std::vector<const Entry*> collected() {
    std::vector<const Entry*> all;
#define LW_ENTRY(name) all.push_back(&entries_of::LW_SLOT::name());
#define LW_SLOT positions
#include "core/position/positions/entries.def"
#undef LW_SLOT
#define LW_SLOT input
#include "core/position/input/entries.def"
#undef LW_SLOT
#define LW_SLOT rotation
#include "core/position/rotation/entries.def"
#undef LW_SLOT
#define LW_SLOT frequency
#include "core/position/frequency/entries.def"
#undef LW_SLOT
#define LW_SLOT distance
#include "core/position/distance/entries.def"
#undef LW_SLOT
#define LW_SLOT bias
#include "core/position/bias/entries.def"
#undef LW_SLOT
#define LW_SLOT adaptive
#include "core/position/adaptive/entries.def"
#undef LW_SLOT
#define LW_SLOT temperature
#include "core/position/temperature/entries.def"
#undef LW_SLOT
#define LW_SLOT visibility
#include "core/position/visibility/entries.def"
#undef LW_SLOT
#define LW_SLOT normaliser
#include "core/position/normaliser/entries.def"
#undef LW_SLOT
#undef LW_ENTRY
    return all;
}

}  // namespace

const std::vector<const Entry*>& entries() {
    static const std::vector<const Entry*> all = collected();
    return all;
}

const Entry& find_entry(const std::string& slot, const std::string& id) {
    std::vector<std::string> known;
    for (const Entry* entry : entries()) {
        if (entry->info.slot != slot) continue;
        if (entry->info.id == id) return *entry;
        known.push_back(entry->info.id);
    }
    if (known.empty()) {
        std::vector<std::string> slot_ids;
        for (const auto& info : slots()) slot_ids.push_back(info.id);
        throw Failure(ErrorKind::not_found, fmt::format("There is no slot \"{}\".{}", slot, suggestion(slot, slot_ids)));
    }
    throw Failure(ErrorKind::not_found, fmt::format("There is no {} method \"{}\".{}", slot, id, suggestion(id, known)));
}

const std::vector<SlotInfo>& slots() {
    static const std::vector<SlotInfo> all = {
        {"positions", "Positions", "Which number each token gets before anything else looks at it."},
        {"input", "Input", "What is added to the token embeddings before the first layer."},
        {"rotation", "Rotation", "How queries and keys are rotated by their positions."},
        {"frequency", "Frequency scaling", "How the rotation's frequencies and magnitude change, for example past the training length."},
        {"distance", "Distance map", "Another distance in place of query minus key, for rotations and distance biases."},
        {"bias", "Bias", "A term added to every attention score, from positions and for some methods from the text."},
        {"adaptive", "Adaptive", "A term added to every attention score that a small network computes across heads from content and bias."},
        {"temperature", "Temperature", "A factor on a row's scores that depends on how far into the text it stands."},
        {"visibility", "Visibility", "Which keys a query may read; all up to its own without an entry."},
        {"normaliser", "Normaliser", "How a row's scores become weights; softmax without an entry."},
    };
    return all;
}

const std::vector<MethodInfo>& methods() {
    static const std::vector<MethodInfo> all = [] {
        std::vector<MethodInfo> infos;
        for (const Entry* entry : entries()) infos.push_back(entry->info);
        return infos;
    }();
    return all;
}

}  // namespace lw
