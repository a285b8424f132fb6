#pragma once
/// How a block's shared memory is divided, and how large tiles may be to fit.

#include "core/attention/kernels/attention_tile.h"

namespace lw::kernels {

LW_HOST_DEVICE inline HeadGroup group_of(const LwAttention& call, int number) {
    const int groups = head_groups(call), count = heads_per_block(call);
    return {number / groups, number % groups * count, count};
}

/// Threads that share a row of the online softmax, and the floats it keeps per row.
inline constexpr int kRowParts = 4, kRowState = 3 + 2 * kRowParts;

/// Arrays one behind the other. With a null base only `floats` means something.
struct SharedLayout {
    float *scores = nullptr, *bias = nullptr, *weights = nullptr, *gradients = nullptr, *hidden = nullptr, *inner = nullptr;
    float* row_state = nullptr;  ///< kRowState x [heads, R], forward
    float* output = nullptr;     ///< [heads, R, dv], forward, where the plan says so
    std::int64_t floats = 0;
    int rows;                    ///< heads x R
    TileWidths width;
    bool backward;

    LW_HOST_DEVICE SharedLayout(const LwAttention& call, const LwAttentionPlan& plan, bool goes_back, float* base)
        : rows(heads_per_block(call) * plan.rows), width(plan.columns, radius_of(call), goes_back), backward(goes_back) {
        const auto take = [&](std::int64_t count) {
            float* place = base ? base + floats : nullptr;
            floats += count;
            return place;
        };
        const std::int64_t all = rows;
        scores = take(all * width.score_pitch);
        if (has_bias(call)) bias = take(all * width.score_pitch);
        weights = take(all * width.logit_pitch);
        if (backward) gradients = take(all * width.logit_pitch);
        if (has_network(call)) hidden = take(static_cast<std::int64_t>(plan.strip) * width.hidden * call.network.hidden);
        if (has_network(call) && backward) inner = take(static_cast<std::int64_t>(plan.strip) * width.inner * call.network.hidden);
        if (!backward) row_state = take(kRowState * all);
        if (!backward && plan.output_in_shared) output = take(all * call.value_width);
    }
    LW_HOST_DEVICE Tile tile(const LwAttention& call, const LwAttentionPlan& plan, const HeadGroup& heads) const {
        const int radius = radius_of(call);
        return {call, heads, width, plan.rows, radius, backward ? 2 * radius : 0, 0, 0, 0, scores, bias, weights, gradients, hidden, inner};
    }
};

inline std::int64_t shared_bytes(const LwAttention& call, const LwAttentionPlan& plan, bool backward) {
    return SharedLayout(call, plan, backward, nullptr).floats * static_cast<std::int64_t>(sizeof(float));
}

/// The longest strip whose hidden values take at most `floats`; one row if none does.
inline int strip_rows(const LwAttention& call, const LwAttentionPlan& plan, bool backward, std::int64_t floats) {
    const TileWidths width(plan.columns, radius_of(call), backward);
    const std::int64_t row = static_cast<std::int64_t>(call.network.hidden) * (width.hidden + (backward ? width.inner : 0));
    int strip = plan.rows;
    while (strip > 1 && strip * row > floats) strip /= 2;
    return strip;
}

/// Fills rows, columns, strip, shared_bytes and output_in_shared of a plan that fits into `limit` bytes; rows = 0 where none does.
inline LwAttentionPlan fit_within(const LwAttention& call, bool backward, std::int64_t limit, int fewest_rows) {
    constexpr int kSizes[][2] = {{64, 64}, {32, 64}, {32, 32}, {16, 64}, {16, 32}, {16, 16}, {8, 16}, {4, 16}, {2, 8}, {1, 8}, {1, 1}};
    LwAttentionPlan plan{};
    for (const bool output_in_shared : {true, false}) {
        if (backward && output_in_shared) continue;
        for (const auto& size : kSizes) {
            plan.rows = size[0];
            plan.columns = size[1];
            plan.output_in_shared = output_in_shared;
            plan.strip = has_network(call) ? strip_rows(call, plan, backward, limit / 16) : plan.rows;
            const auto bytes = shared_bytes(call, plan, backward);
            // Outputs stay outside rather than force tiles upon which tensor cores starve.
            if (bytes > limit || plan.rows < fewest_rows || (output_in_shared && plan.rows < 16)) continue;
            plan.shared_bytes = static_cast<std::int32_t>(bytes);
            return plan;
        }
    }
    plan.rows = 0;
    return plan;
}

/// The largest tiles that leave room for a second block, since one block's barriers are another's time; else whatever fits.
inline LwAttentionPlan fit_tiles(const LwAttention& call, bool backward, std::int64_t limit) {
    const auto shared = fit_within(call, backward, limit / 2, 16);
    return shared.rows > 0 ? shared : fit_within(call, backward, limit, 1);
}

}  // namespace lw::kernels
