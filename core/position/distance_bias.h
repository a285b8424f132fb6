#pragma once
/// Base of biases that depend on δ = max(i - j, 0) only: an entry writes one function over distances, tiles come from it. Later keys, which
/// only an encoder reads, count as 0 or, where both_sides_ is set, as far as earlier ones.

#include "core/position/entry.h"
#include "core/position/slots.h"

#include <ATen/ATen.h>

namespace lw {

class DistanceBias : public Bias {
public:
    at::Tensor tile(const TileGeometry& geometry) final;
    bool distance_only() const final { return true; }
    /// distances [n] float64, >= 0 -> [H, n] in precision().
    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& geometry) override = 0;
    /// Differences i - j of any sign [n] float64 -> [H, n]: what tiles are made of. Methods that tell the sides apart override it.
    virtual at::Tensor by_difference(const at::Tensor& differences, const TileGeometry& geometry) {
        return by_distance(both_sides_ ? differences.abs() : differences.clamp_min(0), geometry);
    }

protected:
    bool both_sides_ = false;
};

/// "bidirectional": sets both_sides_ of an encoder's bias.
ParamSpec both_sides_spec();

/// True when queries and keys each rise by exactly 1, as in ordinary text. The tile is then a sliding window over the
/// Tq + Tk - 1 differences i - j that exist, which saves most logarithms and their gradients.
bool has_unit_steps(const TileGeometry& geometry);
/// Those differences i - j, falling, [Tq + Tk - 1] float64. Needs unit steps.
at::Tensor sliding_differences(const TileGeometry& geometry);
/// Values over sliding_differences(), [.., Tq + Tk - 1] -> [.., Tq, Tk].
at::Tensor sliding_tile(const at::Tensor& values, std::int64_t columns);
/// The same where each row has values of its own, [.., Tq, Tq + Tk - 1] -> [.., Tq, Tk].
at::Tensor sliding_rows(const at::Tensor& values, std::int64_t columns);

}  // namespace lw
