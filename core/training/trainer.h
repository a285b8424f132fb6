#pragma once
/// The training loop of one run: owns model and optimiser, writes checkpoints, log and run.json, and can stop and go on exactly.

#include "core/api/runs.h"
#include "core/data/batch_source.h"
#include "core/model/transformer.h"
#include "core/storage/run_folder.h"
#include "core/training/checkpoints.h"

#include <chrono>

namespace lw {

class Trainer {
public:
    /// `recipe` resolved, with its vocabulary; `record` as it stands in run.json.
    Trainer(RunFolder folder, Recipe recipe, RunRecord record, std::shared_ptr<const BatchSource> batches, RunContext context, TrainHooks hooks);

    /// Compares training and evaluation loss on the first batch and keeps both. Throws Failure(internal) where they differ.
    void check_losses();
    /// Begins with these weights instead of drawn ones, and keeps them as the checkpoint of step 0, from which a run that is killed before its
    /// first training state begins again. Before check_losses(). Throws Failure(corrupt_file) where they do not fit the model.
    void start_from(const std::map<std::string, at::Tensor>& weights);
    /// Takes weights, moments and counters from the newest checkpoint.
    void restore();
    /// Trains to the last step or until stopped; the record says which.
    void run();
    /// After an exception of run(): the record says "failed" and why, and which step is saved.
    void note_failure(const std::string& message);

    [[nodiscard]] const RunRecord& record() const { return record_; }
    [[nodiscard]] Transformer& model() { return *model_; }

private:
    void loop();
    /// One update; false when stopped half-way: a step is done whole or not at all.
    bool step();
    /// Loss over the micro-batches of this step, gradients left in the parameters; undefined when stopped.
    at::Tensor accumulate();
    /// Validation, log, checkpoint and map, where due. Stopped while validating, it leaves state_.pending.
    void after_step(LogWriter& log);
    std::optional<double> validate();
    void note_validation(double loss);
    void log_step(const std::optional<double>& validation, LogWriter& log);
    void save();
    void prune();
    void draw_map();
    void report();
    void refuse_unusable();
    [[nodiscard]] Batch to_device(Batch batch) const;
    [[nodiscard]] bool due(std::int64_t every) const { return state_.step % every == 0 || state_.step == recipe_.training.steps; }

    RunFolder folder_;
    Recipe recipe_;
    RunRecord record_;
    std::shared_ptr<const BatchSource> batches_;
    RunContext context_;
    TrainHooks hooks_;
    std::shared_ptr<Transformer> model_;
    std::unique_ptr<AdamW> optimiser_;
    TrainingState state_;
    std::int64_t saved_step_ = -1;       ///< of the training state on the disk
    std::int64_t saved_best_step_ = -1;  ///< the best step that this state knows
    double rate_seconds_ = 0;            ///< spent in steps since the last log line
    std::int64_t rate_tokens_ = 0;
    std::int64_t read_tokens_ = 0;  ///< by this trainer, in `read_batches_`: a task's batches differ in length
    std::int64_t read_batches_ = 0;
    double tokens_per_second_ = 0;
};

}  // namespace lw
