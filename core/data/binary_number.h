#pragma once
/// Binary numbers of any size as their digits, the lowest first. Results have no leading zeros: 0 is {0}.

#include "core/data/encoder_task.h"

namespace lw {

/// Uniform over 1 … 2^digits - 1, written with exactly so many digits.
Symbols draw_number(Random& random, std::int64_t digits);
/// Without leading zeros.
Symbols trimmed(Symbols digits);
Symbols sum_of(const Symbols& a, const Symbols& b);
Symbols product_of(const Symbols& a, const Symbols& b);
/// floor(√a).
Symbols root_of(const Symbols& a);
/// a < b.
bool is_less(const Symbols& a, const Symbols& b);

/// The two numbers of "a 2 b"; one without a 2 is a alone, with b = 0. `big_endian`: written highest digit first.
std::pair<Symbols, Symbols> two_numbers(const Symbols& input, bool big_endian);
/// "a 2 b" of n symbols with random lengths of a and b; up to two symbols one number below 2^n - 1, as in the reference code.
Symbols draw_two_numbers(Random& random, std::int64_t n, bool big_endian);

/// An answer to "a 2 b"; `big_endian`: the order of the digits in both.
using TwoNumberAnswer = Symbols (*)(const Symbols& input, bool big_endian);
/// What tasks over two numbers share: the parameter "digits", and rules that draw and answer in that order. The answer's length is their own.
ParamSpec digit_order();
EncoderRules two_number_rules(const Params& params, TwoNumberAnswer answer);

}  // namespace lw
