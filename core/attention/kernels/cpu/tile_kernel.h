#pragma once
/// The arithmetic of map tiles: one row of cells from its terms, reduced at once into what a row of pixels needs. Hidden values and logits stay in the
/// first-level cache. Vector instructions are chosen at run time (Highway). No torch here.

#include <cstdint>

namespace lw {

/// Heads that a layer may have here; larger ones take the general path.
inline constexpr std::int64_t kMostTileHeads = 32;
/// Cells that go through the network at once, at most.
inline constexpr std::int64_t kTileStrip = 48;

/// The terms of one query row over some keys; [h] of an array begins `stride` floats after [h - 1].
///   value_h = S_h (if added) + B_h (if added) + b2_h + Σ_u W2[h, u] · leaky(table_u + Σ_g W1[u, g] · S_g),  then exp(value_h − normaliser_h)
struct TileTerms {
    std::int64_t heads = 0, hidden = 0;
    const float* content = nullptr;     ///< S [heads, n]; null where the part does not read it
    std::int64_t content_stride = 0;
    const float* bias = nullptr;        ///< B [heads, n]; null where it is not added
    std::int64_t bias_stride = 0;
    const float* table = nullptr;       ///< [hidden, n]: W1 · B + b1; null = b1 alone
    std::int64_t table_stride = 0;
    const float* w1 = nullptr;          ///< [hidden, heads] interleaved (prepared.h), null where the network does not read the content
    const float* b1 = nullptr;          ///< [hidden]
    const float* w2 = nullptr;          ///< [heads, hidden] interleaved
    const float* b2 = nullptr;          ///< [heads]
    float slope = 0;
    const float* normaliser = nullptr;  ///< [heads], set for probabilities
    bool adds_content = true;
};

/// Where a row is reduced to, [heads, n] each; null what is not wanted.
struct TileSums {
    float* high = nullptr;  ///< largest value so far
    float* low = nullptr;   ///< smallest
    float* sum = nullptr;
    std::int64_t stride = 0;
};

/// Takes the row's first `count` cells in. Arrays of terms must be readable up to the next multiple of 16 floats; scratch [heads + hidden, kTileStrip]
/// begins a cache line and is the caller's alone.
void add_tile_row(const TileTerms& terms, std::int64_t count, const TileSums& sums, float* scratch);

}  // namespace lw
