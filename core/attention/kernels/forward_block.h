#pragma once
/// The forward pass of one block: some query rows of one sequence, all keys they see, tile by tile, with an online softmax (1805.02867).

#include "core/attention/kernels/dape_chain.h"
#include "core/attention/kernels/dape_strip.h"
#include "core/attention/kernels/shared_layout.h"

#include <cmath>

namespace lw::kernels {

/// Of each row: the running maximum, the sum of exponentials under it, the factor that turns sums of before into sums under the new maximum, and what
/// the threads that share the row found in their parts of it.
struct RowState {
    float *maximum, *sum, *factor;      ///< [heads R]
    float *part_maximum, *part_sum;     ///< [kRowParts, heads R]
    int rows;
    LW_HOST_DEVICE RowState(float* shared, int row_count)
        : maximum(shared), sum(shared + row_count), factor(shared + 2 * row_count), part_maximum(shared + 3 * row_count),
          part_sum(part_maximum + kRowParts * row_count), rows(row_count) {}
    /// The maximum with this tile's keys. Comparisons leave NaN out; it comes back through the sum.
    LW_HOST_DEVICE float new_maximum(int row) const {
        float top = maximum[row];
        for (int part = 0; part < kRowParts; ++part) top = part_maximum[part * rows + row] > top ? part_maximum[part * rows + row] : top;
        return top;
    }
};

/// What exponents are taken from: -inf at all keys so far must give sums of 0, not NaN.
LW_HOST_DEVICE inline float reference_of(float maximum) { return maximum == -INFINITY ? 0.0f : maximum; }

/// A thread's part of a row: the columns part, part + kRowParts, ..
struct RowPart {
    int part, head, row, at, count;
    LW_HOST_DEVICE RowPart(const Tile& tile, int index) {
        const int all = tile.heads.count * tile.rows;
        part = index / all;
        head = index % all / tile.rows;
        row = index % tile.rows;
        at = head * tile.pitch_rows + row;
        count = smaller(tile.columns(), tile.last_key(row) - tile.column0 + 1);  // visible ones, perhaps below 0
    }
};

LW_HOST_DEVICE inline void maximum_phase(const Worker& worker, const Tile& tile, const RowState& state) {
    for (int index = worker.thread; index < kRowParts * tile.heads.count * tile.rows; index += worker.threads) {
        const RowPart own(tile, index);
        const float* logits = tile.weights + tile.logit_at(own.head, own.row, 0);
        float top = -INFINITY;
        for (int c = own.part; c < own.count; c += kRowParts) top = logits[c] > top ? logits[c] : top;
        state.part_maximum[own.part * state.rows + own.at] = top;
    }
}

/// Logits become weights under the new maximum, 0 where hidden.
LW_HOST_DEVICE inline void exponential_phase(const Worker& worker, const Tile& tile, const RowState& state) {
    for (int index = worker.thread; index < kRowParts * tile.heads.count * tile.rows; index += worker.threads) {
        const RowPart own(tile, index);
        float* logits = tile.weights + tile.logit_at(own.head, own.row, 0);
        const float reference = reference_of(state.new_maximum(own.at));
        float added = 0;
        for (int c = own.part; c < tile.width.own; c += kRowParts) {
            logits[c] = c < own.count ? expf(logits[c] - reference) : 0.0f;
            added += logits[c];
        }
        state.part_sum[own.part * state.rows + own.at] = added;
    }
}

LW_HOST_DEVICE inline void sum_phase(const Worker& worker, const Tile& tile, const RowState& state) {
    for (int index = worker.thread; index < tile.heads.count * tile.rows; index += worker.threads) {
        const int at = RowPart(tile, index).at;
        const float top = state.new_maximum(at);
        state.factor[at] = expf(state.maximum[at] - reference_of(top));  // 0 before the first key
        float sum = state.sum[at] * state.factor[at];
        for (int part = 0; part < kRowParts; ++part) sum += state.part_sum[part * state.rows + at];
        state.sum[at] = sum;
        state.maximum[at] = top;
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
    if (chains<K>(tile.call)) {
        run([&](const Worker& worker) { chain_phase<K>(worker, tile, put); });
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
    const RowState state(layout.row_state, layout.rows);
    const OutputSums sums = output_sums(call, tile, layout.output);
    run([&](const Worker& worker) { start_phase(worker, tile, state, sums); });
    const int end = tile.last_key(tile.rows - 1) + 1;
    for (tile.column0 = 0; tile.column0 < end; tile.column0 += call.plan.columns) {
        run([&](const Worker& worker) {
            content_phase<K>(worker, tile);
            bias_phase(worker, tile);
        });
        forward_logits<K>(tile, call.plan.strip, run);
        run([&](const Worker& worker) { maximum_phase(worker, tile, state); });
        run([&](const Worker& worker) { exponential_phase(worker, tile, state); });
        run([&](const Worker& worker) { sum_phase(worker, tile, state); });
        run([&](const Worker& worker) { value_phase<K>(worker, tile, state, sums); });
    }
    run([&](const Worker& worker) { finish_phase<K>(worker, call, tile, state, sums); });
}

}  // namespace lw::kernels
