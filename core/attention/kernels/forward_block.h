#pragma once
/// The forward pass of one block: some query rows of one sequence, all keys they see, tile by tile, with an online softmax (1805.02867).

#include "core/attention/kernels/dape_strip.h"
#include "core/attention/kernels/shared_layout.h"

#include <cmath>

namespace lw::kernels {

/// A row's running maximum, sum of exponentials, and the factor that turns sums of before into sums under the new maximum.
struct RowState {
    float *maximum, *sum, *factor;  ///< [heads, R] each
};

/// logits [0, count) -> weights under the running maximum, the rest of `columns` -> 0. NaN passes through; -inf everywhere leaves a sum of 0.
LW_HOST_DEVICE inline void online_softmax(float* logits, int count, int columns, float& maximum, float& sum, float& factor) {
    float top = maximum;
    for (int c = 0; c < count; ++c) top = logits[c] > top ? logits[c] : top;
    const float reference = top == -INFINITY ? 0.0f : top;
    factor = expf(maximum - reference);  // 0 before the first key
    float added = 0;
    for (int c = 0; c < count; ++c) {
        logits[c] = expf(logits[c] - reference);
        added += logits[c];
    }
    for (int c = larger(count, 0); c < columns; ++c) logits[c] = 0.0f;
    sum = sum * factor + added;
    maximum = top;
}

LW_HOST_DEVICE inline void softmax_phase(const Worker& worker, const Tile& tile, const RowState& state) {
    for (int index = worker.thread; index < tile.heads.count * tile.rows; index += worker.threads) {
        const int h = index / tile.rows, row = index % tile.rows, at = h * tile.pitch_rows + row;
        const int count = smaller(tile.columns(), tile.last_key(row) - tile.column0 + 1);
        online_softmax(tile.weights + tile.logit_at(h, row, 0), count, tile.width.own, state.maximum[at], state.sum[at], state.factor[at]);
    }
}

/// Where a block sums its outputs: shared memory, or the call's workspace.
struct OutputSums {
    float* data;
    std::int64_t head_step, row_step;
    LW_HOST_DEVICE float& at(int h, int row, int n) const { return data[h * head_step + row * row_step + n]; }
};

LW_HOST_DEVICE inline OutputSums output_sums(const LwAttentionForward& call, const Tile& tile, float* shared) {
    const int width = call.attention.value_width;
    if (call.plan.output_in_shared) return {shared, static_cast<std::int64_t>(tile.pitch_rows) * width, width};
    return {call.workspace + tile.row_index(0, 0) * width, static_cast<std::int64_t>(call.attention.queries) * width, width};
}

/// output = factor · output + weights · v.
template <class K>
LW_HOST_DEVICE void value_phase(const Worker& worker, const Tile& tile, const RowState& state, const OutputSums& sums) {
    using Element = typename K::Element;
    const auto& v = tile.call.v;
    tile_product<K::kMath, Operands::halves>(
        worker, {tile.heads.count, tile.rows, tile.call.value_width, 1, tile.columns()},
        [&](int h, int, int m) { return line(static_cast<const float*>(tile.weights) + tile.logit_at(h, m, 0)); },
        [&](int h, int, int n) { return line(tile.at<Element>(v, tile.key_head(h), tile.column0) + n, v.row); },
        [&](int h, int m, int n, float value) { sums.at(h, m, n) = sums.at(h, m, n) * state.factor[h * tile.pitch_rows + m] + value; });
}

LW_HOST_DEVICE inline void start_phase(const Worker& worker, const Tile& tile, const RowState& state, const OutputSums& sums) {
    for (int index = worker.thread; index < tile.heads.count * tile.rows; index += worker.threads) {
        const int h = index / tile.rows, row = index % tile.rows, at = h * tile.pitch_rows + row;
        state.maximum[at] = -INFINITY;
        state.sum[at] = 0.0f;
        for (int n = 0; n < tile.call.value_width; ++n) sums.at(h, row, n) = 0.0f;
    }
}

/// A row that sees no key, or -inf at all of them, becomes NaN, as in a softmax of the whole row.
template <class K>
LW_HOST_DEVICE void finish_phase(const Worker& worker, const LwAttentionForward& call, const Tile& tile, const RowState& state, const OutputSums& sums) {
    using Element = typename K::Element;
    const int width = tile.call.value_width;
    for (int index = worker.thread; index < tile.heads.count * tile.rows * width; index += worker.threads) {
        const int h = index / (tile.rows * width), row = index / width % tile.rows, n = index % width, at = h * tile.pitch_rows + row;
        auto* place = static_cast<Element*>(call.output.data) + tile.heads.batch * call.output.batch + tile.head(h) * call.output.head + (tile.row0 + row) * call.output.row + n;
        from_float(sums.at(h, row, n) / state.sum[at], *place);
        if (n == 0) call.log_normaliser[tile.row_index(h, row)] = state.maximum[at] + logf(state.sum[at]);
    }
}

/// Logits of the whole tile, strip by strip where a network acts.
template <class K, class Run>
LW_HOST_DEVICE void forward_logits(const Tile& tile, int strip_rows, const Run& run) {
    const auto put = [&](int h, int row, int c, float logit) { tile.weights[tile.logit_at(h, row, c)] = logit; };
    if (!has_network(tile.call)) {
        run([&](const Worker& worker) { static_logits(worker, tile, put); });
        return;
    }
    for (int first = 0; first < tile.rows; first += strip_rows) {
        const Strip strip{first, smaller(strip_rows, tile.rows - first)};
        run([&](const Worker& worker) { hidden_phase<K>(worker, tile, strip); });
        run([&](const Worker& worker) { logit_phase<K>(worker, tile, strip, put); });
    }
}

/// Block number `block` of batch x head groups x row tiles; `shared` has plan.shared_bytes. `run` lets all threads do a phase and waits for them.
template <class K, class Run>
LW_HOST_DEVICE void forward_block(const LwAttentionForward& call, int block, float* shared, const Run& run) {
    const LwAttention& attention = call.attention;
    SharedLayout layout(attention, call.plan, false, shared);
    Tile tile = layout.tile(attention, call.plan, group_of(attention, block % (attention.batch * head_groups(attention))));
    // The last rows see the most keys: they start first.
    tile.row0 = (quotient_up(attention.queries, call.plan.rows) - 1 - block / (attention.batch * head_groups(attention))) * call.plan.rows;
    tile.rows = smaller(call.plan.rows, attention.queries - tile.row0);
    const RowState state{layout.row_state, layout.row_state + layout.rows, layout.row_state + 2 * layout.rows};
    const OutputSums sums = output_sums(call, tile, layout.output);
    run([&](const Worker& worker) { start_phase(worker, tile, state, sums); });
    const int end = tile.last_key(tile.rows - 1) + 1;
    for (tile.column0 = 0; tile.column0 < end; tile.column0 += call.plan.columns) {
        run([&](const Worker& worker) {
            content_phase<K>(worker, tile);
            bias_phase(worker, tile);
        });
        forward_logits<K>(tile, call.plan.strip, run);
        run([&](const Worker& worker) { softmax_phase(worker, tile, state); });
        run([&](const Worker& worker) { value_phase<K>(worker, tile, state, sums); });
    }
    run([&](const Worker& worker) { finish_phase<K>(worker, call, tile, state, sums); });
}

}  // namespace lw::kernels
