/// Copies that backward's products read: rows padded to whole vectors, and turned so that keys or rows are neighbours.
#include "core/attention/kernels/cpu/backward_network-inl.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>

#if defined(LW_BACKWARD_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_BACKWARD_PACK_INL_H
#undef LW_BACKWARD_PACK_INL_H
#else
#define LW_BACKWARD_PACK_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

constexpr std::int64_t whole(std::int64_t count, std::int64_t step) { return (count + step - 1) / step * step; }

/// One aligned piece of memory handed out in parts.
class Arena {
public:
    explicit Arena(std::int64_t floats) : memory_(hwy::AllocateAligned<float>(static_cast<std::size_t>(floats))), size_(floats) {}
    float* take(std::int64_t floats) {
        float* part = memory_.get() + used_;
        used_ += padded(floats);
        HWY_ASSERT(used_ <= size_);
        return part;
    }
    static constexpr std::int64_t padded(std::int64_t floats) { return whole(floats, 64); }

private:
    hwy::AlignedFreeUniquePtr<float[]> memory_;
    std::int64_t size_ = 0, used_ = 0;
};

/// Rows `from`, d floats each `from_step` apart -> `rows` padded to [padded_rows, step] and, where asked for, turned [d, padded_rows].
/// Rows and columns beyond are zero.
struct Padded {
    float* rows = nullptr;
    std::int64_t step = 0;
    float* turned = nullptr;
    std::int64_t padded_rows = 0;
};

/// Four numbers of four rows -> four rows of four numbers.
HWY_INLINE void turn_four(const float* from, std::int64_t from_step, float scale, float* to, std::int64_t to_step) {
#if HWY_TARGET == HWY_SCALAR
    for (std::int64_t r = 0; r < 4; ++r) {
        for (std::int64_t c = 0; c < 4; ++c) to[c * to_step + r] = from[r * from_step + c] * scale;
    }
#else
    const hn::FixedTag<float, 4> tag;
    const hn::FixedTag<double, 2> wide;
    const auto factor = hn::Set(tag, scale);
    const auto a = hn::LoadU(tag, from), b = hn::LoadU(tag, from + from_step), c = hn::LoadU(tag, from + 2 * from_step), d = hn::LoadU(tag, from + 3 * from_step);
    const auto ab = hn::BitCast(wide, hn::InterleaveLower(tag, a, b)), cd = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
    const auto ab_upper = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b)), cd_upper = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
    const auto put = [&](int row, auto pair) HWY_ATTR { hn::StoreU(hn::Mul(hn::BitCast(tag, pair), factor), tag, to + row * to_step); };
    put(0, hn::InterleaveLower(wide, ab, cd));
    put(1, hn::InterleaveUpper(wide, ab, cd));
    put(2, hn::InterleaveLower(wide, ab_upper, cd_upper));
    put(3, hn::InterleaveUpper(wide, ab_upper, cd_upper));
#endif
}

/// [count, d] -> turned [d, padded]. Blocks of four by four: instructions that gather are slow on many processors.
HWY_INLINE void pack_turned(const float* from, std::int64_t from_step, std::int64_t count, std::int64_t d, float scale, float* to, std::int64_t padded) {
    const auto whole_rows = count / 4 * 4, whole_columns = d / 4 * 4;
    for (std::int64_t t = 0; t < whole_rows; t += 4) {
        for (std::int64_t i = 0; i < whole_columns; i += 4) turn_four(from + t * from_step + i, from_step, scale, to + i * padded + t, padded);
    }
    for (std::int64_t i = 0; i < d; ++i) {
        const auto first = i < whole_columns ? whole_rows : 0;
        for (auto t = first; t < count; ++t) to[i * padded + t] = from[t * from_step + i] * scale;
        std::fill(to + i * padded + count, to + (i + 1) * padded, 0.0f);
    }
}

HWY_INLINE void pack(const float* from, std::int64_t from_step, std::int64_t count, std::int64_t d, float scale, const Padded& to) {
    if (to.turned) pack_turned(from, from_step, count, d, scale, to.turned, to.padded_rows);
    if (!to.rows) return;
    for (std::int64_t t = 0; t < count; ++t) {
        float* row = to.rows + t * to.step;
        for (std::int64_t i = 0; i < d; ++i) row[i] = from[t * from_step + i] * scale;
        std::fill(row + d, row + to.step, 0.0f);
    }
    std::fill(to.rows + count * to.step, to.rows + to.padded_rows * to.step, 0.0f);
}

/// to[t, i] = from[t, i], or += where it adds, for `count` rows of d floats.
HWY_INLINE void put_rows(const float* from, std::int64_t from_step, std::int64_t count, std::int64_t d, bool adds, float* to, std::int64_t to_step) {
    for (std::int64_t t = 0; t < count; ++t, from += from_step, to += to_step) {
        if (adds) {
            for (std::int64_t i = 0; i < d; ++i) to[i] += from[i];
        } else {
            std::copy_n(from, d, to);
        }
    }
}

/// Σ a b over d floats.
HWY_INLINE float dot(const float* a, const float* b, std::int64_t d) {
    const Floats tag;
    auto sum = hn::Zero(tag);
    std::int64_t i = 0;
    for (; i + kLanes <= d; i += kLanes) sum = hn::MulAdd(hn::LoadU(tag, a + i), hn::LoadU(tag, b + i), sum);
    float total = hn::GetLane(hn::SumOfLanes(tag, sum));
    for (; i < d; ++i) total += a[i] * b[i];
    return total;
}

/// [rows, columns] -> [columns, rows].
HWY_INLINE void turn(const float* from, std::int64_t rows, std::int64_t columns, float* to) {
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
    }
}

/// to[n, m] += the lanes of from[m, n] added up; from becomes zero. to[m * m_step + n * n_step].
HWY_INLINE void drain_pairs(float* from, std::int64_t m_count, std::int64_t n_count, float* to, std::int64_t m_step, std::int64_t n_step) {
    const Floats tag;
    for (std::int64_t m = 0; m < m_count; ++m) {
        for (std::int64_t n = 0; n < n_count; ++n, from += kLanes) {
            to[m * m_step + n * n_step] += hn::GetLane(hn::SumOfLanes(tag, hn::Load(tag, from)));
            hn::Store(hn::Zero(tag), tag, from);
        }
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
