#pragma once
/// The base change that NTK-aware scalings share.

#include "core/api/scheme.h"
#include "core/position/slots.h"

namespace lw {

/// θ'_n = θ_n · s^(-2n/(d-2)), d = 2 · pairs: the base becomes b · s^(d/(d-2)), the fastest pair stays, the slowest is divided by s.
Frequencies ntk_scaled(const std::vector<double>& inverse, double s);

/// "b = 10,000, b′ = 43,880": the base before and after, for a rotation of the whole head; "" where the base is not known.
std::string new_base(const ModelShape& shape, double s);

}  // namespace lw
