/// Solve Equation (deterministic context-free). A bracketed expression in which x stands for one digit, "=" and its value modulo 5; the
/// answer is x. Lengths below 3 hold no equation: zeros, answer 0. The reference code has + and - only, so x is unique; the paper's example
/// row has a product. With products, only equations with exactly one solution are drawn.
#include "core/data/encoder_task.h"
#include "core/data/expression.h"

namespace lw {
namespace {

constexpr std::string_view kAlphabet = "01234+-*()x=";
constexpr std::string_view kDigits = "01234";

/// All digits that make the equation true.
std::string solutions(const std::string& equation) {
    const std::size_t equals = equation.find('=');
    if (equals == std::string::npos || equation.find('x') >= equals) throw Failure(ErrorKind::invalid_argument, "\"" + equation + "\" is no equation in x.");
    std::string found;
    for (const char digit : kDigits) {
        std::string left = equation.substr(0, equals);
        left[equation.find('x')] = digit;
        if (value_of(left) == value_of(equation.substr(equals + 1))) found += digit;
    }
    return found;
}

/// From a random place on, cyclically, the first digit becomes x.
std::string equation_of(Random& random, std::int64_t n, std::string_view operators) {
    std::string text = draw_expression(random, n - 2, operators);
    const std::int64_t value = value_of(text);
    std::size_t place = random.below(text.size());
    while (kDigits.find(text[place]) == std::string_view::npos) place = (place + 1) % text.size();
    text[place] = 'x';
    return text + "=" + std::to_string(value);
}

Symbols draw_equation(Random& random, std::int64_t n, std::string_view operators) {
    if (n < 3) return Symbols(static_cast<std::size_t>(n), 0);
    std::string equation = equation_of(random, n, operators);
    while (operators.size() > 2 && solutions(equation).size() != 1) equation = equation_of(random, n, operators);
    Symbols symbols;
    for (const char c : equation) symbols.push_back(static_cast<std::int64_t>(kAlphabet.find(c)));
    return symbols;
}

Symbols solution(const Symbols& symbols) {
    if (symbols.size() < 3) return {0};
    std::string equation;
    for (const auto symbol : symbols) equation += kAlphabet[static_cast<std::size_t>(symbol)];
    const std::string found = solutions(equation);
    if (found.empty()) throw Failure(ErrorKind::invalid_argument, "\"" + equation + "\" has no solution.");
    return {found.front() - '0'};
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& solve_equation() {
    static const TaskEntry entry{
        encoder_info("solve-equation", "Solve equation", "DCF", "A bracketed expression with one digit replaced by x equals a digit modulo 5: what is x?",
                     {task_choice("operators", "Operators",
                                  "code: + and -, as the published code has it. paper: products as well, as in the paper's "
                                  "example; only equations with one solution are used.", {"code", "paper"})}),
        [](const Params& params) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = {"0", "1", "2", "3", "4", "+", "-", "*", "(", ")", "x", "="};
            rules.chance = 0.2;
            const std::string_view operators = task_chooses(params, "operators", "paper") ? "+-*" : "+-";
            rules.draw = [operators](Random& random, std::int64_t n) { return draw_equation(random, n, operators); };
            rules.answer = solution;
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("solve-equation", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
