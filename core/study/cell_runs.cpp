#include "core/study/cell_runs.h"

#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/protocol.h"
#include "core/evaluation/task_json.h"
#include "core/lab/evaluated_runs.h"
#include "core/storage/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lw {

namespace {

namespace fs = std::filesystem;

/// Runs by the hash of what trained them. Those that only borrow weights are kept apart: their recipe is not what was trained.
struct RunIndex {
    std::multimap<std::string, RunInfo> trained, extended, demo;
    std::vector<std::string> problems;  ///< folders that cannot be read, as list_runs() names them
};

RunIndex index_runs(const fs::path& workspace, const std::vector<StudyCell>& cells, std::vector<std::string>& notes) {
    RunIndex index;
    const auto concerns_study = [&](const RunInfo& run) {
        const std::string now = training_hash(run.recipe);
        return std::any_of(cells.begin(), cells.end(), [&](const StudyCell& cell) { return cell.id == now || recipe_hash(cell.recipe) == run.trained_hash; });
    };
    RunList list = list_runs(workspace).value();
    index.problems = std::move(list.problems);
    for (RunInfo& run : list.runs) {
        const std::string now = recipe_hash(run.recipe);
        const bool other_hash = !run.trained_hash.empty() && run.trained_hash != now;
        const bool edited = run.base.empty() && run.recipe_edited.value_or(other_hash);
        if (edited && concerns_study(run)) {
            notes.push_back(fmt::format("The recipe of the run {} was changed after it was trained (it was {}, and is {} now), so its weights are not what it says. It is left out; put the "
                                        "recipe back or delete the run.", run.id, run.trained_hash, now));
        }
        if (edited) continue;
        auto& runs = run.base.empty() ? index.trained : index.extended;
        runs.emplace(training_hash(run.recipe), std::move(run));
    }
    for (RunInfo& run : demo_runs()) index.demo.emplace(training_hash(run.recipe), std::move(run));
    return index;
}

bool is_measured(const StudyCell& cell) { return measures_task(cell) ? finished_task_evaluation(cell).has_value() : finished_evaluation(cell).has_value(); }

/// How little is left to do with the run: one that was measured as the study asks comes first, then one that is trained, then one that can go on.
int rank_of(const RunInfo& run, const StudyCell& cell) {
    if (run.status == "running") return 2;
    if (run.status != "finished") return run.status == "stopped" ? 1 : 0;
    StudyCell tried = cell;
    tried.folder = run.folder;
    return is_measured(tried) ? 4 : 3;
}

/// Of several runs of the cell's recipe the one with the least left to do, of equal ones the newest: lists of runs begin with the oldest.
const RunInfo* best_of(const std::multimap<std::string, RunInfo>& runs, const StudyCell& cell, const fs::path& base = {}) {
    std::vector<const RunInfo*> found;
    const auto [begin, end] = runs.equal_range(training_hash(cell.recipe));
    for (auto it = begin; it != end; ++it) {
        std::error_code error;
        if (base.empty() || fs::equivalent(it->second.base, base, error)) found.push_back(&it->second);
    }
    if (found.size() < 2) return found.empty() ? nullptr : found.front();
    const RunInfo* best = nullptr;
    int highest = -1;
    for (const RunInfo* run : found) {
        const int rank = rank_of(*run, cell);
        if (rank < highest) continue;
        best = run;
        highest = rank;
    }
    return best;
}

/// A run says "running" also while a program measures it or when its program died; the lock tells.
std::string state_of(const RunInfo& run, const StudyCell& cell, const CellNotes& notes) {
    if (run.status == "finished" || run.demo) return is_measured(cell) ? "finished" : "trained";
    if (run.status == "running") return "running";
    if (run.status == "failed" && !notes.retry) return run.diverged ? "diverged" : "failed";
    return "stopped";
}

void take_run(StudyCell& cell, const RunInfo& run, const CellNotes& notes) {
    cell.run = (run.demo ? "demo:" : "") + run.id;
    cell.folder = run.folder;
    cell.step = run.step;
    cell.state = state_of(run, cell, notes);
    if (cell.state == "failed" || cell.state == "diverged") cell.message = run.message;
}

/// A run that comes with the program is read-only: it counts where it was measured as the study asks, else the cell is trained.
void take_demo(StudyCell& cell, const RunInfo& run, const CellNotes& notes) {
    StudyCell tried = cell;
    take_run(tried, run, notes);
    if (tried.state == "finished") cell = std::move(tried);
}

/// The base of a continuation: a cell of the study, or a run by its name.
struct Base {
    fs::path folder;  ///< empty = not there yet
    std::string message;
};

Base base_of(const StudyCell& cell, const std::vector<StudyCell>& cells, const fs::path& workspace) {
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const StudyCell& other) { return other.id == cell.base; });
    if (found == cells.end()) {
        const auto run = find_run(workspace, cell.base);
        return run.ok() ? Base{run.value().folder, ""} : Base{{}, run.error().message};
    }
    if (found->state == "trained" || found->state == "finished") return {found->folder, ""};
    if (found->state == "failed" || found->state == "diverged") return {{}, fmt::format("{} {}.", cell_line(*found), found->state)};
    return {{}, fmt::format("It goes on with {}, which is not finished yet.", cell_line(*found))};
}

