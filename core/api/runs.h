#pragma once
/// Workspace, runs and training. A run is a folder; see docs/file_formats.md.

#include "core/api/context.h"
#include "core/api/maps.h"
#include "core/api/recipe.h"

#include <optional>

namespace lw {

struct CheckpointInfo {
    std::int64_t step = 0;
    std::filesystem::path file;
    bool best = false;
};

struct RunInfo {
    std::string id;                ///< folder name
    std::filesystem::path folder;
    Recipe recipe;
    std::string title;             ///< recipe.name or the scheme's name
    std::string status;            ///< "finished" | "running" | "stopped" | "failed"
    std::string message;           ///< why it failed
    std::int64_t step = 0;         ///< last logged step
    std::int64_t parameters = 0;
    double best_loss = 0;          ///< best validation loss in nats per token, 0 = none yet
    std::vector<CheckpointInfo> checkpoints;  ///< ascending by step
    std::vector<std::string> evaluations;     ///< file names in evaluations/
    bool demo = false;             ///< comes with the program, read-only
    bool diverged = false;         ///< failed because its loss or gradient was no finite number any more
    std::string trained_hash{};    ///< recipe hash of the recipe it was trained by, which recipe.json may have been changed from
    std::optional<bool> recipe_edited{};  ///< recipe.json says something else than what was trained, titles and evaluation apart; nothing = not known (earlier runs)
    std::filesystem::path base{};  ///< the run whose weights an extended run uses; empty for runs with weights of their own
};

[[nodiscard]] std::filesystem::path default_workspace();
/// Runs that come with the program.
[[nodiscard]] std::vector<RunInfo> demo_runs();
/// All readable runs of a workspace, oldest first; folders that cannot be read are named in `problems`.
struct RunList {
    std::vector<RunInfo> runs;
    std::vector<std::string> problems;
};
Result<RunList> list_runs(const std::filesystem::path& workspace);
Result<RunInfo> read_run(const std::filesystem::path& folder);
/// A run by its folder's path, "demo:<id>", id or title. The workspace goes before the demo runs, and of several runs with the title asked for
/// the newest is meant. Unknown: not_found with the nearest.
Result<RunInfo> find_run(const std::filesystem::path& workspace, const std::string& name);
/// Removes a run folder of the workspace (never a demo run), also one whose files cannot be read.
Status delete_run(const std::filesystem::path& folder);
/// What delete_run() would refuse it for: a demo run, one being trained, one whose weights others use; OK where it would not.
Status check_deletable(const std::filesystem::path& folder);

/// One line of log.jsonl.
struct LogPoint {
    std::int64_t step = 0;
    double loss = 0;  ///< nats per token
    double rate = 0;
    double gradient_norm = 0;
    double tokens_per_second = 0;
    std::optional<double> validation_loss;
};
Result<std::vector<LogPoint>> read_log(const std::filesystem::path& run);

/// A tile of the model being trained, for the live map.
struct LiveMapRequest {
    std::int64_t every = 10;  ///< steps; 0 = never
    std::int64_t layer = 0;
    std::int64_t head = 0;
    ScorePart part = ScorePart::probability;
};

struct TrainHooks {
    std::function<void(const RunInfo&)> on_start;      ///< the run folder exists
    std::function<void(const LogPoint&)> on_log;
    std::function<void(const MapTile&)> on_map;
    std::function<LiveMapRequest()> live_map;          ///< asked once per step, so that a person can change head while training
    std::int64_t log_every = 10;
};

/// Trains into a new folder of the workspace. Cancelled: what was computed is kept (a checkpoint is written), status "stopped",
/// and the RunInfo is returned, not an error.
Result<RunInfo> train(const Recipe& recipe, const std::filesystem::path& workspace, const RunContext& context = {},
                      const TrainHooks& hooks = {});
/// Goes on from the last checkpoint, bit for bit as the uninterrupted run (same machine, same threads). A finished run is returned as it is.
/// Errors: invalid_argument for a demo run; not_found for a packed copy, which holds weights only.
Result<RunInfo> resume(const std::filesystem::path& run, const RunContext& context = {}, const TrainHooks& hooks = {});

/// One layer's learned values of a trained run, as the curves of a preview.
struct RunPreview {
    EncodingPreview preview;
    std::string title;        ///< of the run
    std::int64_t step = 0;    ///< of the checkpoint
    std::int64_t layer = 0;   ///< 0-based
    std::int64_t layers = 0;
    bool differs_by_layer = false;  ///< false: what is drawn is the same in every layer
};
/// preview_scheme() with the weights of the run's checkpoint `step` (-1 = best, else last) in layer `layer`. Scheme, heads, head width and
/// training length are the run's own; of the request only length, points, map_cells and seed count. Errors: invalid_argument for a layer that
/// is not there, with the bounds; not_found (no such checkpoint); corrupt_file.
Result<RunPreview> preview_run(const std::filesystem::path& run, std::int64_t step, std::int64_t layer, const PreviewRequest& request = {});

/// Puts plug-in methods into a trained run: a new run of the workspace that uses the other's weights with a scheme extended as
/// extend_scheme() says, and can be evaluated, drawn and compared like any run. It cannot be trained on. Refuses an empty extension, what
/// a trained model cannot take, and a run that is an extension itself.
Result<RunInfo> extend_run(const std::filesystem::path& run, const SchemeSpec& extension, const std::filesystem::path& workspace);
/// The run that extend_run() made of the same run with the same extension before; nothing when there is none in the workspace.
Result<std::optional<RunInfo>> find_extended_run(const std::filesystem::path& run, const SchemeSpec& extension, const std::filesystem::path& workspace);

/// A small copy of a run for sharing: recipe, log, tokenizer, evaluations, and the best (else last) checkpoint as float16 without
/// optimiser state. `target` must not exist yet.
Result<RunInfo> pack_run(const std::filesystem::path& run, const std::filesystem::path& target);

struct GenerateRequest {
    std::filesystem::path run;
    std::int64_t step = -1;  ///< -1 = best checkpoint, else last
    std::string prompt;
    std::int64_t tokens = 128;
    double temperature = 0.8;  ///< 0 = greedy
    std::int64_t top_k = 0;    ///< 0 = off
    double top_p = 1.0;
    std::uint64_t seed = 1;
    bool cache = true;         ///< key/value cache; same text either way
    std::function<void(const std::string&)> on_text;  ///< newly decoded text as it comes
};
struct Generated {
    std::string text;
    std::int64_t prompt_tokens = 0;
    std::int64_t tokens = 0;
    double tokens_per_second = 0;
};
Result<Generated> generate(const GenerateRequest& request, const RunContext& context = {});

}  // namespace lw
