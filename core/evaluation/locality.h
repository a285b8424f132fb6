#pragma once
/// How local a head is: measures of a row b(δ), δ = 0..i, of score terms against distance. Torch-free.
///
/// The row's mean is taken off first, since softmax ignores it. With q = max(1, floor((i + 1) / 4)) entries a quarter:
///   C  contrast    mean of the farthest quarter minus mean of the nearest quarter, nats
///   ρ  rank        Spearman's correlation of b with δ
///   λ  locality    1 - 2 E[δ] / i under softmax(b): +1 all on the token itself, 0 uniform, -1 all on the first token
///   A  adaptivity  sqrt(mean over δ of the variance over sequences) / standard deviation over δ of the mean curve

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace lw {

struct LocalityThresholds {
    double rank = 0.5;
    double contrast = 0.25;
    double peak = 0.5;  ///< of sink and spike: least softmax weight of the end, and least |λ|
};

struct Locality {
    double contrast = 0;
    double rank = 0;
    double locality = 0;
    double adaptivity = std::numeric_limits<double>::quiet_NaN();  ///< with one row nothing is known about others
    double expected_distance = 0;
    double self_weight = 0;   ///< softmax(b) at δ = 0, the token itself
    double first_weight = 0;  ///< softmax(b) at δ = i, the first token
    std::int64_t quarter = 0;  ///< entries in an end quarter
    /// Mean of an end quarter minus mean of what lies between the quarters; NaN when nothing does.
    double near_minus_middle = std::numeric_limits<double>::quiet_NaN();
    double far_minus_middle = std::numeric_limits<double>::quiet_NaN();
    std::string head_class = "flat";  ///< "local" | "anti-local" | "U-shape" | "hump" | "flat"
};

/// The class with two more names for rows that the rule calls flat. One value far above all others hardly moves the quarters' means and
/// the ranks of a long row, while nearly all of softmax(b) lies on it:
///   sink   flat otherwise, λ <= -peak, and the first token holds at least `peak` of softmax(b)
///   spike  flat otherwise, λ >= peak, and the token itself does
[[nodiscard]] std::string refined_class(const Locality& measured, const LocalityThresholds& thresholds = {});

/// One row, indexed by distance: row[0] is the token itself.
[[nodiscard]] Locality measure_locality(std::span<const double> row, const LocalityThresholds& thresholds = {});
/// Rows of equal length from several sequences: measures of their mean curve, and adaptivity.
[[nodiscard]] Locality measure_locality(const std::vector<std::vector<double>>& rows, const LocalityThresholds& thresholds = {});
/// Mean over sequences of the rows, each without its own mean.
[[nodiscard]] std::vector<double> mean_curve(const std::vector<std::vector<double>>& rows);

/// Of a probability row, nats; 0 log 0 = 0.
[[nodiscard]] double entropy(std::span<const double> probabilities);
/// Mass on keys farther than `distance` from the query; probabilities[j] over keys j = 0..i, the query being the last.
[[nodiscard]] double mass_beyond(std::span<const double> probabilities, std::int64_t distance);
[[nodiscard]] double root_mean_square(std::span<const double> values);

}  // namespace lw
