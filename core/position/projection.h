#pragma once
/// Learned parameters that must stay inside bounds.

#include <ATen/core/Tensor.h>

#include <optional>

namespace lw {

/// The parameter clamped to [low, high]; the gradient passes as if it were inside, so that a parameter on the bound can leave it.
/// While training, the stored values are moved to the bounds as well (projected gradient descent).
at::Tensor projected(const at::Tensor& parameter, double low, std::optional<double> high, bool training);

}  // namespace lw
