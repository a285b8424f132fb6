/// A bias that is piecewise linear in one variable of a cell (FIRE), at one row of a tile: one product and sum per head and cell, and hardly more where
/// a vector of keys lies on both sides of a break.
#if defined(LW_FORWARD_PIECES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_PIECES_INL_H
#undef LW_FORWARD_PIECES_INL_H
#else
#define LW_FORWARD_PIECES_INL_H
#endif

#include "core/attention/kernels/cpu/forward_work.h"
#include "core/attention/kernels/cpu/multiply-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

struct PiecesRow {
    const BiasPieces& pieces;
    const float* distances;  ///< at column 0, along keys
    float row;               ///< what they are divided by
    std::int64_t own;        ///< column of the query's own key, nearest of all
    std::int64_t all_heads, first_head, heads;
};

/// The bias at columns `keys`, whole vectors, to `cells` [heads, kScoreRow].
HWY_INLINE void fill_from_pieces(const PiecesRow& at, Range keys, float* cells) {
    const Floats d;
    const auto& pieces = at.pieces;
    const float factor = 1.0f / at.row;
    std::int64_t piece = 0;
    for (auto key = keys.begin; key < keys.end; key += kLanes) {
        const auto x = hn::Mul(hn::LoadU(d, at.distances + key), hn::Set(d, factor));
        // Distances fall up to the query's own key and rise after it.
        const float first = at.distances[key], last = at.distances[key + kLanes - 1];
        const float low = factor * (key <= at.own && at.own < key + kLanes ? at.distances[at.own] : std::min(first, last));
        const float high = factor * std::max(first, last);
        while (piece > 0 && low < pieces.breaks[piece - 1]) --piece;
        while (piece < pieces.count && low >= pieces.breaks[piece]) ++piece;
        const auto line = [&](std::int64_t p, std::int64_t head) {
            const auto place = p * at.all_heads + at.first_head + head;
            return hn::MulAdd(hn::Set(d, pieces.slopes[place]), x, hn::Set(d, pieces.intercepts[place]));
        };
        for (std::int64_t h = 0; h < at.heads; ++h) hn::Store(line(piece, h), d, cells + h * kScoreRow + key);
        for (auto p = piece; p < pieces.count && pieces.breaks[p] <= high; ++p) {
            const auto beyond = hn::Ge(x, hn::Set(d, pieces.breaks[p]));
            for (std::int64_t h = 0; h < at.heads; ++h) {
                float* cell = cells + h * kScoreRow + key;
                hn::Store(hn::IfThenElse(beyond, line(p + 1, h), hn::Load(d, cell)), d, cell);
            }
        }
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
