#pragma once
/// How far the tables of a scheme reach, known without making its modules.

#include "core/api/scheme.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

/// A table that ends before the text does.
struct PastTable {
    std::string what;    ///< "Learned has a table of 128 positions (Learned in slot input), and 1,024 tokens need 1,024"
    std::string advice;  ///< "choose shorter lengths, or give the table more "rows""
};

/// Whether a text of `length` tokens has positions past a bounded table (MethodInfo::claims "bounded-table") of the checked scheme, trained at
/// `train_length` tokens; nothing where it has none. A position map counts as it does outside training; one that reads the text is taken to
/// stay inside.
[[nodiscard]] std::optional<PastTable> past_table(const SchemeSpec& scheme, std::int64_t train_length, std::int64_t length);

}  // namespace lw