void find_run_of(StudyCell& cell, const RunIndex& index, const std::vector<StudyCell>& cells, const fs::path& workspace, const CellNotes& notes) {
    if (cell.steps < 0) {
        if (const RunInfo* run = best_of(index.trained, cell)) take_run(cell, *run, notes);
        else if (const RunInfo* demo = best_of(index.demo, cell)) take_demo(cell, *demo, notes);
        return;
    }
    const Base base = base_of(cell, cells, workspace);
    if (base.folder.empty()) {
        cell.state = "blocked";
        cell.message = base.message;
    } else if (cell.steps > 0) {
        if (const RunInfo* run = best_of(index.trained, cell)) take_run(cell, *run, notes);
    } else if (cell.extension.slots.empty()) {
        take_run(cell, read_run(base.folder).value(), notes);
    } else if (const RunInfo* run = best_of(index.extended, cell, base.folder)) {
        take_run(cell, *run, notes);
    }
}

/// What happens to a cell without a run that had the one of this folder, as far as its recipe can be read; "" where that is no cell's.
std::string instead_words(const fs::path& run, const fs::path& workspace, const std::vector<StudyCell>& cells) {
    const auto recipe = read_recipe(RunFolder(run).recipe_file(), workspace);
    for (const StudyCell& cell : cells) {
        if (cell.state != "waiting") continue;
        if (!recipe.ok()) return " If it is one of this study's, its cell is trained anew.";
        if (training_hash(recipe.value()) != training_hash(cell.recipe)) continue;
        return fmt::format(" {} is {} anew.", cell_line(cell), cell.steps == 0 ? "made" : "trained");
    }
    return "";
}

/// One of them may be a cell's run: without a word the cell would be trained anew.
void note_unreadable(const RunIndex& index, const fs::path& workspace, const std::vector<StudyCell>& cells, std::vector<std::string>& notes) {
    for (const std::string& problem : index.problems) {
        const fs::path run = workspace / problem.substr(0, problem.find(": "));
        notes.push_back(fmt::format("A run cannot be read and is left out: {}{}", problem, instead_words(run, workspace, cells)));
    }
}

/// A run whose numbers cannot be read is measured again, which is said; one that comes with the program is not.
void note_damaged(const StudyCell& cell, std::vector<std::string>& notes) {
    if (cell.state != "trained") return;
    try {
        const auto folder = RunFolder(cell.folder).evaluation_folder();
        if (measures_task(cell)) (void)read_task_evaluation_file(folder);
        else (void)read_evaluation(folder, cell.recipe.evaluation.protocol);
    } catch (const Failure& failure) {
        const std::string instead = cell.run.starts_with("demo:") ? "" : fmt::format(" {} is measured again.", cell_line(cell));
        notes.push_back(failure.what() + instead);
    }
}

/// Lengths that no document reaches are left out of what was measured, so what was asked for is compared.
std::vector<std::int64_t> asked_lengths(const Evaluation& evaluation) {
    std::vector<std::int64_t> lengths = evaluation.asked.empty() ? evaluation.protocol.lengths : evaluation.asked;
    std::sort(lengths.begin(), lengths.end());
    return lengths;
}

}  // namespace

void find_runs(std::vector<StudyCell>& cells, const StudyState& state, const fs::path& workspace, std::vector<std::string>& notes) {
    const RunIndex index = index_runs(workspace, cells, notes);
    for (StudyCell& cell : cells) {
        const auto noted = state.cells.find(cell.id);
        const CellNotes known = noted == state.cells.end() ? CellNotes{} : noted->second;
        cell.priority = known.priority;
        find_run_of(cell, index, cells, workspace, known);
        note_damaged(cell, notes);
        if (known.failure.empty() || cell.state == "finished" || cell.state == "running" || cell.state == "diverged") continue;
        cell.state = "failed";
        cell.message = known.failure;
    }
    note_unreadable(index, workspace, cells, notes);
}

std::optional<Evaluation> finished_evaluation(const StudyCell& cell) {
    const EvaluationSpec& wanted = cell.recipe.evaluation;
    const auto run = read_run(cell.folder);
    if (!run.ok()) return std::nullopt;
    std::optional<Evaluation> found;
    try {
        found = read_evaluation(RunFolder(cell.folder).evaluation_folder(), wanted.protocol);
    } catch (const Failure&) {
        return std::nullopt;  // a damaged one is made anew
    }
    if (!found || !found->complete || found->points.empty() || found->step != current_step(run.value()) || found->source != cell.recipe.data.source) return std::nullopt;
    const EvaluationSpec& had = found->protocol;
    const bool alike = had.split == wanted.split && had.documents == wanted.documents && had.bootstrap == wanted.bootstrap && had.level == wanted.level &&
                       had.scored == wanted.scored && had.stride == wanted.stride && asked_lengths(*found) == wanted.lengths;
    if (!alike) return std::nullopt;
    found->run = run.value().id;  // a copied or renamed folder keeps its file
    return found;
}

std::optional<TaskEvaluation> finished_task_evaluation(const StudyCell& cell) {
    std::optional<TaskEvaluation> found;
    try {
        found = read_task_evaluation_file(RunFolder(cell.folder).evaluation_folder());
    } catch (const Failure&) {
        return std::nullopt;
    }
    const auto run = read_run(cell.folder);
    if (!found || !run.ok() || !found->complete || found->step != current_step(run.value()) || found->source != cell.recipe.data.source) return std::nullopt;
    // Lengths that were measured before stay in the file, so that it may hold more than is asked for.
    std::vector<TaskPoint> points;
    for (const std::int64_t length : cell.recipe.evaluation.lengths) {
        const auto point = std::find_if(found->points.begin(), found->points.end(), [&](const TaskPoint& p) { return p.length == length && p.examples == kTaskExamples; });
        if (point == found->points.end()) return std::nullopt;
        points.push_back(*point);
    }
    found->points = std::move(points);
    return found;
}

}  // namespace lw
