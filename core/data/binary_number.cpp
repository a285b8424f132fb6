#include "core/data/binary_number.h"

namespace lw {
namespace {

constexpr std::int64_t kSeparator = 2;

/// a - b of digits; a is not less than b.
Symbols difference(Symbols a, const Symbols& b) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] -= (i < b.size() ? b[i] : 0) + borrow;
        borrow = a[i] < 0 ? 1 : 0;
        a[i] += 2 * borrow;
    }
    return trimmed(std::move(a));
}

/// digits · 2 + low.
Symbols shifted(Symbols digits, std::int64_t low) {
    digits.insert(digits.begin(), low);
    return trimmed(std::move(digits));
}

/// 0 … 2^n - 2 as n digits: the reference code never draws the greatest number.
Symbols draw_short(Random& random, std::int64_t n) {
    auto number = static_cast<std::int64_t>(random.below((std::uint64_t{1} << static_cast<std::uint64_t>(n)) - 1));
    Symbols digits;
    for (std::int64_t i = 0; i < n; ++i, number /= 2) digits.push_back(number % 2);
    return digits;
}

}  // namespace

Symbols draw_number(Random& random, std::int64_t digits) {
    for (;;) {
        Symbols number = uniform_symbols(random, digits, 2);
        if (std::find(number.begin(), number.end(), 1) != number.end()) return number;
    }
}

Symbols trimmed(Symbols digits) {
    while (digits.size() > 1 && digits.back() == 0) digits.pop_back();
    return digits;
}

Symbols sum_of(const Symbols& a, const Symbols& b) {
    Symbols sum;
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        carry += (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0);
        sum.push_back(carry % 2);
        carry /= 2;
    }
    sum.push_back(carry);
    return trimmed(std::move(sum));
}

Symbols product_of(const Symbols& a, const Symbols& b) {
    Symbols product(a.size() + b.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
    }
    std::int64_t carry = 0;
    for (auto& digit : product) {
        carry += digit;
        digit = carry % 2;
        carry /= 2;
    }
    return trimmed(std::move(product));
}

bool is_less(const Symbols& a, const Symbols& b) {
    for (std::size_t i = std::max(a.size(), b.size()); i-- > 0;) {
        const std::int64_t left = i < a.size() ? a[i] : 0, right = i < b.size() ? b[i] : 0;
        if (left != right) return left < right;
    }
    return false;
}

/// Digit by digit as on paper: two digits of a come down, and the next digit of the root is 1 where (4 root + 1) fits into the rest.
Symbols root_of(const Symbols& a) {
    Symbols root{0}, rest{0};
    for (std::size_t pair = (a.size() + 1) / 2; pair-- > 0;) {
        rest = shifted(std::move(rest), 2 * pair + 1 < a.size() ? a[2 * pair + 1] : 0);
        rest = shifted(std::move(rest), a[2 * pair]);
        const Symbols trial = shifted(shifted(root, 0), 1);
        const bool fits = !is_less(rest, trial);
        if (fits) rest = difference(std::move(rest), trial);
        root = shifted(std::move(root), fits ? 1 : 0);
    }
    return root;
}

std::pair<Symbols, Symbols> two_numbers(const Symbols& input, bool big_endian) {
    const auto separator = std::find(input.begin(), input.end(), kSeparator);
    Symbols a(input.begin(), separator), b{0};
    if (separator != input.end()) b.assign(separator + 1, input.end());
    if (big_endian) {
        std::reverse(a.begin(), a.end());
        std::reverse(b.begin(), b.end());
    }
    return {trimmed(std::move(a)), trimmed(std::move(b))};
}

Symbols draw_two_numbers(Random& random, std::int64_t n, bool big_endian) {
    if (n <= 2) {
        Symbols one = draw_short(random, n);
        if (big_endian) std::reverse(one.begin(), one.end());
        return one;
    }
    const std::int64_t first = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n - 2)));
    Symbols a = draw_number(random, first), b = draw_number(random, n - 1 - first);
    if (big_endian) {
        std::reverse(a.begin(), a.end());
        std::reverse(b.begin(), b.end());
    }
    a.push_back(kSeparator);
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

ParamSpec digit_order() {
    return task_choice("digits", "Order of the digits", "code: the lowest digit first, as the published code has it. paper: the highest first, as in the paper's example.",
                       {"code", "paper"});
}

EncoderRules two_number_rules(const Params& params, TwoNumberAnswer answer) {
    EncoderRules rules;
    rules.words = digit_words(3);
    rules.ends = true;
    const bool big_endian = task_chooses(params, "digits", "paper");
    rules.draw = [big_endian](Random& random, std::int64_t n) { return draw_two_numbers(random, n, big_endian); };
    rules.answer = [answer, big_endian](const Symbols& input) { return answer(input, big_endian); };
    return rules;
}

}  // namespace lw
