#pragma once
/// Slot "distance": another distance f(i, j) in place of i - j, for rotations and for biases that depend on the distance only.

#include "core/position/rotation.h"

#include <vector>

namespace lw {

/// A part of the map in which f(i, j) = query_position(i) - key_position(j), so that one product of rotated queries and keys
/// gives its scores.
struct DistanceBranch {
    at::Tensor query_positions;  ///< [r] or [1, H, r] float64
    at::Tensor key_positions;    ///< [c] or [1, H, c] float64
    at::Tensor chosen{};         ///< [r, c] bool: cells of this branch; undefined = all cells that no later branch takes
};

class DistanceMap : public SlotModule {
public:
    /// f(i, j), [r, c] or [H, r, c] float64, for visible cells (j <= i); other cells may hold anything finite.
    virtual at::Tensor distance(const TileGeometry& geometry) const = 0;
    /// The same as products of rotated queries and keys; later branches overwrite earlier ones where they are chosen.
    virtual std::vector<DistanceBranch> branches(const TileGeometry& geometry) const = 0;
    /// The rotation's frequencies with what the method changes besides (DCA multiplies cos and sin past L).
    virtual Frequencies adjusted(const Frequencies& frequencies, std::int64_t /*length*/, std::int64_t /*train_length*/) const { return frequencies; }
};

}  // namespace lw
