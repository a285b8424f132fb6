#pragma once
/// Checkpoints of a run in training: weights, and what else an exact continuation needs.

#include "core/model/transformer.h"
#include "core/storage/run_folder.h"
#include "core/training/adamw.h"

#include <set>

namespace lw {

/// Everything besides weights and moments that the next step depends on. There is no state of a random generator here: a batch is
/// a function of (seed, index), and whatever a step draws comes from a generator seeded with (seed, step).
struct TrainingState {
    std::int64_t step = 0;       ///< updates done
    std::int64_t best_step = -1;
    double best_loss = 0;
    double loss_sum = 0;         ///< over the steps since the last log line
    std::int64_t loss_count = 0;
    double seconds = 0;
    double last_loss = 0;        ///< of the last update
    double last_norm = 0;        ///< gradient norm of the last update
    bool pending = false;        ///< stopped while validating after the last update: that validation is still to be done
};

/// Weights with format, recipe hash and step in the metadata.
void save_weights(const RunFolder& folder, Transformer& model, const std::string& recipe_hash, std::int64_t step);
/// The training state is written after the weights of the same step: a state always has its weights.
void save_state(const RunFolder& folder, const AdamW& optimiser, const std::string& recipe_hash, const TrainingState& state);

/// Loads the newest readable pair of weights and state. Throws Failure: not_found (no pair), corrupt_file (foreign or of another recipe).
TrainingState load_training(const RunFolder& folder, Transformer& model, AdamW& optimiser, const std::string& recipe_hash);

/// Removes weights that are neither in `kept` nor among the newest `newest` periodic ones (step divisible by `every`; 0 = keep all),
/// and every state but the one of `state_step`.
struct PruneRule {
    std::set<std::int64_t> kept;
    std::int64_t newest = 3;
    std::int64_t every = 250;
    std::int64_t state_step = 0;
};
void prune_checkpoints(const RunFolder& folder, const PruneRule& rule);

}  // namespace lw
