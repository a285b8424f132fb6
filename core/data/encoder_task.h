#pragma once
/// The frame of the Chomsky-hierarchy benchmark (Delétang et al. 2023, arXiv 2207.02098): n input symbols, then as many placeholders as the
/// answer has symbols. One forward pass answers at the placeholders; nothing is fed back. All answer symbols are trained; where an answer
/// ends with the symbol 2, accuracy counts it up to that one.

#include "core/data/task.h"

#include <functional>

namespace lw {

/// Numbers of the reference code: inputs count from 0 in its alphabet, answers are classes. [n]
using Symbols = std::vector<std::int64_t>;

struct EncoderRules {
    std::vector<std::string> words{};                          ///< how the symbols 0, 1, … are written; classes are the first of them
    double chance = 0.5;
    bool ends = false;                                         ///< the answer ends at its first 2
    std::function<Symbols(Random&, std::int64_t)> draw{};      ///< an input of a length
    std::function<Symbols(const Symbols&)> answer{};           ///< of any input that draw() can give
    std::function<std::int64_t(std::int64_t)> answer_length{}; ///< from the length
    std::function<std::int64_t(std::int64_t)> input_length{};  ///< none = the length
};

class EncoderTask final : public Task {
public:
    EncoderTask(const std::string& id, EncoderRules rules);
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override { return 1; }
    [[nodiscard]] double chance() const override { return rules_.chance; }
    [[nodiscard]] std::int64_t padding() const override { return static_cast<std::int64_t>(rules_.words.size()); }
    [[nodiscard]] std::int64_t sequence_length(std::int64_t length) const override { return input_length(length) + rules_.answer_length(length); }
    [[nodiscard]] bool one_length_per_batch() const override { return true; }
    [[nodiscard]] std::vector<std::int64_t> usual_lengths(std::int64_t train_length) const override;
    [[nodiscard]] std::int64_t shown_length() const override { return 9; }
    [[nodiscard]] Symbols answer(const Symbols& input) const { return rules_.answer(input); }
    /// Which symbols of an answer accuracy counts; empty = all.
    [[nodiscard]] std::vector<bool> counted(const Symbols& answer) const;
    /// The symbols of a text of one-character words. Throws Failure(invalid_argument) for a character that the task does not have.
    [[nodiscard]] Symbols symbols_of(const std::string& text) const;

protected:
    void fill(TaskExample& example, std::int64_t length, Random& random) const override;

private:
    [[nodiscard]] std::int64_t input_length(std::int64_t length) const { return rules_.input_length ? rules_.input_length(length) : length; }

    EncoderRules rules_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

/// What the catalogue says of such a task, with the benchmark's own training lengths and batch.
TaskInfo encoder_info(const std::string& id, const std::string& name, const std::string& complexity, const std::string& summary, std::vector<ParamSpec> params = {});
/// n symbols, each uniform over 0 … count - 1.
Symbols uniform_symbols(Random& random, std::int64_t n, std::int64_t count);
/// "0", "1", …
std::vector<std::string> digit_words(std::int64_t count);
/// For tasks that answer with one symbol.
inline std::int64_t one_answer(std::int64_t /*length*/) { return 1; }
/// For tasks that answer with as many symbols as the input has.
inline std::int64_t as_many_answers(std::int64_t length) { return length; }
/// An answer closed by the symbol 2 and filled up with zeros to `length` symbols.
Symbols ended(Symbols answer, std::int64_t length);

}  // namespace lw
