#pragma once
/// Grids over a block's cells that several slots are made of.

#include "core/position/geometry.h"

#include <algorithm>

namespace lw {

/// i - j by positions (what a position map made of them), [Tq, Tk] float64; negative for future keys.
at::Tensor position_differences(const TileGeometry& geometry);
/// i - j by places in the text, [Tq, Tk] float64.
at::Tensor place_differences(const TileGeometry& geometry);
/// True at keys up to the query's own, [Tq, Tk] bool.
at::Tensor causal_cells(const TileGeometry& geometry);

/// A number of tokens: the given one, or a share of the training length where it is 0 (automatic); at least 1.
inline std::int64_t tokens_or_share(std::int64_t given, double share, std::int64_t train_length) {
    if (given > 0) return given;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(train_length)));
}

}  // namespace lw
