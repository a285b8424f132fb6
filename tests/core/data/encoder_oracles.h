#pragma once
/// Answers of the Chomsky-hierarchy tasks, found another way than the generators find them: by counting, by index, by rewriting texts.

#include "tests/core/data/decimal_numbers.h"

#include "core/data/encoder_task.h"

#include <map>

namespace lw::test {

/// Right or wrong: some oracles check an answer rather than find it. `paper`: the other convention of tasks that have two.
using Oracle = bool (*)(const Symbols& input, const Symbols& answer, bool paper);

inline std::int64_t count(const Symbols& symbols, std::int64_t symbol) { return std::count(symbols.begin(), symbols.end(), symbol); }
inline std::int64_t mod5(std::int64_t value) { return (value % 5 + 5) % 5; }
inline Symbols reversed(Symbols symbols) {
    std::reverse(symbols.begin(), symbols.end());
    return symbols;
}

inline std::string text_of(const Symbols& symbols, const std::string& alphabet) {
    std::string text;
    for (const auto symbol : symbols) text += alphabet.at(static_cast<std::size_t>(symbol));
    return text;
}

/// One operation on two digits, modulo 5.
inline char applied(char a, char operation, char b) {
    const std::int64_t x = a - '0', y = b - '0';
    return static_cast<char>('0' + mod5(operation == '+' ? x + y : operation == '-' ? x - y : x * y));
}

/// Rewrites "d op d" from the left, products first, until one digit is left.
inline std::string without_operators(std::string text) {
    for (const char* operators : {"*", "+-"}) {
        for (std::size_t at; (at = text.find_first_of(operators)) != std::string::npos;) text.replace(at - 1, 3, 1, applied(text.at(at - 1), text[at], text.at(at + 1)));
    }
    return text;
}

/// Rewrites "-d" at the beginning or after an operator to the digit it is modulo 5.
inline std::string without_signs(std::string text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '-' && (i == 0 || std::string("+-*").find(text[i - 1]) != std::string::npos)) text.replace(i, 2, 1, static_cast<char>('0' + mod5('0' - text[i + 1])));
    }
    return text;
}

/// Rewrites the first innermost brackets until there are none.
inline std::int64_t rewritten(std::string text) {
    for (std::size_t close; (close = text.find(')')) != std::string::npos;) {
        const std::size_t open = text.rfind('(', close);
        const std::string inner = without_operators(without_signs(text.substr(open + 1, close - open - 1)));
        if (inner.size() != 1) return -1;
        text = text.substr(0, open) + inner + text.substr(close + 1);
    }
    text = without_operators(without_signs(text));
    return text.size() == 1 ? text[0] - '0' : -1;
}

inline bool solves(const Symbols& input, const Symbols& answer, bool /*paper*/) {
    if (input.size() < 3) return answer == Symbols{0} && count(input, 0) == static_cast<std::int64_t>(input.size());
    const std::string text = text_of(input, "01234+-*()x=");
    if (text[text.size() - 2] != '=' || std::count(text.begin(), text.end(), 'x') != 1) return false;
    Symbols found;
    for (std::int64_t x = 0; x < 5; ++x) {
        std::string left = text.substr(0, text.size() - 2);
        left[left.find('x')] = static_cast<char>('0' + x);
        if (rewritten(left) == text.back() - '0') found.push_back(x);
    }
    return found == answer;  // exactly one digit solves it
}

/// From the last symbol to the first: a pop takes the next bit that comes.
inline bool is_final_stack(const Symbols& input, const Symbols& answer, bool /*paper*/) {
    std::int64_t pops = 0;
    Symbols stack;
    for (const auto symbol : reversed(input)) {
        if (symbol == 2) ++pops;
        else if (pops > 0) --pops;
        else stack.push_back(symbol % 3);  // 3 and 4 push what 0 and 1 are
    }
    stack.push_back(2);
    stack.resize(input.size() + 1, 0);
    return stack == answer;
}

inline bool is_missing(const Symbols& input, const Symbols& answer, bool /*paper*/) {
    if (input.size() == 1) return input == Symbols{1} && answer == Symbols{1};
    Symbols whole = input;
    if (whole.size() % 2 == 1 && whole.back() == 3) whole.pop_back();
    if (count(whole, 2) != 1) return false;
    *std::find(whole.begin(), whole.end(), 2) = answer.at(0);
    const auto half = static_cast<std::ptrdiff_t>(whole.size() / 2);
    return whole.size() % 2 == 0 && std::equal(whole.begin(), whole.begin() + half, whole.begin() + half);
}

