/// Names of score parts and reducers, as files and command lines write them.
#include "core/api/maps.h"

#include <array>

namespace lw {

namespace {

constexpr std::array kParts{"content", "bias", "adaptive", "bias+adaptive", "logit", "probability"};
constexpr std::array kReducers{"mean", "max", "signed-max-abs"};

/// Index of a name, or an error that lists the choices.
template <std::size_t N>
Result<std::size_t> find(const std::array<const char*, N>& names, const std::string& name, const std::string& what) {
    std::string choices;
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i]) return i;
        choices += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    return Error{ErrorKind::invalid_argument, "Unknown " + what + " \"" + name + "\": choose one of " + choices + "."};
}

}  // namespace

const char* score_part_name(ScorePart part) { return kParts[static_cast<std::size_t>(part)]; }

Result<ScorePart> parse_score_part(const std::string& name) {
    auto index = find(kParts, name, "score part");
    if (!index.ok()) return index.error();
    return static_cast<ScorePart>(index.value());
}

const char* reducer_name(Reducer reducer) { return kReducers[static_cast<std::size_t>(reducer)]; }

Result<Reducer> parse_reducer(const std::string& name) {
    auto index = find(kReducers, name, "reducer");
    if (!index.ok()) return index.error();
    return static_cast<Reducer>(index.value());
}

}  // namespace lw
