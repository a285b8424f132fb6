/// Stack Manipulation (deterministic context-free). A stack of bits, bottom first, then actions: 2 = pop, 3 = push 0, 4 = push 1. The
/// answer is the final stack, top first, then 2, then zeros that accuracy does not count. A pop on an empty stack does nothing.
#include "core/data/encoder_task.h"

namespace lw {
namespace {

constexpr std::int64_t kPop = 2, kPushZero = 3;

/// One bit alone, or 1 … n - 1 bits and then actions.
Symbols draw_stack_and_actions(Random& random, std::int64_t n) {
    if (n == 1) return uniform_symbols(random, 1, 2);
    const auto bits = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n - 1)));
    Symbols symbols = uniform_symbols(random, bits, 2);
    for (std::int64_t i = bits; i < n; ++i) symbols.push_back(kPop + static_cast<std::int64_t>(random.below(3)));
    return symbols;
}

Symbols final_stack(const Symbols& symbols) {
    Symbols stack;
    for (const auto symbol : symbols) {
        if (symbol < kPop) stack.push_back(symbol);
        else if (symbol >= kPushZero) stack.push_back(symbol - kPushZero);
        else if (!stack.empty()) stack.pop_back();
    }
    std::reverse(stack.begin(), stack.end());
    return ended(std::move(stack), static_cast<std::int64_t>(symbols.size()) + 1);
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& stack_manipulation() {
    static const TaskEntry entry{
        encoder_info("stack-manipulation", "Stack manipulation", "DCF",
                     "A stack of bits, bottom first, then actions: 2 takes the top away, 3 puts a 0 on it, 4 a 1. The answer is the final "
                     "stack, top first, closed by 2."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(5);
            rules.ends = true;
            rules.draw = draw_stack_and_actions;
            rules.answer = final_stack;
            rules.answer_length = [](std::int64_t n) { return n + 1; };
            return std::make_shared<EncoderTask>("stack-manipulation", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
