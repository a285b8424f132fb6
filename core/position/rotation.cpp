#include "core/position/rotation.h"

#include <ATen/ATen.h>

namespace lw {

at::Tensor Frequencies::theta(at::Device device) const { return learned.defined() ? learned.to(device) : at::tensor(inverse, at::kDouble).to(device); }

}  // namespace lw
