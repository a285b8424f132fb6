/// Arithmetic chains. A digit, then as many steps "+ d" or "- d" as the length allows, all modulo m: "3 + 4 - 9 = 8". Longer texts are longer
/// chains, and each step builds on the one before. Asked at the end, or after every step, where the running value then stands in the text
/// like a note (a chain of thought), so that each answer needs the last few tokens only.
#include "core/data/task.h"

#include <string_view>

namespace lw {
namespace {

class ArithmeticChain final : public Task {
public:
    explicit ArithmeticChain(const Params& params)
        : modulus_(task_integer(params, "modulus")), every_(task_chooses(params, "asked", "every")),
          operators_(task_chooses(params, "operators", "products") ? "+-*" : "+-") {
        std::vector<std::string> words;
        for (std::int64_t value = 0; value < modulus_; ++value) words.push_back(std::to_string(value));
        for (const char* word : {"+", "-", "*", "=", "·"}) words.emplace_back(word);
        tokenizer_ = word_tokenizer("arithmetic-chain", std::move(words));
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override { return 4; }  // 3 + 4 =
    [[nodiscard]] double chance() const override { return 1.0 / static_cast<double>(modulus_); }
    [[nodiscard]] std::int64_t padding() const override { return equals() + 1; }

protected:
    /// What is left over of the length is padding in front, so that the last token is always a question.
    void fill(TaskExample& example, std::int64_t length, Random& random) const override {
        const std::int64_t step = every_ ? 4 : 2, steps = every_ ? length / 4 : (length - 2) / 2;
        auto at = static_cast<std::size_t>(every_ ? length % 4 : (length - 2) % 2);
        std::int64_t running = digit(random);
        example.tokens[at++] = running;
        for (std::int64_t i = 0; i < steps; ++i, at += static_cast<std::size_t>(step)) {
            const char operation = operators_[random.below(operators_.size())];
            const std::int64_t operand = digit(random);
            running = applied(running, operation, operand);
            example.tokens[at] = modulus_ + static_cast<std::int64_t>(std::string_view("+-*").find(operation));
            example.tokens[at + 1] = operand;
            if (!every_ && i + 1 < steps) continue;
            example.tokens[at + 2] = equals();
            example.targets[at + 2] = running;
            if (i + 1 < steps) example.tokens[at + 3] = running;
        }
    }

private:
    [[nodiscard]] std::int64_t equals() const { return modulus_ + 3; }
    [[nodiscard]] std::int64_t digit(Random& random) const { return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(modulus_))); }
    [[nodiscard]] std::int64_t applied(std::int64_t value, char operation, std::int64_t operand) const {
        if (operation == '+') return (value + operand) % modulus_;
        if (operation == '-') return (value + modulus_ - operand) % modulus_;
        return value * operand % modulus_;
    }

    std::int64_t modulus_;
    bool every_;
    std::string_view operators_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

TaskInfo info() {
    return {"arithmetic-chain", "Arithmetic chain", "A chain of additions and subtractions modulo m, as long as the text: what is its value at the end, or after every step?",
            {task_integer("modulus", "Modulus", "All values are taken modulo this number.", 10, 2, 100),
             task_choice("asked", "Asked", "end: the value of the whole chain. every: the running value after every step, which then stands in the text.", {"end", "every"}),
             task_choice("operators", "Operators", "sums: + and -. products: * as well; a factor 0 then forgets the chain before it.", {"sums", "products"})}};
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& arithmetic_chain() {
    static const TaskEntry entry{info(), [](const Params& params) -> std::shared_ptr<Task> { return std::make_shared<ArithmeticChain>(params); }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
