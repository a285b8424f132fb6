#pragma once
/// The folder of one run: recipe.json, run.json, log.jsonl, checkpoints/, evaluations/. docs/file_formats.md describes every file.

#include "core/api/runs.h"
#include "core/storage/file_lock.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw {

/// The same batch through the training path and through the evaluation path, before the first step.
struct LossCheck {
    double training = 0;
    double evaluation = 0;
};

/// run.json: what is known about a run besides its recipe.
struct RunRecord {
    std::string status = "running";  ///< "running" | "finished" | "stopped" | "failed"
    std::string message;             ///< why it failed
    std::int64_t step = 0;
    std::int64_t parameters = 0;
    std::int64_t best_step = -1;     ///< -1 = not validated yet
    double best_loss = 0;            ///< nats per token on the validation set
    std::string recipe_hash;
    std::string recipe{};            ///< recipe.json as it was when it trained; "" in runs of earlier versions
    std::string device = "cpu";
    std::string precision = "fp32";
    std::int64_t threads = 0;
    std::uint64_t seed = 0;
    std::string program_version, torch_version;
    std::string attention;           ///< the path that trained, and why
    std::string created, updated;    ///< UTC, ISO 8601
    double seconds = 0;              ///< spent training, over all sittings
    std::optional<LossCheck> loss_check;
    bool diverged = false;           ///< failed because loss or gradient was no finite number any more
    bool packed = false;             ///< a copy with weights only, which cannot go on
    std::string base{};              ///< an extended run: "demo:<id>", a neighbour's id or a path of the run whose weights it uses
};

class RunFolder {
public:
    explicit RunFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
    [[nodiscard]] std::filesystem::path recipe_file() const { return folder_ / "recipe.json"; }
    [[nodiscard]] std::filesystem::path record_file() const { return folder_ / "run.json"; }
    [[nodiscard]] std::filesystem::path log_file() const { return folder_ / "log.jsonl"; }
    [[nodiscard]] std::filesystem::path checkpoint_folder() const { return folder_ / "checkpoints"; }
    [[nodiscard]] std::filesystem::path evaluation_folder() const { return folder_ / "evaluations"; }
    [[nodiscard]] std::filesystem::path weights_file(std::int64_t step) const;  ///< checkpoints/step-0000250.safetensors
    [[nodiscard]] std::filesystem::path state_file(std::int64_t step) const;    ///< checkpoints/training_state-0000250.safetensors

    /// Steps with weights, ascending.
    [[nodiscard]] std::vector<std::int64_t> weight_steps() const;
    /// Steps with weights and a training state, ascending: those a run can go on from.
    [[nodiscard]] std::vector<std::int64_t> resumable_steps() const;
    [[nodiscard]] std::vector<std::string> evaluation_names() const;

    /// `updated` is set to now. Throws Failure(io).
    void write_record(RunRecord record) const;
    /// Throws Failure(not_found / corrupt_file).
    [[nodiscard]] RunRecord read_record() const;

private:
    std::filesystem::path folder_;
};

/// Now, UTC, ISO 8601.
std::string timestamp();

/// Held while a run is being trained, so that no second program trains it, and so that a run whose program died can be told
/// from one that is at work. Released by the system when the process ends, however it ends.
class RunLock {
public:
    /// Throws Failure(unavailable) when another program (or another job of this one) trains this run. Whoever only looks whether it is held
    /// takes it for a moment: so it is tried for 100 ms.
    explicit RunLock(const RunFolder& folder);
    /// Whether somebody holds the lock now.
    static bool held(const RunFolder& folder);

private:
    FileLock lock_;
};

/// Appends lines to log.jsonl, each with one write, so that a crash loses at most the last line.
class LogWriter {
public:
    /// Keeps the lines up to `last_step` of an earlier sitting: later ones will be computed again.
    LogWriter(const RunFolder& folder, std::int64_t last_step);
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;
    ~LogWriter();
    void append(const LogPoint& point);

private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

/// A torn last line is left out; any other bad line throws Failure(corrupt_file) naming it. No file: no points.
std::vector<LogPoint> read_log_file(const std::filesystem::path& file);

}  // namespace lw
