#include "core/evaluation/locality.h"

#include "core/evaluation/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lw {
namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double population_variance(std::span<const double> values) {
    const double mean = mean_of(values);
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum / static_cast<double>(values.size());
}

/// softmax(row), by distance.
std::vector<double> weights_of(std::span<const double> row) {
    const double top = *std::max_element(row.begin(), row.end());
    std::vector<double> weights;
    for (const double value : row) weights.push_back(std::exp(value - top));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    return weights;
}

double expected_distance(std::span<const double> weights) {
    double moment = 0;
    for (std::size_t distance = 0; distance < weights.size(); ++distance) moment += weights[distance] * static_cast<double>(distance);
    return moment;
}

std::string classify_head(const Locality& measured, const LocalityThresholds& thresholds) {
    if (measured.rank <= -thresholds.rank && measured.contrast <= -thresholds.contrast) return "local";
    if (measured.rank >= thresholds.rank && measured.contrast >= thresholds.contrast) return "anti-local";
    // Comparisons with the NaN of a row too short to have a middle are false, so such a row stays flat.
    if (std::min(measured.near_minus_middle, measured.far_minus_middle) >= thresholds.contrast) return "U-shape";
    if (std::max(measured.near_minus_middle, measured.far_minus_middle) <= -thresholds.contrast) return "hump";
    return "flat";
}

std::vector<double> centred(std::span<const double> row) {
    std::vector<double> out(row.begin(), row.end());
    const double mean = mean_of(row);
    for (double& value : out) value -= mean;
    return out;
}

}  // namespace

Locality measure_locality(std::span<const double> row, const LocalityThresholds& thresholds) {
    Locality measured;
    if (row.size() < 2) return measured;
    const std::size_t quarter = std::max<std::size_t>(1, row.size() / 4);
    measured.quarter = static_cast<std::int64_t>(quarter);
    const double near = mean_of(row.first(quarter));
    const double far = mean_of(row.last(quarter));
    measured.contrast = far - near;
    if (row.size() > 2 * quarter) {
        const double middle = mean_of(row.subspan(quarter, row.size() - 2 * quarter));
        measured.near_minus_middle = near - middle;
        measured.far_minus_middle = far - middle;
    }
    std::vector<double> distances(row.size());
    std::iota(distances.begin(), distances.end(), 0.0);
    measured.rank = spearman(row, distances);
    const auto weights = weights_of(row);
    measured.self_weight = weights.front();
    measured.first_weight = weights.back();
    measured.expected_distance = expected_distance(weights);
    measured.locality = 1 - 2 * measured.expected_distance / static_cast<double>(row.size() - 1);
    measured.head_class = classify_head(measured, thresholds);
    return measured;
}

std::string refined_class(const Locality& measured, const LocalityThresholds& thresholds) {
    if (measured.head_class != "flat") return measured.head_class;
    if (measured.locality >= thresholds.peak && measured.self_weight >= thresholds.peak) return "spike";
    if (measured.locality <= -thresholds.peak && measured.first_weight >= thresholds.peak) return "sink";
    return measured.head_class;
}

std::vector<double> mean_curve(const std::vector<std::vector<double>>& rows) {
    if (rows.empty()) return {};
    std::vector<double> mean(rows.front().size(), 0.0);
    for (const std::vector<double>& row : rows) {
        const std::vector<double> shifted = centred(row);
        for (std::size_t n = 0; n < mean.size(); ++n) mean[n] += shifted.at(n);
    }
    for (double& value : mean) value /= static_cast<double>(rows.size());
    return mean;
}

Locality measure_locality(const std::vector<std::vector<double>>& rows, const LocalityThresholds& thresholds) {
    const std::vector<double> mean = mean_curve(rows);
    Locality measured = measure_locality(std::span<const double>(mean), thresholds);
    if (rows.size() < 2 || mean.size() < 2) return measured;
    std::vector<double> spread(mean.size(), 0.0);  // population variance over sequences at each distance
    for (const std::vector<double>& row : rows) {
        const std::vector<double> shifted = centred(row);
        for (std::size_t n = 0; n < mean.size(); ++n) spread[n] += (shifted[n] - mean[n]) * (shifted[n] - mean[n]);
    }
    const double variance = mean_of(spread) / static_cast<double>(rows.size());
    const double curve = population_variance(mean);
    measured.adaptivity = curve > 0 ? std::sqrt(variance / curve) : 0;
    return measured;
}

double entropy(std::span<const double> probabilities) {
    double sum = 0;
    for (const double p : probabilities) {
        if (p > 0) sum -= p * std::log(p);
    }
    return sum;
}

double mass_beyond(std::span<const double> probabilities, std::int64_t distance) {
    const auto keys = static_cast<std::int64_t>(probabilities.size());
    const std::int64_t far = std::clamp<std::int64_t>(keys - 1 - distance, 0, keys);  // keys j < i - distance
    const auto begin = probabilities.begin();
    return std::accumulate(begin, begin + far, 0.0);
}

double root_mean_square(std::span<const double> values) {
    if (values.empty()) return 0;
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace lw
