#pragma once
/// Checks of options that the option library would otherwise bend into shape.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lw::cli {

/// A whole number of 0 to 2^64 − 1. Without it "-1" wraps to the largest seed and anything larger is cut off.
[[nodiscard]] CLI::Validator seed_check();

/// A whole number within bounds, said in one sentence; the library's own check does not see numbers that are too large to be read.
[[nodiscard]] CLI::Validator whole_number_check(std::int64_t low, std::int64_t high);

/// Millimetres of a figure: 20 to 2,000, and 0 where the content may choose. A comparison with bounds alone would let "nan" pass.
[[nodiscard]] CLI::Validator millimetre_check(bool zero_chooses);

/// Dots per inch of a PNG, 36 to 1,200: before anything is computed for the picture.
[[nodiscard]] CLI::Validator resolution_check();

/// A number within bounds, said in one sentence. A comparison with bounds alone would let "nan" pass.
[[nodiscard]] CLI::Validator number_check(double low, double high);

/// Something rather than nothing: an empty text would pass for one that was not given.
[[nodiscard]] CLI::Validator filled_check();

/// A file that can be written: its name has one of these endings (none given: any), no folder has its name, and no file stands where its
/// folder would be. Known before hours of computing, not after.
[[nodiscard]] CLI::Validator output_check(const std::vector<std::string>& endings = {});
/// The endings of figures, for output_check().
[[nodiscard]] std::vector<std::string> figure_endings();

}  // namespace lw::cli
