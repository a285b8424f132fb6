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

/// 2^x for x < 127.5, to about 1.5 units in the last place; NaN stays NaN. 0 below -126, at -inf too: smaller numbers would be subnormal, which
/// cost hundreds of cycles each time they are multiplied. The polynomial is that of Cephes' exp2f, its relative error 2e-9; 2^0 is exactly 1.
HWY_INLINE FloatVec exp2(FloatVec x) {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    // Adding 1.5 · 2^23 leaves the nearest whole number in the low bits of the sum.
    const auto shift = hn::Set(d, 12582912.0f);
    const auto shifted = hn::Add(x, shift);
    const auto r = hn::Sub(x, hn::Sub(shifted, shift));
    auto p = hn::Set(d, 1.535336188319500e-4f);
    p = hn::MulAdd(p, r, hn::Set(d, 1.339887440266574e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 9.618437357674640e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 5.550332471162809e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 2.402264791363012e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 6.931472028550421e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
    const auto power = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
    return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -126.0f)), power);
}

/// e^x for x < 88; the error in units of the last place grows with |x| to about 0.7 |x|, since x · log2(e) is rounded once.
/// Where that matters, scores are kept in units of log 2 and exp2() is called.
HWY_INLINE FloatVec exp_of(FloatVec x) { return exp2(hn::Mul(x, hn::Set(Floats(), kLog2E))); }

/// z where positive, slope · z where not (0 <= slope <= 1); NaN stays NaN.
HWY_INLINE FloatVec leaky(FloatVec z, FloatVec slope) { return hn::Max(hn::Mul(z, slope), z); }

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
