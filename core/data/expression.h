#pragma once
/// Arithmetic expressions modulo 5 as text, for the tasks of the Chomsky-hierarchy benchmark.

#include "core/data/random.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lw {

constexpr std::int64_t kModulus = 5;

/// Exactly n characters: d, -d, (d), (-d), else (L op R) with a uniform length of L; op is one of `operators`.
std::string draw_expression(Random& random, std::int64_t n, std::string_view operators);
/// 0 … 4; * goes before + and -. Throws Failure(invalid_argument) where it is no expression.
std::int64_t value_of(std::string_view expression);

}  // namespace lw
