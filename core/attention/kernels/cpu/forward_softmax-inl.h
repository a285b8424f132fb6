/// A tile of the forward pass from logits to weighted values: the online softmax, and the end of a task.
#if defined(LW_FORWARD_SOFTMAX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_SOFTMAX_INL_H
#undef LW_FORWARD_SOFTMAX_INL_H
#else
#define LW_FORWARD_SOFTMAX_INL_H
#endif

#include "core/attention/kernels/cpu/forward_task-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// -inf at keys the row does not see, in the vectors that hold such keys.
inline void ForwardWorker::hide(std::int64_t row) {
    const Floats d;
    const auto& seen = here_[row];
    if (seen.covers(span_[row].begin, span_[row].end)) return;
    const auto inside = [&](Range range, std::int64_t key) {
        const auto at = hn::Iota(d, static_cast<float>(key));
        return hn::And(hn::Ge(at, hn::Set(d, static_cast<float>(range.begin))), hn::Lt(at, hn::Set(d, static_cast<float>(range.end))));
    };
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) {
        if (seen.covers(key, key + kLanes)) continue;
        const auto visible = hn::Or(inside(seen.sinks, key), inside(seen.recent, key));
        for (std::int64_t h = 0; h < heads_; ++h) {
            float* at = scores(h, row) + key;
            hn::Store(hn::IfThenElse(visible, hn::Load(d, at), hn::Set(d, kHidden)), d, at);
        }
    }
}

inline void ForwardWorker::find_largest(std::int64_t head, std::int64_t row) {
    const Floats d;
    auto most = hn::Set(d, kHidden);
    const float* at = scores(head, row);
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) most = hn::Max(hn::Load(d, at + key), most);
    tile_largest(head)[row] = hn::GetLane(hn::MaxOfLanes(d, most));
}

/// Largest logits over all tiles so far, and what earlier weights are multiplied by so that they refer to them.
inline void ForwardWorker::update_largest(std::int64_t head) {
    const Floats d;
    for (std::int64_t r = 0; r < task_.rows; r += kLanes) {
        const auto before = hn::Load(d, largest(head) + r);
        const auto now = hn::Max(hn::Load(d, tile_largest(head) + r), before);
        // Where nothing was seen yet, any finite number does instead of -inf.
        const auto finite = hn::IfThenElse(hn::Eq(now, hn::Set(d, kHidden)), hn::Zero(d), now);
        hn::Store(now, d, largest(head) + r);
        hn::Store(finite, d, tile_largest(head) + r);
        hn::Store(exp2(hn::Sub(before, finite)), d, factors(head) + r);
    }
}

/// Logits -> weights 2^(logit - largest).
inline void ForwardWorker::weigh(std::int64_t head, std::int64_t row) {
    if (span_[row].empty()) return;
    const Floats d;
    const auto most = hn::Set(d, tile_largest(head)[row]);
    auto sum = hn::Mul(hn::Set(d, factors(head)[row]), hn::Load(d, weight_sums(head, row)));
    float* at = scores(head, row);
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) {
        // Hidden keys of a vector add 2^-80 to a sum of at least 1; nobody reads their weights.
        const auto weight = weight_of(hn::Sub(hn::Load(d, at + key), most));
        hn::Store(weight, d, at + key);
        sum = hn::Add(sum, weight);
    }
    hn::Store(sum, d, weight_sums(head, row));
}

/// Keys that all rows of the group see are taken for all at once; the others row by row, since a weight of zero would still carry the NaN of a
/// value that its row does not see.
inline void ForwardWorker::mix_group(std::int64_t head, std::int64_t group, std::int64_t tile) {
    static constexpr float kOnes[kGroupRows] = {1, 1, 1, 1, 1, 1, 1, 1};
    const auto rows = std::min(kGroupRows, task_.rows - group);
    const float* values = prepared_.value_tile(key_head(head), tile);
    Range sinks = here_[group].sinks, recent = here_[group].recent;
    bool any = false;
    for (auto r = group; r < group + rows; ++r) {
        any = any || !here_[r].empty();
        sinks = common(sinks, here_[r].sinks);
        recent = common(recent, here_[r].recent);
    }
    if (!any) return;
    recent.end = std::max(recent.begin, recent.end);
    sinks.end = std::max(sinks.begin, sinks.end);
    mix_range(head, group, rows, recent, values, factors(head) + group);
    if (!sinks.empty()) mix_range(head, group, rows, sinks, values, kOnes);
    for (auto r = group; r < group + rows; ++r) {
        for (const auto& [own, shared] : {std::pair(here_[r].sinks, sinks), std::pair(here_[r].recent, recent)}) {
            mix_range(head, r, 1, {own.begin, std::min(own.end, shared.begin)}, values, kOnes);
            mix_range(head, r, 1, {std::max(own.begin, shared.end), own.end}, values, kOnes);
        }
    }
}

inline void ForwardWorker::mix_range(std::int64_t head, std::int64_t row, std::int64_t rows, Range keys, const float* tile_values, const float* factors) {
    if (keys.empty() && rows == 1 && *factors == 1.0f) return;
    const auto stride = prepared_.value_stride, first = keys.empty() ? 0 : keys.begin - prepared_.halo;
    add_values({scores(head, row) + keys.begin, tile_values + first * stride, stride, keys.end - keys.begin, factors, sums(head, row)}, rows);
}

inline void ForwardWorker::finish() {
    const Floats d;
    for (std::int64_t h = 0; h < heads_; ++h) {
        for (std::int64_t r = 0; r < task_.rows; ++r) {
            const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, weight_sums(h, r))));
            const bool nothing = largest(h)[r] == kHidden;
            const float factor = nothing ? 0.0f : 1.0f / sum;
            float* out = output_.output.at(task_.b, task_.head + h, task_.row + r);
            for (std::int64_t c = 0; c < call_.value_width; ++c) out[c] = sums(h, r)[c] * factor;
            if (output_.log_normaliser == nullptr) continue;
            const auto at = ((task_.b * call_.heads + task_.head + h) * call_.queries) + task_.row + r;
            output_.log_normaliser[at] = nothing ? kHidden : static_cast<float>(static_cast<double>(largest(h)[r]) * static_cast<double>(kLn2) + std::log(static_cast<double>(sum)));
        }
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
