#pragma once
/// The slow way to any distance map's scores: for one pair, q and k turned by m and n give A cos((m - n) θ) + B sin((m - n) θ).

#include "tests/core/position/made.h"

namespace lw::oracle {

/// θ of a RoPE of this width, base 10000.
inline at::Tensor theta(std::int64_t width) { return at::pow(10000.0, -at::arange(0, width, 2, at::kDouble) / static_cast<double>(width)); }

/// Scores [H, r, c] of q [H, r, D] and k [H, c, D] at distances f [r, c] or [H, r, c]: 1/√D Σ over pairs (n, n + D/2).
inline at::Tensor scores(const at::Tensor& f, const at::Tensor& q, const at::Tensor& k) {
    const auto width = q.size(-1), half = width / 2;
    const auto q1 = q.slice(-1, 0, half).unsqueeze(2), q2 = q.slice(-1, half).unsqueeze(2);      // [H, r, 1, D/2]
    const auto k1 = k.slice(-1, 0, half).unsqueeze(1), k2 = k.slice(-1, half).unsqueeze(1);      // [H, 1, c, D/2]
    const auto angle = f.unsqueeze(-1) * theta(width);                                           // [.., r, c, D/2]
    const auto sum = ((q1 * k1 + q2 * k2) * at::cos(angle) + (q1 * k2 - q2 * k1) * at::sin(angle)).sum(-1);
    return sum / std::sqrt(static_cast<double>(width));
}

/// A branch's f on its own, [r, c] or [H, r, c].
inline at::Tensor distance_of(const DistanceBranch& branch) {
    const auto f = branch.query_positions.unsqueeze(-1) - branch.key_positions.unsqueeze(-2);
    return f.dim() == 4 ? f.squeeze(0) : f;
}

/// f as the branches say it.
inline at::Tensor branched_distance(const DistanceMap& map, const TileGeometry& geometry) {
    at::Tensor f;
    for (const auto& branch : map.branches(geometry)) {
        const auto part = distance_of(branch);
        f = branch.chosen.defined() && f.defined() ? at::where(branch.chosen, part, f) : part;
    }
    return f;
}

/// Scores [H, r, c] by RoPE at the branches' positions.
inline at::Tensor branched_scores(const DistanceMap& map, const at::Tensor& q, const at::Tensor& k, const TileGeometry& geometry) {
    SlotShape shape;
    shape.head_width = q.size(-1);
    const auto rope = made<Rotation>("rotation", "rope", {}, shape);
    const auto frequencies = map.adjusted({rope->inverse_frequencies(), 1}, geometry.length, geometry.train_length);
    at::Tensor total;
    for (const auto& branch : map.branches(geometry)) {
        const auto turned_q = rope->rotate(q.unsqueeze(0), branch.query_positions, frequencies, Side::query);
        const auto turned_k = rope->rotate(k.unsqueeze(0), branch.key_positions, frequencies, Side::key);
        const auto part = at::matmul(turned_q, turned_k.transpose(-2, -1))[0] / std::sqrt(static_cast<double>(q.size(-1)));
        total = branch.chosen.defined() && total.defined() ? at::where(branch.chosen, part, total) : part;
    }
    return total;
}

}  // namespace lw::oracle