inline bool is_odds_first(const Symbols& input, const Symbols& answer, bool paper) {
    const std::size_t n = input.size(), first = paper ? (n + 1) / 2 : n / 2;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t place = k < first ? 2 * k + (paper ? 0 : 1) : 2 * (k - first) + (paper ? 1 : 0);
        if (answer.at(k) != input[place]) return false;
    }
    return answer.size() == n;
}

/// The digits of a number of the input or the answer, highest first.
inline Symbols highest_first(const Symbols& digits, bool paper) { return paper ? digits : reversed(digits); }

/// Numbers around the 2, and the answer before its 2 without leading zeros; behind it zeros only.
inline bool is_calculated(const Symbols& input, const Symbols& answer, bool paper, bool product) {
    const auto separator = std::find(input.begin(), input.end(), 2), end = std::find(answer.begin(), answer.end(), 2);
    if (end == answer.end() || count(Symbols(end + 1, answer.end()), 0) != answer.end() - end - 1) return false;
    if (product && input.size() <= 2) return end - answer.begin() == static_cast<std::ptrdiff_t>(input.size()) - 1 && count(answer, 1) == 0;
    const Decimal a = Decimal::of_binary(highest_first(Symbols(input.begin(), separator), paper));
    const Decimal b = separator == input.end() ? Decimal() : Decimal::of_binary(highest_first(Symbols(separator + 1, input.end()), paper));
    const Symbols digits = highest_first(Symbols(answer.begin(), end), paper);
    return (digits.front() == 1 || digits.size() == 1) && Decimal::of_binary(digits) == (product ? a * b : a + b);
}
inline bool is_sum(const Symbols& input, const Symbols& answer, bool paper) { return is_calculated(input, answer, paper, false); }
inline bool is_product(const Symbols& input, const Symbols& answer, bool paper) { return is_calculated(input, answer, paper, true); }

/// r² <= n < (r + 1)², or rounded (r - 1) r < n <= r (r + 1).
inline bool is_root(const Symbols& input, const Symbols& answer, bool paper) {
    const Decimal number = Decimal::of_binary(input), r = Decimal::of_binary(answer), next = r + Decimal(1);
    if (number == Decimal()) return false;
    if (!paper) return !(number < r * r) && number < next * next;
    return r * r < number + r && !(r * next < number);
}

inline const std::map<std::string, Oracle>& oracles() {
    static const std::map<std::string, Oracle> all{
        {"even-pairs", [](const Symbols& in, const Symbols& out, bool) { return out == Symbols{in.front() == in.back() ? 0 : 1}; }},
        {"modular-arithmetic-simple", [](const Symbols& in, const Symbols& out, bool) { return out == Symbols{rewritten(text_of(in, "01234+-*"))}; }},
        {"parity-check", [](const Symbols& in, const Symbols& out, bool) { return out == Symbols{count(in, 1) % 2}; }},
        {"cycle-navigation",
         [](const Symbols& in, const Symbols& out, bool paper) { return out == Symbols{mod5(paper ? count(in, 1) - count(in, 2) : count(in, 2) - count(in, 0))}; }},
        {"stack-manipulation", is_final_stack},
        {"reverse-string", [](const Symbols& in, const Symbols& out, bool) { return reversed(in) == out; }},
        {"modular-arithmetic-brackets", [](const Symbols& in, const Symbols& out, bool) { return out == Symbols{rewritten(text_of(in, "01234+-*()"))}; }},
        {"solve-equation", solves},
        {"duplicate-string",
         [](const Symbols& in, const Symbols& out, bool) {
             for (std::size_t i = 0; i < out.size(); ++i)
                 if (out[i] != in[i % in.size()]) return false;
             return out.size() == 2 * in.size();
         }},
        {"missing-duplicate-string", is_missing},
        {"odds-first", is_odds_first},
        {"binary-addition", is_sum},
        {"binary-multiplication", is_product},
        {"compute-sqrt", is_root},
        {"bucket-sort",
         [](const Symbols& in, const Symbols& out, bool) {
             Symbols sorted;
             for (std::int64_t digit = 0; digit < 5; ++digit) sorted.insert(sorted.end(), static_cast<std::size_t>(count(in, digit)), digit);
             return sorted == out;
         }}};
    return all;
}

}  // namespace lw::test
