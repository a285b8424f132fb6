/// Vector functions the CPU kernels share, compiled once per target: included after hwy/foreach_target.h, as Highway's own -inl headers are.
#if defined(LW_VECTOR_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_VECTOR_MATH_INL_H
#undef LW_VECTOR_MATH_INL_H
#else
#define LW_VECTOR_MATH_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVec = hn::Vec<Floats>;
inline constexpr float kLog2E = 1.44269504088896340736f;
inline constexpr float kLn2 = 0.693147180559945309417f;

/// The larger of both; x where it is NaN. (x86 hands back the second operand then, ARM the NaN whichever side it comes from.)
HWY_INLINE FloatVec at_least(FloatVec limit, FloatVec x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    return hn::IfThenElse(hn::Lt(x, limit), limit, x);
#else
    return hn::Max(limit, x);
#endif
}

/// x as a whole number and a remainder in [-1/2, 1/2]. Adding 1.5 · 2^23 leaves the whole number in the low bits of the sum.
struct Split {
    FloatVec shifted, remainder;
};
HWY_INLINE Split split(FloatVec x) {
    const auto shift = hn::Set(Floats(), 12582912.0f);
    const auto shifted = hn::Add(x, shift);
    return {shifted, hn::Sub(x, hn::Sub(shifted, shift))};
}
/// power · 2^whole.
HWY_INLINE FloatVec scaled(FloatVec power, FloatVec shifted) {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    return hn::BitCast(d, hn::Add(hn::BitCast(di, power), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

/// 2^x for x < 127.5, to about 1.5 units in the last place; NaN stays NaN. 0 below -126, at -inf too: subnormal numbers cost hundreds of cycles
/// each time they come up. The polynomial is that of Cephes' exp2f, its relative error 2e-9; 2^0 is exactly 1.
HWY_INLINE FloatVec exp2(FloatVec x) {
    const Floats d;
    const auto [shifted, r] = split(x);
    auto p = hn::Set(d, 1.535336188319500e-4f);
    p = hn::MulAdd(p, r, hn::Set(d, 1.339887440266574e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 9.618437357674640e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 5.550332471162809e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 2.402264791363012e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 6.931472028550421e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
    return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -126.0f)), scaled(p, shifted));
}

/// The weight 2^x of a key next to a largest one of 1, to about 2 units in the last place; NaN stays NaN. It is no less than 2^-80, whose sum over any
/// text is lost in rounding: a steep bias has many smaller ones, whose products with values would be subnormal. 2^0 is exactly 1.
HWY_INLINE FloatVec weight_of(FloatVec x) {
    const Floats d;
    const auto [shifted, r] = split(at_least(hn::Set(d, -80.0f), x));
    auto p = hn::Set(d, 1.3276472167676081e-3f);
    p = hn::MulAdd(p, r, hn::Set(d, 9.675541331021798e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 5.55071327287601e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 2.4022119723969185e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 6.931469670652642e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
    return scaled(p, shifted);
}

/// e^x for x < 88; the error in units of the last place grows with |x| to about 0.7 |x|, since x · log2(e) is rounded once.
/// Where that matters, scores are kept in units of log 2 and exp2() is called.
HWY_INLINE FloatVec exp_of(FloatVec x) { return exp2(hn::Mul(x, hn::Set(Floats(), kLog2E))); }

/// z where positive, slope · z where not (0 <= slope <= 1); NaN stays NaN.
HWY_INLINE FloatVec leaky(FloatVec z, FloatVec slope) { return hn::Max(hn::Mul(z, slope), z); }

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
