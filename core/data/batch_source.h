#pragma once
/// Where training and validation batches come from. Stateless: batch n is a function of (seed, n), so resuming needs no state.

#include "core/api/context.h"
#include "core/api/recipe.h"
#include "core/data/tokenizer.h"

#include <ATen/core/Tensor.h>

namespace lw {

/// tokens, targets [B, T] int64; target -100 is not scored. A task may make T differ from the length asked for (core/data/task.h).
struct Batch {
    at::Tensor tokens;
    at::Tensor targets;
    at::Tensor counted{};  ///< [B, T] bool: which of a task's answers accuracy counts; undefined = all that are scored
};

class BatchSource {
public:
    virtual ~BatchSource() = default;
    virtual Batch training_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const = 0;
    /// Batch `index` of a fixed validation set.
    virtual Batch validation_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const = 0;
    [[nodiscard]] virtual std::shared_ptr<const Tokenizer> tokenizer() const = 0;
};

/// Opens the data of a recipe: fetches nothing; trains or loads the cached tokenizer; tokenises into memory-mapped cached files.
/// Throws Failure: corpus absent (says how to fetch it), too short for the asked length (says how long it is), empty or binary text.
/// Give the run's own tokenizer when a run goes on, so that its tokens keep their meaning even when the texts have changed.
std::shared_ptr<const BatchSource> open_batches(const DataSpec& data, std::uint64_t seed, std::int64_t length,
                                                const std::shared_ptr<const Tokenizer>& tokenizer = nullptr, const RunContext& context = {});
/// The tokenizer that open_batches makes: the task's own, bytes, or BPE trained on the training split and cached.
std::shared_ptr<const Tokenizer> open_tokenizer(const DataSpec& data, const RunContext& context = {});

/// One document's tokens, for evaluation and maps.
struct Document {
    std::string id;
    std::string split;
    std::int64_t bytes = 0;
    std::string warning;  ///< "3 bytes of notes.txt are not UTF-8 and replaced by U+FFFD", "" = none
    std::span<const std::int32_t> tokens;  ///< memory-mapped; valid as long as the DocumentSet lives
};

class DocumentSet {
public:
    virtual ~DocumentSet() = default;
    [[nodiscard]] virtual const std::vector<Document>& documents() const = 0;
};
/// The documents of a data source under a given tokenizer (that of a run).
std::shared_ptr<const DocumentSet> open_documents(const std::string& source, const std::shared_ptr<const Tokenizer>& tokenizer,
                                                  const RunContext& context = {});

}  // namespace lw
