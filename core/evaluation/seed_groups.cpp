#include "core/evaluation/seed_groups.h"

#include "core/evaluation/line_titles.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

void add_seed(SeedGroup& group, const EvaluatedRun& run) {
    const auto again = [&](const EvaluatedRun* other) { return other->seed == run.seed; };
    if (std::none_of(group.begin(), group.end(), again)) group.push_back(&run);
}

}  // namespace

SeedGroup seed_group(const std::vector<EvaluatedRun>& runs) {
    SeedGroup group;
    for (const EvaluatedRun& run : runs) add_seed(group, run);
    return group;
}

std::vector<SeedGroup> seed_groups(const std::vector<EvaluatedRun>& runs, bool group_seeds) {
    std::vector<SeedGroup> groups;
    for (const EvaluatedRun& run : runs) {
        const auto same = [&](const SeedGroup& group) { return group.front()->group == run.group; };
        const auto found = group_seeds ? std::find_if(groups.begin(), groups.end(), same) : groups.end();
        if (found == groups.end()) {
            groups.push_back({&run});
        } else {
            add_seed(*found, run);
        }
    }
    return groups;
}

std::vector<std::string> group_titles(const std::vector<SeedGroup>& groups) {
    std::vector<const EvaluatedRun*> firsts;
    for (const SeedGroup& group : groups) firsts.push_back(group.front());
    return distinct_titles(firsts);
}

std::string seeds_band(const SeedGroup& group) { return fmt::format("{:.4g} % t interval over {} seeds", 100 * group.front()->evaluation.protocol.level, group.size()); }

}  // namespace lw
