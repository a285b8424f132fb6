#include "core/study/cells.h"

#include "core/data/task.h"
#include "core/evaluation/protocol.h"
#include "core/lab/estimates.h"
#include "core/position/nearest.h"
#include "core/study/cell_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lw {

namespace {

constexpr const char* kPlugIn = "plug-in-";

/// What can be put under a trained model where it is trained on: everything but the slots whose weights or scores it learned.
bool open_to_training(const std::string& slot) { return slot != "input" && slot != "rotation" && slot != "bias" && slot != "adaptive" && slot != "normaliser"; }

/// The extension as slots of this base: of a whole preset only what it changes.
SchemeSpec extension_for(const SchemeSpec& base, const SchemeSpec& asked) {
    const auto of_preset = preset_extension(base, asked);
    SchemeSpec extension = of_preset.ok() && of_preset.value() ? *of_preset.value() : asked;
    extension.name = asked.name;
    return extension;
}

/// The base's scheme with the extension. Where steps follow, methods that must be trained with (PoSE) may come in as well.
SchemeSpec continued_scheme(const SchemeSpec& base, const SchemeSpec& extension, bool trains) {
    if (extension.slots.empty()) return base;
    auto extended = extend_scheme(base, extension);
    if (extended.ok() || !trains) return std::move(extended).value();
    SchemeSpec scheme = base;
    for (const auto& [slot, choice] : extension.slots) {
        if (!open_to_training(slot)) throw Failure(extended.error().kind, extended.error().message);
        scheme.slots[slot] = choice;
    }
    return check_scheme(scheme).value();
}

/// What a protocol does not use is nothing, as in the plans of evaluations, so that the two can be compared; what it has by default is said.
void settle(EvaluationSpec& evaluation) {
    if (evaluation.protocol == "dape-paper" && evaluation.scored == 0) evaluation.scored = 256;
    const auto protocol = std::find_if(protocols().begin(), protocols().end(), [&](const Protocol& known) { return known.id == evaluation.protocol; });
    if (protocol == protocols().end()) return;  // refused with the recipe
    if (!protocol->uses.scored) evaluation.scored = 0;
    if (!protocol->uses.stride) evaluation.stride = 0;
}

/// Lengths and scored tokens that fit every training length: only then all cells score the same tokens and can be paired. A task has usual
/// lengths of its own, which add() asks it for.
EvaluationSpec evaluation_for(const StudySpec& spec, const DataSpec& data) {
    EvaluationSpec evaluation = spec.evaluation;
    auto& lengths = evaluation.lengths;
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    settle(evaluation);
    if (is_task(data.source)) return evaluation;
    const std::int64_t shortest = *std::min_element(spec.lengths.begin(), spec.lengths.end());
    if (lengths.empty()) lengths = default_lengths(shortest);
    if (evaluation.scored == 0 && evaluation.protocol == "last-k") evaluation.scored = std::clamp<std::int64_t>(std::min(shortest, lengths.front()) / 2, 1, 256);
    return evaluation;
}

class Builder {
public:
    Builder(const StudySpec& spec, const std::filesystem::path& workspace) : spec_(spec), workspace_(workspace) {}

    StudyCells build() {
        for (const SchemeSpec& scheme : spec_.schemes)
            for (const std::int64_t length : spec_.lengths)
                for (const StudySize& size : spec_.sizes)
                    for (const DataSpec& data : spec_.corpora)
                        for (const std::uint64_t seed : spec_.seeds) add_plain(scheme, length, size, data, seed);
        if (!spec_.continuation.extensions.empty()) add_continuations();
        note_bases();
        check_reference();
        return std::move(out_);
    }

private:
    /// The report compares its rows with the one of this title. Without any row the other problems say why.
    void check_reference() {
        std::vector<std::string> titles;
        for (const StudyCell& cell : out_.cells) {
            if (std::find(titles.begin(), titles.end(), cell.scheme) == titles.end()) titles.push_back(cell.scheme);
        }
        if (spec_.reference.empty() || titles.empty() || std::find(titles.begin(), titles.end(), spec_.reference) != titles.end()) return;
        out_.problems.push_back(fmt::format("The study's reference is \"{}\", which is the title of no row.{}", spec_.reference, suggestion(spec_.reference, titles)));
    }

