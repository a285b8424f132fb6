/// Batches of task examples. Example n is a function of (seed, n, length), so neither the order of batches nor their size changes it.
#include "core/data/task.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

namespace lw {
namespace {

constexpr std::uint64_t kValidationSeed = 0x76616C6964ULL;  // the same examples for every run, whatever its seed

/// Row of a contiguous [B, T] tensor.
template <class Value>
Value* row_of(const at::Tensor& tensor, std::int64_t row) {
    return tensor.mutable_data_ptr<Value>() + row * tensor.size(1);
}

/// Fills one row; what the example does not reach stays as it is.
void put(Batch& batch, std::int64_t row, const TaskExample& example) {
    std::copy(example.tokens.begin(), example.tokens.end(), row_of<std::int64_t>(batch.tokens, row));
    std::copy(example.targets.begin(), example.targets.end(), row_of<std::int64_t>(batch.targets, row));
    if (example.counted.empty()) return;
    if (!batch.counted.defined()) batch.counted = at::full(batch.tokens.sizes(), true, at::kBool);  // [B, T]
    std::copy(example.counted.begin(), example.counted.end(), row_of<bool>(batch.counted, row));
}

Batch padded(std::int64_t rows, std::int64_t tokens, std::int64_t padding) {
    return {at::full({rows, tokens}, padding, at::kLong), at::full({rows, tokens}, -100, at::kLong)};  // [B, T] each
}

class TaskBatches final : public BatchSource {
public:
    TaskBatches(std::shared_ptr<const Task> task, std::uint64_t seed) : task_(std::move(task)), seed_(seed) {}

    Batch training_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const override {
        return collect(seed_, index, batch, length, task_->mixes_lengths());
    }
    /// Padding behind a sequence costs nothing and L is the hardest length; where a batch has one length, all lengths are validated.
    Batch validation_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const override {
        return collect(kValidationSeed, index, batch, length, task_->mixes_lengths() && task_->one_length_per_batch());
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return task_->tokenizer(); }

private:
    [[nodiscard]] Batch collect(std::uint64_t seed, std::int64_t index, std::int64_t rows, std::int64_t length, bool mixed) const {
        const bool together = task_->one_length_per_batch();
        const std::int64_t common = together && mixed ? drawn_length(seed, index, length) : length;
        Batch result = padded(rows, task_->sequence_length(common), task_->padding());
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t number = index * rows + row;
            const std::int64_t own = mixed && !together ? drawn_length(seed, number, length) : common;
            put(result, row, task_->example(seed, static_cast<std::uint64_t>(number), own));
        }
        return result;
    }
    /// Uniform from the shortest possible length to `length`.
    [[nodiscard]] std::int64_t drawn_length(std::uint64_t seed, std::int64_t number, std::int64_t length) const {
        const std::int64_t shortest = std::min(task_->min_length(), length);
        return shortest + static_cast<std::int64_t>(Random(~seed, static_cast<std::uint64_t>(number)).below(static_cast<std::uint64_t>(length - shortest + 1)));
    }

    std::shared_ptr<const Task> task_;
    std::uint64_t seed_;
};

}  // namespace

Batch batch_of(const std::vector<TaskExample>& examples) {
    Batch batch = padded(static_cast<std::int64_t>(examples.size()), static_cast<std::int64_t>(examples.front().tokens.size()), 0);
    for (std::size_t row = 0; row < examples.size(); ++row) put(batch, static_cast<std::int64_t>(row), examples[row]);
    return batch;
}

std::shared_ptr<const BatchSource> task_batches(std::shared_ptr<const Task> task, std::uint64_t seed, std::int64_t length) {
    static_cast<void>(task->example(seed, 0, length));  // too short a length is refused here, not at the first step
    return std::make_shared<TaskBatches>(std::move(task), seed);
}

}  // namespace lw
