#pragma once
/// A run's model from one of its checkpoints, ready to use: the one place where runs become Transformers.

#include "core/api/runs.h"
#include "core/data/tokenizer.h"
#include "core/model/transformer.h"

namespace lw {

struct LoadedModel {
    RunInfo run;
    std::int64_t step = 0;
    std::shared_ptr<Transformer> model;  ///< evaluation mode, float32, on the asked device
    std::shared_ptr<const Tokenizer> tokenizer;
};

/// step -1: the best checkpoint, else the last. Throws Failure: not_found (no checkpoint), corrupt_file, unavailable (device).
LoadedModel load_model(const std::filesystem::path& run, std::int64_t step, const std::string& device);

/// What is said of a run without checkpoints: one that has finished had them, and training on brings none back.
[[nodiscard]] Failure no_checkpoint(const RunInfo& run);

}  // namespace lw
