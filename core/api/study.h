#pragma once
/// Studies: schemes x seeds x training lengths x sizes x corpora with one evaluation plan, as a queue of runs that survives a restart.
///
/// A study is a folder studies/<id>/ of a workspace that holds study.json; its runs are ordinary runs of that workspace, and how far it is
/// follows from them. docs/studies.md describes the file and the numbers of the report.

#include "core/api/evaluation.h"
#include "core/api/runs.h"

#include <cstdint>
#include <optional>

namespace lw {

/// One size of the model, with the training settings that belong to it (its learning rate, its batch). training.length comes from the study.
struct StudySize {
    std::string name;
    ModelSpec model;
    TrainingSpec training;
};

/// Trained runs that go on at a longer length with a scheme changed by plug-in methods: every run x extension x length x number of steps.
struct StudyContinuation {
    std::vector<std::string> runs;       ///< ids, titles or "demo:<id>"; empty = the cells of the study itself
    std::vector<SchemeSpec> extensions;  ///< slots that are put over the run's own, or a whole preset; without slots = the scheme as it is
    std::vector<std::int64_t> lengths;   ///< to train at; with 0 steps only the first is used, as nothing is trained
    std::vector<std::int64_t> steps;     ///< 0 = plug-in: the weights as they are
    TrainingSpec training;               ///< of the further steps; length and steps come from the lists
};

struct StudySpec {
    std::string name;                    ///< its folder's name follows from it
    std::vector<SchemeSpec> schemes;
    std::vector<std::uint64_t> seeds = {1};
    std::vector<std::int64_t> lengths;   ///< L
    std::vector<StudySize> sizes;        ///< at least one
    std::vector<DataSpec> corpora;       ///< at least one
    EvaluationSpec evaluation;           ///< the same places for all: lengths and scored tokens are resolved for the shortest L
    StudyContinuation continuation;
    std::string reference;               ///< scheme with which the others are compared; "" = all pairs
    std::string test = "welch";          ///< welch | paired: the test over seeds that Holm's correction is applied to
    std::string published;               ///< id of a set of published values to show beside; "" = none
};

/// Reads study JSON as strictly as recipes are: a misspelt key is refused with the right one. Schemes may be names of presets.
Result<StudySpec> parse_study(const std::string& json, const std::filesystem::path& workspace = {});
Result<StudySpec> read_study(const std::filesystem::path& file, const std::filesystem::path& workspace = {});
/// Pretty-printed JSON; what has its default is left out.
[[nodiscard]] std::string study_json(const StudySpec& spec);

/// One run of a study.
struct StudyCell {
    std::string id;              ///< training_hash() of its recipe; "plug-in-" before it where nothing is trained
    std::string scheme;          ///< title, of a continuation with extension and number of steps: "RoPE + YaRN, 100 steps"
    std::string setting;         ///< what it shares with the cells it is compared with: "L = 128, small, en-prose"
    std::uint64_t seed = 1;
    Recipe recipe;               ///< checked
    std::string base{};          ///< id of the cell, or name of the run, that it goes on with
    std::int64_t steps = -1;     ///< of a continuation; 0 = plug-in, -1 = trained from the beginning
    SchemeSpec extension{};      ///< of a continuation
    std::string state = "waiting";  ///< waiting | blocked (its base is not there yet) | running (a program works on it) | stopped (goes on from
                                    ///< a checkpoint) | trained (to be measured) | finished | failed | diverged
    std::string message{};       ///< why it failed or is blocked
    std::string run{};           ///< id of its run; "" = none yet
    std::filesystem::path folder{};
    std::int64_t step = 0;       ///< trained so far
    std::int64_t priority = 0;   ///< higher ones first
};

struct StudyStatus {
    StudySpec spec;
    std::filesystem::path folder;       ///< of the study
    std::vector<StudyCell> cells;       ///< in the order of the lists, duplicates left out
    bool running = false;               ///< a program works on it
    bool paused = false;
    std::vector<std::string> problems;  ///< what must be mended before it can start: a missing corpus, a recipe that is refused
    std::vector<std::string> notes;     ///< what a reader should know: duplicates, one seed only, changed recipes, lengths that will be left out
    [[nodiscard]] std::int64_t count(const std::string& state) const;
};

/// What is left to do, for the start and for a progress bar.
struct StudyEstimate {
    double seconds = 0;               ///< training and measuring, on the CPU; 0 = unknown
    std::int64_t bytes = 0;           ///< of the cell that needs most memory
    std::int64_t bytes_available = 0;
    std::string largest;              ///< that cell
    std::vector<double> cell_seconds; ///< in the order of the cells; 0 for finished ones
};

/// A study's id, which is the folder studies/<id>: the letters and digits of its name, in lower case, with one dash for whatever is between them, 60
/// bytes at most. "" for a name without a letter or digit of ASCII, which no study can have.
[[nodiscard]] std::string study_folder_name(const std::string& name);
/// Writes studies/<id>/study.json of the workspace; one of that name is replaced, and its runs stay. Returns the id. Errors: invalid_argument
/// (no name, no cells), io.
Result<std::string> add_study(const std::filesystem::path& workspace, const StudySpec& spec);
/// The same for a file as a person wrote it, which is kept word for word.
Result<std::string> add_study_file(const std::filesystem::path& workspace, const std::filesystem::path& file);
/// Ids of the workspace's studies.
Result<std::vector<std::string>> list_studies(const std::filesystem::path& workspace);
/// How far it is, from the runs of the workspace. Errors: not_found with the nearest, corrupt_file.
Result<StudyStatus> study_status(const std::filesystem::path& workspace, const std::string& id);
/// The same for a spec that was not added yet.
Result<StudyStatus> preview_study(const std::filesystem::path& workspace, const StudySpec& spec);
Result<StudyEstimate> estimate_study(const StudyStatus& status, const std::string& device = "cpu");

struct StudyHooks {
    std::function<void(const StudyStatus&)> on_status;  ///< at the start and whenever a cell changed its state
    std::function<void(const StudyCell&, const Evaluation&)> on_point;  ///< one more length of a cell was measured
    TrainHooks training;                                ///< of the cell in work
};
/// Works on the cells until all are finished or failed. Stopped or paused: the cell in work keeps its checkpoint or its lengths, and the status
/// is returned, not an error. A cell that fails is marked and the others go on; a full disk stops everything. Errors: invalid_argument with
/// all problems of the status; unavailable where another program works on it.
Result<StudyStatus> run_study(const std::filesystem::path& workspace, const std::string& id, const RunContext& context = {}, const StudyHooks& hooks = {});

/// Asks the program that works on it to stop after saving; run_study() clears it.
Status pause_study(const std::filesystem::path& workspace, const std::string& id);
/// Priorities lie between this and its negative: far more than any order of cells needs.
inline constexpr std::int64_t kLargestPriority = 1'000'000;
/// `cell`: id, or its beginning. Higher priorities come first; invalid_argument beyond kLargestPriority to either side.
Status prioritise_cell(const std::filesystem::path& workspace, const std::string& id, const std::string& cell, std::int64_t priority);
/// A failed or diverged cell is tried again by the next run_study(), from its last checkpoint where it has one.
Status retry_cell(const std::filesystem::path& workspace, const std::string& id, const std::string& cell);

}  // namespace lw
