#include "core/position/temperature_alignment.h"

#include "core/api/result.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

struct Measure {
    const char* id;
    double (*of)(const at::Tensor& log_weights);  ///< [.., r, c] -> mean over rows
    bool rises;                                   ///< with the temperature
};

double max_probability(const at::Tensor& log_weights) { return log_weights.amax(-1).exp().mean().item<double>(); }
double entropy(const at::Tensor& log_weights) { return -(log_weights.exp() * log_weights.masked_fill(log_weights.isneginf(), 0)).sum(-1).mean().item<double>(); }

constexpr Measure kMeasures[] = {{"max_probability", max_probability, false}, {"entropy", entropy, true}};

const Measure& measure_by(const std::string& id) {
    for (const auto& measure : kMeasures) {
        if (id == measure.id) return measure;
    }
    throw Failure(ErrorKind::invalid_argument, fmt::format("There is no sharpness measure \"{}\"; choose max_probability or entropy.", id));
}

double value_at(const Measure& measure, const at::Tensor& logits, double t) { return measure.of(at::log_softmax(logits.to(at::kDouble) / t, -1)); }

}  // namespace

double mean_sharpness(const at::Tensor& logits, double t, const std::string& measure) { return value_at(measure_by(measure), logits, t); }

double aligned_temperature(const at::Tensor& trained_logits, const at::Tensor& long_logits, const std::string& measure) {
    const auto& chosen = measure_by(measure);
    const double target = value_at(chosen, trained_logits, 1);
    const auto too_warm = [&](double t) { return (value_at(chosen, long_logits, t) > target) == chosen.rises; };
    double low = std::log(1e-3), high = std::log(1e3);
    if (too_warm(std::exp(low)) || !too_warm(std::exp(high))) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("No temperature between 0.001 and 1000 gives the long text's {} the value {:g}.", measure, target));
    }
    for (int step = 0; step < 100; ++step) {
        const double middle = (low + high) / 2;
        (too_warm(std::exp(middle)) ? high : low) = middle;
    }
    return std::exp((low + high) / 2);
}

}  // namespace lw
