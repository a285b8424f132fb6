/// Modular Arithmetic (Simple) (regular). Digits 0 … 4 with + - * between them; the answer is the value modulo 5, * before + and -.
/// An even length is taken as the odd one below it.
#include "core/data/encoder_task.h"

namespace lw {
namespace {

constexpr std::int64_t kModulus = 5;
constexpr std::int64_t kPlus = 5, kMinus = 6, kTimes = 7;

std::int64_t odd_length(std::int64_t length) { return length % 2 == 0 ? length - 1 : length; }

Symbols draw_alternating(Random& random, std::int64_t length) {
    Symbols symbols = uniform_symbols(random, odd_length(length), kModulus);
    for (std::size_t i = 1; i < symbols.size(); i += 2) symbols[i] = kPlus + static_cast<std::int64_t>(random.below(3));
    return symbols;
}

/// One pass: `product` is the term that is being read, with its sign.
Symbols value(const Symbols& symbols) {
    std::int64_t sum = 0, product = symbols.front();
    for (std::size_t i = 1; i + 1 < symbols.size(); i += 2) {
        const std::int64_t digit = symbols[i + 1];
        if (symbols[i] == kTimes) {
            product = product * digit % kModulus;
        } else {
            sum += product;
            product = symbols[i] == kMinus ? kModulus - digit : digit;
        }
    }
    return {(sum + product) % kModulus};
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& modular_arithmetic_simple() {
    static const TaskEntry entry{
        encoder_info("modular-arithmetic-simple", "Modular arithmetic (simple)", "R",
                     "A sum of products of digits, taken modulo 5; multiplication goes first. An even length is taken as the odd one below it."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = {"0", "1", "2", "3", "4", "+", "-", "*"};
            rules.chance = 0.2;
            rules.input_length = odd_length;
            rules.draw = draw_alternating;
            rules.answer = value;
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("modular-arithmetic-simple", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
