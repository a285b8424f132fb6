#include "core/data/expression.h"

#include "core/api/result.h"

#include <fmt/format.h>

namespace lw {
namespace {

/// Recursive descent: sum = term {(+ | -) term}, term = factor {* factor}, factor = digit | - factor | ( sum ).
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::int64_t whole() {
        const std::int64_t value = sum();
        if (at_ != text_.size()) refuse();
        return value;
    }

private:
    [[noreturn]] void refuse() const {
        throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is no expression: it breaks off at character {}.", text_, at_ + 1));
    }
    bool takes(char c) {
        const bool here = at_ < text_.size() && text_[at_] == c;
        at_ += here ? 1 : 0;
        return here;
    }
    std::int64_t sum() {
        std::int64_t value = term();
        for (;;) {
            if (takes('+')) value += term();
            else if (takes('-')) value += kModulus - term();
            else return value % kModulus;
        }
    }
    std::int64_t term() {
        std::int64_t value = factor();
        while (takes('*')) value = value * factor() % kModulus;
        return value;
    }
    std::int64_t factor() {
        if (takes('-')) return (kModulus - factor()) % kModulus;
        if (takes('(')) {
            const std::int64_t value = sum();
            if (!takes(')')) refuse();
            return value;
        }
        if (at_ >= text_.size() || text_[at_] < '0' || text_[at_] >= '0' + kModulus) refuse();
        return text_[at_++] - '0';
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::string draw_expression(Random& random, std::int64_t n, std::string_view operators) {
    if (n < 5) {
        const std::string digit(1, static_cast<char>('0' + static_cast<int>(random.below(static_cast<std::uint64_t>(kModulus)))));
        const std::string forms[] = {digit, "-" + digit, "(" + digit + ")", "(-" + digit + ")"};
        return forms[n - 1];
    }
    const std::int64_t left = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n - 4)));
    std::string text = "(" + draw_expression(random, left, operators);
    text += operators[random.below(operators.size())];
    return text + draw_expression(random, n - 3 - left, operators) + ")";
}

std::int64_t value_of(std::string_view expression) { return Reader(expression).whole(); }

}  // namespace lw
