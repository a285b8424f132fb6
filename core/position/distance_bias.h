#pragma once
/// Base of biases that depend on δ = max(i - j, 0) only: an entry writes one function over distances, tiles come from it.

#include "core/position/slots.h"

namespace lw {

class DistanceBias : public Bias {
public:
    at::Tensor tile(const TileGeometry& geometry) final;
    bool distance_only() const final { return true; }
    /// distances [n] float64, >= 0 -> [H, n] in precision().
    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& geometry) override = 0;
};

/// True when positions rise by exactly 1, as in ordinary text.
bool unit_steps(const at::Tensor& positions);

}  // namespace lw
