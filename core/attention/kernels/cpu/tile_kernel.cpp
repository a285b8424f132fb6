#include "core/attention/kernels/cpu/tile_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/kernels/cpu/tile_kernel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "core/attention/kernels/cpu/forward_layers-inl.h"

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {
namespace {

static_assert(kStripKeys <= kTileStrip);

/// hidden = leaky(table + W1 · S) at some cells from `at` on.
struct HiddenUnits {
    const TileTerms& t;
    std::int64_t at;
    Product content;
    float* hidden;  ///< [D, kTileStrip]

    template <int M, int V>
    HWY_INLINE void run(std::int64_t unit) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                sums.at[m][v] = t.table ? hn::LoadU(d, t.table + (unit + m) * t.table_stride + at + v * kLanes) : hn::Set(d, t.b1 ? t.b1[unit + m] : 0.0f);
            }
        }
        content.add_to(sums, unit);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(leaky(sums.at[m][v], hn::Set(d, t.slope)), d, hidden + (unit + m) * kTileStrip + v * kLanes);
        }
    }
};

/// values = S (if added) + B (if added) + b2 + W2 · hidden.
struct CellValues {
    const TileTerms& t;
    std::int64_t at;
    Product hidden;
    float* values;  ///< [H, kTileStrip]

    template <int M, int V>
    HWY_INLINE void run(std::int64_t head) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                auto value = hn::Set(d, t.b2 ? t.b2[head + m] : 0.0f);
                if (t.content && t.adds_content) value = hn::Add(value, hn::LoadU(d, t.content + (head + m) * t.content_stride + at + v * kLanes));
                if (t.bias) value = hn::Add(value, hn::LoadU(d, t.bias + (head + m) * t.bias_stride + at + v * kLanes));
                sums.at[m][v] = value;
            }
        }
        hidden.add_to(sums, head);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, values + (head + m) * kTileStrip + v * kLanes);
        }
    }
};

/// Lanes past the row's end take no part: they hold what changes nothing.
HWY_INLINE void take_in(FloatVec value, hn::Mask<Floats> counts, const TileSums& sums, std::int64_t place) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Floats d;
    if (sums.high) {
        float* high = sums.high + place;
        hn::StoreU(hn::Max(hn::LoadU(d, high), hn::IfThenElse(counts, value, hn::Set(d, -kInfinity))), d, high);
    }
    if (sums.low) {
        float* low = sums.low + place;
        hn::StoreU(hn::Min(hn::LoadU(d, low), hn::IfThenElse(counts, value, hn::Set(d, kInfinity))), d, low);
    }
    if (sums.sum) {
        float* sum = sums.sum + place;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), hn::IfThenElseZero(counts, value)), d, sum);
    }
}

/// The strip's values, or what they are as probabilities, into the sums.
HWY_INLINE void reduce(const TileTerms& t, const float* values, std::int64_t at, std::int64_t count, const TileSums& sums) {
    const Floats d;
    for (std::int64_t h = 0; h < t.heads; ++h) {
        for (auto cell = at; cell < std::min(count, at + kStripKeys); cell += kLanes) {
            auto value = hn::Load(d, values + h * kTileStrip + cell - at);
            if (t.normaliser) value = hn::Exp(d, hn::Sub(value, hn::Set(d, t.normaliser[h])));
            take_in(value, hn::FirstN(d, static_cast<std::size_t>(count - cell)), sums, h * sums.stride + cell);
        }
    }
}

void add_row(const TileTerms& t, std::int64_t count, const TileSums& sums, float* scratch) {
    float *values = scratch, *hidden = scratch + t.heads * kTileStrip;
    HiddenUnits first{t, 0, {.matrix = t.w1, .right = t.content, .right_row = t.content_stride, .depth = t.heads}, hidden};
    CellValues second{t, 0, {.matrix = t.hidden > 0 ? t.w2 : nullptr, .right = hidden, .right_row = kTileStrip, .depth = t.hidden}, values};
    for (std::int64_t at = 0; at < count; at += kStripKeys) {
        const auto vectors = (count - at + kLanes - 1) / kLanes;
        first.at = second.at = at;
        if (t.hidden > 0) through(t.hidden, vectors, first);
        through(t.heads, vectors, second);
        reduce(t, values, at, count, sums);
        first.content.shift(kStripKeys);
    }
}

}  // namespace
}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lw::kernels {

HWY_EXPORT(add_row);

}  // namespace lw::kernels

namespace lw {

void add_tile_row(const TileTerms& terms, std::int64_t count, const TileSums& sums, float* scratch) {
    HWY_DYNAMIC_DISPATCH(kernels::add_row)(terms, count, sums, scratch);
}

}  // namespace lw
#endif
