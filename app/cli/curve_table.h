#pragma once
/// Curves as a table for people: what compare and extensions print.

#include "core/api/evaluation.h"

namespace lw::cli {

/// Perplexity of every line at every length.
[[nodiscard]] std::string curve_table(const CurveSet& curves);

}  // namespace lw::cli
