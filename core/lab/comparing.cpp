/// The verb that sets runs, or groups of seeds, against each other.

#include "core/api/evaluation.h"
#include "core/evaluation/comparison.h"
#include "core/evaluation/protocol.h"
#include "core/lab/evaluated_runs.h"
#include "core/lab/guard.h"

#include <fmt/format.h>

namespace lw {

Result<std::vector<Comparison>> compare(const std::vector<std::filesystem::path>& runs, const std::string& protocol, const RunContext& context) {
    return guarded<std::vector<Comparison>>(context, [&] {
        const EvaluatedRuns read = read_evaluated_runs(runs, protocol);
        if (!read.missing.empty()) {
            throw Failure(ErrorKind::not_found, fmt::format("There is no evaluation by the protocol {} for {}. Evaluate with it first.{}", protocol, listed(read.missing),
                                                            read.problems.empty() ? "" : " " + read.problems.front()));
        }
        return compare_groups(read.runs);
    });
}

}  // namespace lw
