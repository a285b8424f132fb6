/// Side numbers of the probe group "rope_scaling": factors over s, critical dimensions.

#include "core/lab/probe_handlers.h"
#include "core/position/frequency/correction_range.h"
#include "core/position/yarn_magnitude.h"

#include <cmath>

namespace lw {

namespace {

using nlohmann::json;

json yarn_mscale(const ProbeInput& test) {
    json computed;
    for (const double s : test.numbers("s")) {
        computed["mscale"].push_back(yarn_magnitude(s, 1));
        computed["telechat3_0.07"].push_back(yarn_magnitude(s, 0.7));
    }
    return computed;
}

/// A factor up to 1 is the automatic one of a text not longer than L.
json longrope_factor(const ProbeInput& test) {
    json factors = json::array();
    for (const auto& pair : test.input("s_L")) {
        const double s = pair.at(0).get<double>();
        const auto module = make_entry<FrequencyScaling>("frequency", "longrope", {{"factor", s < 1 ? 0.0 : s}}, {});
        factors.push_back(module->scale({1, 0.1}, 10000, 1, pair.at(1).get<std::int64_t>()).attention_factor);
    }
    return {{"attention_factor", factors}};
}

/// Twice the number of pairs that finish a turn within L.
json critical_dimension(const ProbeInput& test) {
    json dimensions = json::array();
    for (const auto& triple : test.input("d_b_L")) {
        const auto pairs = triple.at(0).get<std::size_t>() / 2;
        dimensions.push_back(2 * std::ceil(pair_of_turns(1, pairs, triple.at(1).get<double>(), triple.at(2).get<double>())));
    }
    return {{"critical_dimension", dimensions}};
}

}  // namespace

const ProbeHandlers& scaling_tables() {
    static const ProbeHandlers all = {
        {"yarn-mscale", yarn_mscale},
        {"longrope-factor", longrope_factor},
        {"critical-dimension", critical_dimension},
    };
    return all;
}

}  // namespace lw
