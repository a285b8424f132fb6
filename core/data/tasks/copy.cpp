/// Copy. Input x₁ … xₙ ; x₁ … xₙ₋₁, scored at ";" and after it: the answers are x₁ … xₙ. n = T / 2, each x uniform over the symbols.
/// Induction must reach exactly n tokens back, so it shows whether a scheme can address a far place it was not trained on.
#include "core/data/task.h"

namespace lw {
namespace {

constexpr std::int64_t kPadding = 0;
constexpr std::int64_t kSeparator = 1;
constexpr std::int64_t kFirstSymbol = 2;

class Copy final : public Task {
public:
    explicit Copy(const Params& params) : symbols_(task_integer(params, "symbols")) {
        std::vector<std::string> words{"·", ";"};
        for (auto& word : invented_words(symbols_)) words.push_back(std::move(word));
        tokenizer_ = word_tokenizer("copy", std::move(words));
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override { return 2; }
    [[nodiscard]] double chance() const override { return 1.0 / static_cast<double>(symbols_); }
    [[nodiscard]] std::int64_t padding() const override { return kPadding; }

protected:
    void fill(TaskExample& example, std::int64_t /*length*/, Random& random) const override {
        const std::size_t count = example.tokens.size() / 2;
        const std::size_t first = example.tokens.size() % 2;  // one padding token in front of an odd length
        std::vector<std::int64_t> symbols(count);
        for (auto& symbol : symbols) symbol = kFirstSymbol + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(symbols_)));
        const std::size_t separator = first + count;
        example.tokens[separator] = kSeparator;
        for (std::size_t i = 0; i < count; ++i) {
            example.tokens[first + i] = symbols[i];
            if (i + 1 < count) example.tokens[separator + 1 + i] = symbols[i];
            example.targets[separator + i] = symbols[i];
        }
    }

private:
    std::int64_t symbols_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

}  // namespace

namespace entries_of::tasks {
const TaskEntry& copy() {
    static const TaskEntry entry{
        {"copy", "Copy", "Repeat a random sequence: after the separator every token of the first half is asked for again, in order.",
         {task_integer("symbols", "Symbols", "Number of different symbols. With few, the same neighbours occur often and copying needs true positions.", 16, 2, 1024)}},
        [](const Params& params) -> std::shared_ptr<Task> { return std::make_shared<Copy>(params); }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
