#include "core/study/survey.h"

#include "core/evaluation/protocol.h"
#include "core/storage/atomic_file.h"
#include "core/study/cell_runs.h"
#include "core/study/study_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace lw {

namespace {

/// One seed says nothing about another one, and that is easily forgotten in front of a table.
void note_seeds(StudyStatus& status) {
    const auto seeds = static_cast<std::int64_t>(status.spec.seeds.size());
    if (status.spec.schemes.empty() || seeds > 2) return;
    status.notes.push_back(seeds == 1 ? "One seed only: differences between schemes can be tested over documents, not over seeds; another seed may turn them round."
                                      : "Two seeds: a test over seeds is possible and very weak; three or more are usual.");
}

/// What the run was measured by, as the study's file would say it.
std::string measured_by(const StudyCell& cell) {
    const auto evaluations = read_evaluations(cell.folder);
    std::vector<std::string> plans;
    if (!evaluations.ok()) return "";
    for (const Evaluation& evaluation : evaluations.value()) {
        const EvaluationSpec& spec = evaluation.protocol;
        plans.push_back(fmt::format("{{\"protocol\": \"{}\", \"lengths\": [{}], \"scored\": {}, \"documents\": {}, \"bootstrap\": {}}}", spec.protocol, fmt::join(spec.lengths, ", "), spec.scored,
                                    spec.documents, spec.bootstrap));
    }
    return fmt::format("{}", fmt::join(plans, " or "));
}

/// The evaluation of a run that comes with the program is its own, and cannot be written anew: better said before hours of work than after.
void check_demos(StudyStatus& status) {
    std::set<std::string> said;
    for (const StudyCell& cell : status.cells) {
        if (cell.state != "trained" || !cell.run.starts_with("demo:") || !said.insert(cell.run).second) continue;
        status.problems.push_back(fmt::format("{} comes with the program and keeps the evaluation it has, which is not the one of this study. Give the study the \"evaluation\" {}, "
                                              "or copy the run into the workspace: lengthwise-cli runs pack {} FOLDER, and name the copy.", cell.run, measured_by(cell), cell.run));
    }
}

/// A study was checked when it came into the workspace: what is wrong with its file since then is damage, or a change by hand.
StudySpec read_spec(const StudyFolder& folder, const std::filesystem::path& workspace) {
    try {
        return study_from_json(read_file(folder.spec_file()), folder.spec_file().string(), workspace);
    } catch (const Failure& failure) {
        if (failure.kind() != ErrorKind::invalid_argument) throw;
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} Mend the file or put a good one over it; the runs of the study are not touched: lengthwise-cli study add FILE", failure.what()));
    }
}

}  // namespace

StudyStatus survey(const std::filesystem::path& workspace, const StudySpec& spec, const StudyState& state) {
    StudyStatus status;
    status.spec = spec;
    StudyCells built = study_cells(spec, workspace);
    status.cells = std::move(built.cells);
    status.problems = std::move(built.problems);
    status.notes = std::move(built.notes);
    find_runs(status.cells, state, workspace, status.notes);
    check_texts(spec, status);
    check_demos(status);
    note_seeds(status);
    if (status.cells.empty() && status.problems.empty()) status.problems.emplace_back("The study has no cells.");
    return status;
}

StudyStatus survey_folder(const std::filesystem::path& workspace, const StudyFolder& folder) {
    const StudySpec spec = read_spec(folder, workspace);
    const StudyState state = folder.read_state();
    StudyStatus status = survey(workspace, spec, state);
    status.folder = folder.path();
    status.running = folder.locked();
    status.paused = state.paused;
    return status;
}

std::int64_t StudyStatus::count(const std::string& state) const {
    return std::count_if(cells.begin(), cells.end(), [&](const StudyCell& cell) { return cell.state == state; });
}

}  // namespace lw
