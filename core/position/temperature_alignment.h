#pragma once
/// Finds the temperature of attention alignment (slot "temperature", t5-alignment) from measured logits.

#include <ATen/core/Tensor.h>

#include <string>

namespace lw {

/// t so that softmax(long_logits / t) is as sharp in the mean over its rows as softmax(trained_logits). Logits [.., r, c], -inf where
/// hidden. `measure`: "max_probability" or "entropy" (nats). Throws Failure(invalid_argument) for another one, or when no t between
/// 0.001 and 1000 gives it.
double aligned_temperature(const at::Tensor& trained_logits, const at::Tensor& long_logits, const std::string& measure);
/// That mean over rows of softmax(logits / t).
double mean_sharpness(const at::Tensor& logits, double t, const std::string& measure);

}  // namespace lw