    void add_plain(const SchemeSpec& scheme, std::int64_t length, const StudySize& size, const DataSpec& data, std::uint64_t seed) {
        StudyCell cell;
        cell.scheme = scheme.name;
        cell.setting = setting_of(spec_, length, size, data);
        cell.seed = seed;
        cell.recipe = {scheme.name, scheme, size.model, data, size.training, evaluation_for(spec_, data), seed, {}};
        cell.recipe.training.length = length;
        if (spec_.lengths.size() * spec_.sizes.size() > 1 && !size.name.empty()) cell.recipe.name = scheme.name + " " + size.name;
        add(std::move(cell));
    }

    /// Cells of the study itself, or runs that were named.
    void add_continuations() {
        if (spec_.continuation.runs.empty()) {
            const std::vector<StudyCell> bases = out_.cells;
            for (const StudyCell& base : bases) continue_from(base);
            return;
        }
        std::vector<StudyCell> bases;
        for (const std::string& name : spec_.continuation.runs) {
            const auto run = find_run(workspace_, name);
            const std::string problem = run.ok() ? base_problem(run.value()) : run.error().message;
            if (!problem.empty()) {
                out_.problems.push_back(problem);
                continue;
            }
            note_namesakes(name, run.value());
            bases.push_back(named_base(run.value()));
        }
        tell_apart(bases);
        for (const StudyCell& base : bases) continue_from(base);
    }

    /// Why a named run cannot be gone on with; "" where it can.
    static std::string base_problem(const RunInfo& run) {
        if (!run.base.empty()) return fmt::format("{} uses the weights of {}; continue that run instead.", run.id, run.base.filename().string());
        if (!run.recipe_edited.value_or(false)) return "";
        return fmt::format("The recipe of the run {} was changed after it was trained, so its weights are not what it says and cannot be gone on with. Put the recipe back, or name "
                           "another run.", run.id);
    }

    static StudyCell named_base(const RunInfo& run) {
        StudyCell base;
        base.id = (run.demo ? "demo:" : "") + run.id;
        base.scheme = run.title;
        base.seed = run.recipe.seed;
        base.recipe = run.recipe;
        return base;
    }

    /// A title stands for the newest run that has it, which may be another one tomorrow.
    void note_namesakes(const std::string& name, const RunInfo& taken) {
        std::vector<std::string> ids;
        if (!taken.demo && taken.id != name && taken.title == name) {
            for (const RunInfo& run : list_runs(workspace_).value().runs) {
                if (run.title == name) ids.push_back(run.id);
            }
        }
        if (ids.size() < 2) return;
        out_.notes.push_back(fmt::format("{} runs are called \"{}\": {}. The newest is gone on with, {}; name another one by its id.", ids.size(), name, fmt::join(ids, ", "), taken.id));
    }

    void continue_from(const StudyCell& base) {
        const StudyContinuation& asked = spec_.continuation;
        for (const SchemeSpec& extension : asked.extensions) {
            for (const std::int64_t steps : asked.steps) {
                for (const std::int64_t length : asked.lengths) {
                    if (steps == 0 && length != asked.lengths.front()) continue;  // nothing is trained, so it is the same model
                    add_continued(base, extension, length, steps);
                }
            }
        }
    }

    void add_continued(const StudyCell& base, const SchemeSpec& extension, std::int64_t length, std::int64_t steps) {
        StudyCell cell;
        cell.base = base.id;
        cell.steps = steps;
        cell.seed = base.seed;
        cell.scheme = continued_title(base.scheme, extension, steps);
        if (asked_lengths() > 1 && steps > 0) cell.scheme += " at " + with_commas(length);
        cell.setting = base.setting.empty() ? fmt::format("L = {}, {}", with_commas(base.recipe.training.length), base.recipe.data.source) : base.setting;
        cell.setting += continued_words();
        try {
            cell.extension = extension_for(base.recipe.scheme, extension);
            cell.recipe = base.recipe;
            cell.recipe.scheme = continued_scheme(base.recipe.scheme, cell.extension, steps > 0);
            cell.recipe.name = cell.scheme;
            cell.recipe.evaluation = evaluation_for(spec_, cell.recipe.data);
            if (steps > 0) go_on(cell.recipe, base.recipe, length, steps);
        } catch (const Failure& failure) {
            out_.problems.push_back(fmt::format("{}: {}", cell.scheme, failure.what()));
            return;
        }
        add(std::move(cell));
    }

