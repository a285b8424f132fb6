#pragma once
/// Checks of options that the option library would otherwise bend into shape.

#include <CLI/CLI.hpp>

namespace lw::cli {

/// A whole number of 0 to 2^64 − 1. Without it "-1" wraps to the largest seed and anything larger is cut off.
[[nodiscard]] CLI::Validator seed_check();

}  // namespace lw::cli
