#pragma once
/// Synthetic tasks. Adding one: core/data/tasks/<file>.cpp and one line LW_ENTRY(<file>) in tasks/entries.def.

#include "core/api/text.h"
#include "core/data/batch_source.h"
#include "core/data/random.h"

#include <algorithm>

namespace lw {

/// One sequence; targets[t] is what the model should say at tokens[t], -100 where nothing is asked.
struct TaskExample {
    std::vector<std::int64_t> tokens;   ///< [T]
    std::vector<std::int64_t> targets;  ///< [T]
    std::vector<bool> counted{};        ///< [T] answers that accuracy counts, of those that are trained; empty = all
    std::int64_t depth = -1;            ///< which of Task::depths() what is asked for stands at
};

class Task {
public:
    virtual ~Task() = default;
    [[nodiscard]] virtual std::shared_ptr<const Tokenizer> tokenizer() const = 0;
    /// Shortest sequence that can hold the task.
    [[nodiscard]] virtual std::int64_t min_length() const = 0;
    /// Share of right answers of a guesser that knows which tokens can be answers.
    [[nodiscard]] virtual double chance() const = 0;
    /// Token that fills up shorter sequences.
    [[nodiscard]] virtual std::int64_t padding() const = 0;
    /// Tokens of an example of a length.
    [[nodiscard]] virtual std::int64_t sequence_length(std::int64_t length) const { return length; }
    /// Whether the sequences of a batch must be equally long because padding would be read.
    [[nodiscard]] virtual bool one_length_per_batch() const { return false; }
    /// Depths at which what is asked for may stand, 0 … 1; none where that is no question.
    [[nodiscard]] virtual std::vector<double> depths() const { return {}; }
    /// Lengths at which a model trained up to `train_length` is measured when nobody names others.
    [[nodiscard]] virtual std::vector<std::int64_t> usual_lengths(std::int64_t train_length) const;
    /// A length whose example a person can take in at a glance.
    [[nodiscard]] virtual std::int64_t shown_length() const { return std::max<std::int64_t>(min_length(), 16); }
    /// A function of its arguments alone, sequence_length(length) tokens. Throws Failure(invalid_argument) below min_length().
    [[nodiscard]] TaskExample example(std::uint64_t seed, std::uint64_t index, std::int64_t length) const;
    /// "task:copy", for messages.
    [[nodiscard]] const std::string& source() const { return source_; }
    /// Whether training sequences have mixed lengths up to L (the rest is padding that is not scored).
    [[nodiscard]] bool mixes_lengths() const { return mixes_lengths_; }

protected:
    /// tokens and targets arrive with sequence_length() entries: padding and -100.
    virtual void fill(TaskExample& example, std::int64_t length, Random& random) const = 0;

private:
    friend std::shared_ptr<const Task> open_task(const DataSpec& data);
    std::string source_;
    bool mixes_lengths_ = true;
};

struct TaskEntry {
    TaskInfo info;
    std::shared_ptr<Task> (*make)(const Params&);  ///< gets complete, checked parameters
};

[[nodiscard]] bool is_task(const std::string& source);  ///< begins with "task:"
[[nodiscard]] const std::vector<const TaskEntry*>& task_entries();
/// From DataSpec::source and DataSpec::task. Throws Failure: unknown task or parameter (with the nearest), value out of bounds.
std::shared_ptr<const Task> open_task(const DataSpec& data);
/// Tokens of the longest sequence that training at a length reads: the length itself but for tasks whose answers come after their input.
std::int64_t trained_tokens(const DataSpec& data, std::int64_t length);
/// What positional methods take for the training length: trained_tokens(), or the length that the weights were first trained with where the
/// recipe goes on with those of another run. Scalings count from there.
std::int64_t scheme_length(const Recipe& recipe);
/// Missing parameters filled with their defaults; unknown names, wrong types and values out of bounds refused.
Params check_task_params(const TaskInfo& info, const Params& given);
/// Examples of equally long sequences as tensors.
Batch batch_of(const std::vector<TaskExample>& examples);
std::shared_ptr<const BatchSource> task_batches(std::shared_ptr<const Task> task, std::uint64_t seed, std::int64_t length);

/// A tokenizer that is a list of words, written with spaces between them.
std::shared_ptr<const Tokenizer> word_tokenizer(const std::string& task, std::vector<std::string> words);
/// From the content of a tokenizer.json of kind "task". Throws Failure(corrupt_file) naming `origin`.
std::shared_ptr<const Tokenizer> read_word_tokenizer(const std::string& json, const std::string& origin);
/// Different words of two syllables ("bado", "keli"), in a fixed order; at most 4,900.
std::vector<std::string> invented_words(std::int64_t count, std::int64_t skip = 0);

/// An integer parameter of a task.
ParamSpec task_integer(const std::string& id, const std::string& label, const std::string& help, std::int64_t default_value, double min, double max);
std::int64_t task_integer(const Params& params, const std::string& id);
/// One of several words, the first of which is the default.
ParamSpec task_choice(const std::string& id, const std::string& label, const std::string& help, std::vector<std::string> choices);
[[nodiscard]] bool task_chooses(const Params& params, const std::string& id, const std::string& choice);

}  // namespace lw