    /// One length stands in the heading of the table; of several, every row says its own.
    [[nodiscard]] std::string continued_words() const {
        const auto& steps = spec_.continuation.steps;
        const bool trains = std::any_of(steps.begin(), steps.end(), [](std::int64_t count) { return count > 0; });
        return trains && asked_lengths() == 1 ? ", continued at " + with_commas(spec_.continuation.lengths.front()) : ", continued";
    }

    /// With "none" and 0 steps a cell is the run of its base, read as it is: a row to compare with, and no further experiment.
    void note_bases() {
        const auto is_base = [&](const StudyCell& cell) {
            const auto same = [&](const StudyCell& other) { return other.id == cell.base; };
            return cell.steps == 0 && cell.extension.slots.empty() && std::any_of(out_.cells.begin(), out_.cells.end(), same);
        };
        const auto count = static_cast<std::int64_t>(std::count_if(out_.cells.begin(), out_.cells.end(), is_base));
        if (count == 0) return;
        out_.notes.push_back(
            fmt::format("{} with \"none\" and 0 steps {} of {} of the study itself: there to compare continuations with, trained and measured once.",
                        counted(count, "cell"), count == 1 ? "is the run" : "are the runs", count == 1 ? "another cell" : "other cells"));
    }

    [[nodiscard]] std::size_t asked_lengths() const { return spec_.continuation.lengths.size(); }

    void go_on(Recipe& recipe, const Recipe& base, std::int64_t length, std::int64_t steps) const {
        recipe.training = spec_.continuation.training;
        recipe.training.length = length;
        recipe.training.steps = steps;
        recipe.start = {training_hash(base), -1, scheme_length(base)};
        recipe.model.vocabulary = base.model.vocabulary;
    }

    /// Throws Failure(invalid_argument) for a length at which the task has no example: it would be refused once the cell is trained.
    static void settle_task_lengths(StudyCell& cell) {
        if (!measures_task(cell)) return;
        auto& lengths = cell.recipe.evaluation.lengths;
        const auto task = open_task(cell.recipe.data);
        if (lengths.empty()) lengths = task->usual_lengths(cell.recipe.training.length);
        for (const std::int64_t length : lengths) {
            if (length < task->min_length()) (void)task->example(cell.seed, 0, length);
        }
    }

    /// What holds for many cells is said once.
    void note(const std::string& sentence) {
        if (!sentence.empty() && std::find(out_.notes.begin(), out_.notes.end(), sentence) == out_.notes.end()) out_.notes.push_back(sentence);
    }

    void add(StudyCell cell) {
        const auto checked = check_recipe(cell.recipe);
        if (!checked.ok()) {
            out_.problems.push_back(fmt::format("{}: {}", cell_line(cell), checked.error().message));
            return;
        }
        cell.recipe = checked.value();
        try {
            settle_task_lengths(cell);
            if (cell.base.empty()) refuse_vocabulary(cell.recipe);
            refuse_unmeasurable(cell.recipe);
        } catch (const Failure& failure) {
            out_.problems.push_back(fmt::format("{}: {}", cell_line(cell), failure.what()));
            return;
        }
        note(unmeasured_note(cell.recipe));
        cell.id = (cell.steps == 0 ? kPlugIn : "") + training_hash(cell.recipe);
        const auto same = std::find_if(out_.cells.begin(), out_.cells.end(), [&](const StudyCell& other) { return other.id == cell.id; });
        if (same == out_.cells.end()) {
            out_.cells.push_back(std::move(cell));
        } else {
            out_.notes.push_back(fmt::format("{} and {} come to the same run, which is trained and counted once.", cell_line(*same), cell_line(cell)));
        }
    }

    const StudySpec& spec_;
    const std::filesystem::path& workspace_;
    StudyCells out_;
};

}  // namespace

StudyCells study_cells(const StudySpec& spec, const std::filesystem::path& workspace) { return Builder(spec, workspace).build(); }

bool measures_task(const StudyCell& cell) { return is_task(cell.recipe.data.source); }

std::string cell_line(const StudyCell& cell) { return fmt::format("{}, {}, seed {}", cell.scheme, cell.setting, cell.seed); }

}  // namespace lw
