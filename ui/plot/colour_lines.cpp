/// See colour_lines.h. This file includes itself once for every kind of processor.
#include "ui/plot/colour_lines.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ui/plot/colour_lines.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lw::ui::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Integers = hn::RebindToSigned<Floats>;
using Colours = hn::RebindToUnsigned<Floats>;
using FloatVector = hn::Vec<Floats>;
using ColourVector = hn::Vec<Colours>;

/// No lambdas here: they would be compiled for the oldest processor.
struct Linear {
    LinearColours scale;
    HWY_INLINE ColourVector operator()(FloatVector value) const {
        const Floats d;
        const auto place = hn::Mul(hn::Sub(value, hn::Set(d, scale.low)), hn::Set(d, scale.factor));
        const auto number = hn::IfThenZeroElse(hn::IsNaN(place), place);  // an index must lie in the table, whatever the value
        const auto inside = hn::Min(hn::Max(number, hn::Zero(d)), hn::Set(d, scale.last));
        const auto index = hn::ConvertTo(Integers(), hn::Add(inside, hn::Set(d, 0.5F)));
        const auto colour = hn::GatherIndex(Colours(), scale.table, index);
        return hn::IfThenElse(hn::RebindMask(Colours(), hn::IsNaN(value)), hn::Set(Colours(), scale.masked), colour);
    }
};

struct Bits {
    BitColours scale;
    HWY_INLINE ColourVector operator()(FloatVector value) const {
        const Integers d;
        const auto first = hn::Set(d, scale.first);
        const auto bits = hn::Min(hn::Max(hn::BitCast(d, value), first), hn::Set(d, scale.last));
        const auto bucket = hn::ShiftRightSame(hn::Sub(bits, first), scale.shift);
        const auto past = hn::VecFromMask(d, hn::Gt(bits, hn::GatherIndex(d, scale.splits, bucket)));  // -1 where true
        const auto colour = hn::GatherIndex(Colours(), scale.colours, hn::Sub(bucket, past));
        return hn::IfThenElse(hn::RebindMask(Colours(), hn::IsNaN(value)), hn::Set(Colours(), scale.masked), colour);
    }
};

template <class Scale>
void line(const Scale& colour, const float* values, std::size_t count, std::uint32_t* out) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(colour(hn::LoadU(d, values + i)), Colours(), out + i);
    if (i == count) return;
    HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
    HWY_ALIGN std::uint32_t made[hn::MaxLanes(d)];
    std::copy(values + i, values + count, rest);
    hn::Store(colour(hn::Load(d, rest)), Colours(), made);
    std::copy(made, made + (count - i), out + i);
}

void linearLine(const LinearColours& colours, const float* values, std::size_t count, std::uint32_t* out) { line(Linear{colours}, values, count, out); }
void bitLine(const BitColours& colours, const float* values, std::size_t count, std::uint32_t* out) { line(Bits{colours}, values, count, out); }

FiniteRange range(const float* values, std::size_t count) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    const float most = std::numeric_limits<float>::max();
    auto low = hn::Set(d, most), high = hn::Set(d, -most);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto value = hn::LoadU(d, values + i);
        const auto finite = hn::Le(hn::Abs(value), hn::Set(d, most));  // false for NaN, too
        low = hn::Min(low, hn::IfThenElse(finite, value, low));
        high = hn::Max(high, hn::IfThenElse(finite, value, high));
    }
    FiniteRange found{hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
    for (; i < count; ++i) {
        if (!(values[i] >= -most && values[i] <= most)) continue;
        found.low = std::min(found.low, values[i]);
        found.high = std::max(found.high, values[i]);
    }
    return found;
}

}  // namespace
}  // namespace lw::ui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lw::ui {

HWY_EXPORT(linearLine);
HWY_EXPORT(bitLine);
HWY_EXPORT(range);

void colourLine(const LinearColours& colours, const float* values, std::size_t count, std::uint32_t* out) { HWY_DYNAMIC_DISPATCH(linearLine)(colours, values, count, out); }
void colourLine(const BitColours& colours, const float* values, std::size_t count, std::uint32_t* out) { HWY_DYNAMIC_DISPATCH(bitLine)(colours, values, count, out); }
FiniteRange finiteRange(const float* values, std::size_t count) { return HWY_DYNAMIC_DISPATCH(range)(values, count); }

}  // namespace lw::ui
#endif
