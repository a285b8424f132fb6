/// Modular Arithmetic (deterministic context-free). Nested brackets around two operands each; the answer is the value modulo 5.
#include "core/data/encoder_task.h"
#include "core/data/expression.h"

namespace lw {
namespace {

constexpr std::string_view kAlphabet = "01234+-*()";

std::string text_of(const Symbols& symbols) {
    std::string text;
    for (const auto symbol : symbols) text += kAlphabet[static_cast<std::size_t>(symbol)];
    return text;
}

Symbols draw(Random& random, std::int64_t n) {
    Symbols symbols;
    for (const char c : draw_expression(random, n, "+-*")) symbols.push_back(static_cast<std::int64_t>(kAlphabet.find(c)));
    return symbols;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& modular_arithmetic_brackets() {
    static const TaskEntry entry{
        encoder_info("modular-arithmetic-brackets", "Modular arithmetic (brackets)", "DCF",
                     "An expression of digits with + - * and a pair of brackets around every two operands, taken modulo 5."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = {"0", "1", "2", "3", "4", "+", "-", "*", "(", ")"};
            rules.chance = 0.2;
            rules.draw = draw;
            rules.answer = [](const Symbols& symbols) { return Symbols{value_of(text_of(symbols))}; };
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("modular-arithmetic-brackets", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
