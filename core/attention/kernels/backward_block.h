#pragma once
/// The backward pass, scores recomputed tile by tile. Blocks that own keys sum the gradients of k, v and of the parameters over all rows; blocks that own
/// rows sum the gradient of q over all keys. Twice the work of one pass, but nobody adds to another's sums, so that results do not depend on timing.

#include "core/attention/kernels/bias_gradient.h"
#include "core/attention/kernels/dape_strip.h"
#include "core/attention/kernels/shared_layout.h"

#include <cmath>

namespace lw::kernels {

/// gradients = output gradient · v: what the softmax weights receive.
template <class K>
LW_HOST_DEVICE void weight_gradient_phase(const Worker& worker, const LwAttentionBackward& call, const Tile& tile) {
    row_products<K>(worker, tile, call.output_gradient, tile.call.v, tile.logit_key(0), tile.width.logit, tile.call.value_width,
                    [&](int h, int m, int n, float value) { tile.gradients[tile.logit_at(h, m, n)] = value; });
}

/// From a logit: the weight, and in place of the weight's gradient the logit's.
struct BackThroughSoftmax {
    const LwAttentionBackward& call;
    const Tile& tile;
    LW_HOST_DEVICE void operator()(int h, int row, int c, float logit) const {
        const int at = tile.logit_at(h, row, c);
        const bool visible = tile.visible(row, tile.logit_key(c));
        const auto index = tile.row_index(h, row);
        const float weight = visible ? expf(logit - call.log_normaliser[index]) : 0.0f;
        tile.weights[at] = weight;
        tile.gradients[at] = visible ? weight * (tile.gradients[at] - call.delta[index]) : 0.0f;
    }
};

/// Where no network acts, content and bias receive the logit's gradient as it is.
LW_HOST_DEVICE inline void static_gradients(const Worker& worker, const Tile& tile) {
    const int cells = tile.rows * tile.width.logit;
    for (int index = worker.thread; index < tile.heads.count * cells; index += worker.threads) {
        const int h = index / cells, row = index % cells / tile.width.logit, c = index % tile.width.logit;
        const float gradient = tile.gradients[tile.logit_at(h, row, c)];
        tile.scores[tile.score_at(h, row, c)] = gradient;
        if (tile.bias) tile.bias[tile.score_at(h, row, c)] = gradient;
    }
}

/// One strip there and back; `parameters` is null where another block sums those.
template <class K, class Run>
LW_HOST_DEVICE void strip_backward(const LwAttentionBackward& call, const Tile& tile, const Strip& strip, const NetworkGradient* parameters, const Run& run) {
    run([&](const Worker& worker) { hidden_phase<K>(worker, tile, strip); });
    run([&](const Worker& worker) { logit_phase<K>(worker, tile, strip, BackThroughSoftmax{call, tile}); });
    run([&](const Worker& worker) { inner_phase<K>(worker, tile, strip); });
    if (parameters) {
        run([&](const Worker& worker) {
            first_layer_gradient<K>(worker, tile, strip, *parameters);
            second_layer_gradient<K>(worker, tile, strip, *parameters);
            offset_gradients(worker, tile, strip, *parameters);
        });
    }
    run([&](const Worker& worker) { input_gradients<K>(worker, tile, strip); });
}

/// Leaves the softmax weights in tile.weights and the gradients of content and bias at own cells in tile.scores and tile.bias.
template <class K, class Run>
LW_HOST_DEVICE void tile_backward(const LwAttentionBackward& call, const Tile& tile, float* network_slot, const Run& run) {
    run([&](const Worker& worker) {
        content_phase<K>(worker, tile);
        bias_phase(worker, tile);
        weight_gradient_phase<K>(worker, call, tile);
    });
    if (!has_network(tile.call)) {
        run([&](const Worker& worker) { static_logits(worker, tile, BackThroughSoftmax{call, tile}); });
        run([&](const Worker& worker) { static_gradients(worker, tile); });
        return;
    }
    const NetworkGradient parameters(tile.call, network_slot);
    for (int first = 0; first < tile.rows; first += call.plan.strip) {
        const Strip strip{first, smaller(call.plan.strip, tile.rows - first)};
        strip_backward<K>(call, tile, strip, network_slot ? &parameters : nullptr, run);
    }
}

/// Adds scoreᵀ gradients · q to k's gradient and weightsᵀ · output gradient to v's.
template <class K>
LW_HOST_DEVICE void key_gradients(const Worker& worker, const LwAttentionBackward& call, const Tile& tile) {
    using Element = typename K::Element;
    const int depth = tile.call.width, value_depth = tile.call.value_width;
    tile_product<K::kMath, Operands::any>(
        worker, {tile.heads.count, tile.columns(), depth, 1, tile.rows},
        [&](int h, int, int m) { return line(static_cast<const float*>(tile.scores) + tile.score_at(h, 0, m + 4 * tile.radius), tile.width.score_pitch); },
        [&](int h, int, int n) { return line(tile.at<Element>(tile.call.q, tile.head(h), tile.row0) + n, tile.call.q.row); },
        [&](int h, int m, int n, float value) { call.k_gradient[tile.key_index(h, tile.column0 + m) * depth + n] += value * tile.call.scale; });
    tile_product<K::kMath, Operands::halves>(
        worker, {tile.heads.count, tile.columns(), value_depth, 1, tile.rows},
        [&](int h, int, int m) { return line(static_cast<const float*>(tile.weights) + tile.logit_at(h, 0, m + 2 * tile.radius), tile.width.logit_pitch); },
        [&](int h, int, int n) { return line(tile.at<Element>(call.output_gradient, tile.head(h), tile.row0) + n, call.output_gradient.row); },
        [&](int h, int m, int n, float value) { call.v_gradient[tile.key_index(h, tile.column0 + m) * value_depth + n] += value; });
}

/// Adds score gradients · k to q's gradient.
template <class K>
LW_HOST_DEVICE void query_gradients(const Worker& worker, const LwAttentionBackward& call, const Tile& tile) {
    using Element = typename K::Element;
    const int depth = tile.call.width;
    tile_product<K::kMath, Operands::any>(
        worker, {tile.heads.count, tile.rows, depth, 1, tile.columns()},
        [&](int h, int, int m) { return line(static_cast<const float*>(tile.scores) + tile.score_at(h, m, 4 * tile.radius)); },
        [&](int h, int, int n) { return line(tile.at<Element>(tile.call.k, tile.key_head(h), tile.column0) + n, tile.call.k.row); },
        [&](int h, int m, int n, float value) { call.q_gradient[tile.row_index(h, m) * depth + n] += value * tile.call.scale; });
}

/// Where a block adds its parameters' gradients.
struct ParameterSlots {
    float *network, *bias;  ///< null without one
    LW_HOST_DEVICE ParameterSlots(const LwAttentionBackward& call, int block)
        : network(call.network_gradient ? call.network_gradient + block * NetworkGradient::size(call.attention) : nullptr),
          bias(call.bias_gradient ? call.bias_gradient + block % call.bias_slots * bias_gradient_size(call.attention) : nullptr) {}
};

/// One tile of keys, all rows that see it.
template <class K, class Run>
LW_HOST_DEVICE void key_tile_backward(const LwAttentionBackward& call, Tile& tile, const ParameterSlots& slots, const Run& run) {
    const int first_row = larger(0, tile.column0 - (tile.call.keys - tile.call.queries));
    for (tile.row0 = first_row; tile.row0 < tile.call.queries; tile.row0 += call.plan.rows) {
        tile.rows = smaller(call.plan.rows, tile.call.queries - tile.row0);
        tile_backward<K>(call, tile, slots.network, run);
        run([&](const Worker& worker) { key_gradients<K>(worker, call, tile); });
        if (slots.bias) bias_gradient(tile, slots.bias, run);
    }
}

/// Block `block` of `blocks` takes every blocks-th tile of batch x head groups x key tiles.
template <class K, class Run>
LW_HOST_DEVICE void backward_keys_block(const LwAttentionBackward& call, int block, int blocks, float* shared, const Run& run) {
    const LwAttention& attention = call.attention;
    const int groups = attention.batch * head_groups(attention), tiles = groups * quotient_up(attention.keys, call.plan.columns);
    const SharedLayout layout(attention, call.plan, true, shared);
    const ParameterSlots slots(call, block);
    for (int number = block; number < tiles; number += blocks) {
        Tile tile = layout.tile(attention, call.plan, group_of(attention, number % groups));
        tile.column0 = number / groups * call.plan.columns;  // the first keys are seen by the most rows
        key_tile_backward<K>(call, tile, slots, run);
    }
}

/// Block number `block` of batch x head groups x row tiles.
template <class K, class Run>
LW_HOST_DEVICE void backward_queries_block(const LwAttentionBackward& call, int block, float* shared, const Run& run) {
    const LwAttention& attention = call.attention;
    const int groups = attention.batch * head_groups(attention);
    const SharedLayout layout(attention, call.plan, true, shared);
    Tile tile = layout.tile(attention, call.plan, group_of(attention, block % groups));
    tile.row0 = (quotient_up(attention.queries, call.plan.rows) - 1 - block / groups) * call.plan.rows;
    tile.rows = smaller(call.plan.rows, attention.queries - tile.row0);
    const int end = tile.last_key(tile.rows - 1) + 1;
    for (tile.column0 = 0; tile.column0 < end; tile.column0 += call.plan.columns) {
        tile_backward<K>(call, tile, nullptr, run);
        run([&](const Worker& worker) { query_gradients<K>(worker, call, tile); });
    }
}

}  // namespace lw::kernels
