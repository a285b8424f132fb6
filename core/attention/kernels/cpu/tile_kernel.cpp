#include "core/attention/kernels/cpu/tile_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/kernels/cpu/tile_kernel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lw::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
constexpr Tag kTag;

/// S of every head at some neighbouring keys, and what their values have come to.
template <int kHeads>
struct Cells {
    Vector content[kHeads], value[kHeads];
};

template <int kHeads>
HWY_INLINE void read_terms(const TileTerms& t, std::int64_t heads, std::int64_t at, Cells<kHeads>& cells) {
    for (std::int64_t h = 0; h < heads; ++h) {
        cells.content[h] = t.content ? hn::LoadU(kTag, t.content + h * t.content_stride + at) : hn::Zero(kTag);
        auto value = t.adds_content ? cells.content[h] : hn::Zero(kTag);
        if (t.bias) value = hn::Add(value, hn::LoadU(kTag, t.bias + h * t.bias_stride + at));
        cells.value[h] = t.b2 ? hn::Add(value, hn::Set(kTag, t.b2[h])) : value;
    }
}

/// The hidden values of a cell live for a moment each: first layer, leaky, and on to all heads.
template <int kHeads>
HWY_INLINE void add_network(const TileTerms& t, std::int64_t heads, std::int64_t at, Cells<kHeads>& cells) {
    const auto slope = hn::Set(kTag, t.slope);
    for (std::int64_t u = 0; u < t.hidden; ++u) {
        auto z = t.table ? hn::LoadU(kTag, t.table + u * t.table_stride + at) : t.b1 ? hn::Set(kTag, t.b1[u]) : hn::Zero(kTag);
        if (t.w1) {
            for (std::int64_t h = 0; h < heads; ++h) z = hn::MulAdd(hn::Set(kTag, t.w1[u * heads + h]), cells.content[h], z);
        }
        z = hn::IfThenElse(hn::Gt(z, hn::Zero(kTag)), z, hn::Mul(z, slope));
        for (std::int64_t h = 0; h < heads; ++h) cells.value[h] = hn::MulAdd(hn::Set(kTag, t.w2[u * heads + h]), z, cells.value[h]);
    }
}

/// Lanes past the row's end take no part: they hold what changes nothing.
HWY_INLINE void take_in(Vector value, Mask counts, float* high, float* low, float* sum) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (high) hn::StoreU(hn::Max(hn::LoadU(kTag, high), hn::IfThenElse(counts, value, hn::Set(kTag, -kInfinity))), kTag, high);
    if (low) hn::StoreU(hn::Min(hn::LoadU(kTag, low), hn::IfThenElse(counts, value, hn::Set(kTag, kInfinity))), kTag, low);
    if (sum) hn::StoreU(hn::Add(hn::LoadU(kTag, sum), hn::IfThenElseZero(counts, value)), kTag, sum);
}

/// kHeads = 0: their number is known at run time only.
template <int kHeads>
void add_row_of(const TileTerms& t, std::int64_t count, const TileSums& sums) {
    const std::int64_t heads = kHeads > 0 ? kHeads : t.heads;
    const auto step = static_cast<std::int64_t>(hn::Lanes(kTag));
    Cells<(kHeads > 0 ? kHeads : kMostTileHeads)> cells;
    for (std::int64_t at = 0; at < count; at += step) {
        read_terms(t, heads, at, cells);
        if (t.hidden > 0) add_network(t, heads, at, cells);
        const auto counts = hn::FirstN(kTag, static_cast<std::size_t>(count - at));
        for (std::int64_t h = 0; h < heads; ++h) {
            auto value = cells.value[h];
            if (t.normaliser) value = hn::Exp(kTag, hn::Sub(value, hn::Set(kTag, t.normaliser[h])));
            const auto place = h * sums.stride + at;
            take_in(value, counts, sums.high ? sums.high + place : nullptr, sums.low ? sums.low + place : nullptr, sums.sum ? sums.sum + place : nullptr);
        }
    }
}

void add_row(const TileTerms& terms, std::int64_t count, const TileSums& sums) {
    switch (terms.heads) {
        case 1: return add_row_of<1>(terms, count, sums);
        case 4: return add_row_of<4>(terms, count, sums);
        case 8: return add_row_of<8>(terms, count, sums);
        case 12: return add_row_of<12>(terms, count, sums);
        default: return add_row_of<0>(terms, count, sums);
    }
}

}  // namespace
}  // namespace lw::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lw {

HWY_EXPORT(add_row);

void add_tile_row(const TileTerms& terms, std::int64_t count, const TileSums& sums) { HWY_DYNAMIC_DISPATCH(add_row)(terms, count, sums); }

}  // namespace lw
#endif
