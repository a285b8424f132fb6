#include "core/position/projection.h"

#include <ATen/ATen.h>

namespace lw {

at::Tensor projected(const at::Tensor& parameter, double low, std::optional<double> high, bool training) {
    const auto upper = high ? std::optional<at::Scalar>(*high) : std::nullopt;
    const auto bounded = parameter.detach().clamp(low, upper);
    // Through data(): the values change without counting as an in-place operation on a tensor that backward still needs.
    if (training && parameter.requires_grad()) parameter.data().copy_(bounded);
    return bounded + (parameter - parameter.detach());
}

}  // namespace lw
