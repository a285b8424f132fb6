#pragma once
/// A tile of scores: some query rows, some keys, one head or (where a network mixes them) all heads. Where its values lie in shared
/// memory, which cells are visible, and the phases that fill it with content and bias. A phase is called by every thread of a block, with a barrier
/// behind it; tests call it for one thread after the other.
///
/// A network of kernel k = 2 r + 1 reads neighbours, so that arrays reach past the tile's own keys: logits (and their gradients) by e keys on each side,
/// hidden values by e + r, scores by e + 2 r; e is 0 forward, 2 r backward.

#include "core/attention/kernels/cuda/library.h"
#include "core/attention/kernels/log_distance.h"
#include "core/attention/kernels/tile_product.h"

namespace lw::kernels {

/// Heads that a block treats together.
struct HeadGroup {
    int batch = 0, first = 0, count = 1;
};

LW_HOST_DEVICE inline bool has_network(const LwAttention& call) { return call.network.w2 != nullptr; }
LW_HOST_DEVICE inline bool has_bias(const LwAttention& call) { return call.bias.table != nullptr || call.bias.distance != nullptr; }
LW_HOST_DEVICE inline int radius_of(const LwAttention& call) { return has_network(call) ? call.network.kernel / 2 : 0; }
/// Heads mix in a network; without one every head has blocks of its own.
LW_HOST_DEVICE inline int heads_per_block(const LwAttention& call) { return has_network(call) ? call.heads : 1; }
LW_HOST_DEVICE inline int head_groups(const LwAttention& call) { return call.heads / heads_per_block(call); }

/// Widths of a tile's arrays, in keys. Rows of scores and logits lie an odd number of floats apart, so that threads that each take a row find different
/// banks of shared memory.
struct TileWidths {
    int own = 0, logit = 0, hidden = 0, score = 0, inner = 0, logit_pitch = 0, score_pitch = 0;
    LW_HOST_DEVICE TileWidths(int columns, int radius, bool backward)
        : own(columns), logit(columns + (backward ? 4 * radius : 0)), hidden(logit + 2 * radius), score(logit + 4 * radius), inner(columns + 2 * radius),
          logit_pitch(logit | 1), score_pitch(score | 1) {}
};

struct Tile {
    const LwAttention& call;
    HeadGroup heads;
    TileWidths width;
    int pitch_rows;         ///< rows that the arrays have room for
    int radius, halo;       ///< r, e
    int row0 = 0, rows = 0, column0 = 0;
    float* scores;          ///< [heads, R, width.score_pitch]: content, 0 where hidden; later its gradient
    float* bias;            ///< [heads, R, width.score_pitch] or null; later its gradient
    float* weights;         ///< [heads, R, width.logit_pitch]: logits, then softmax weights
    float* gradients;       ///< [heads, R, width.logit_pitch]: gradients of the weights, then of the logits; null forward
    float* hidden;          ///< [strip, width.hidden, D]
    float* inner;           ///< [strip, width.inner, D]: gradients of the hidden layer's inputs; null forward

    LW_HOST_DEVICE int head(int h) const { return heads.first + h; }
    LW_HOST_DEVICE int key_head(int h) const { return head(h) / (call.heads / call.key_heads); }
    /// The query's own key: the last one it sees.
    LW_HOST_DEVICE int last_key(int row) const { return call.keys - call.queries + row0 + row; }
    LW_HOST_DEVICE bool visible(int row, int key) const { return key >= 0 && key <= last_key(row); }
    /// The key that column c of a logit-wide or a score-wide array belongs to.
    LW_HOST_DEVICE int logit_key(int c) const { return column0 - halo + c; }
    LW_HOST_DEVICE int score_key(int c) const { return column0 - halo - 2 * radius + c; }
    LW_HOST_DEVICE int score_at(int h, int row, int c) const { return (h * pitch_rows + row) * width.score_pitch + c; }
    LW_HOST_DEVICE int logit_at(int h, int row, int c) const { return (h * pitch_rows + row) * width.logit_pitch + c; }
    /// From a head's plane to the next.
    LW_HOST_DEVICE int score_step() const { return pitch_rows * width.score_pitch; }
    LW_HOST_DEVICE int logit_step() const { return pitch_rows * width.logit_pitch; }
    /// Own keys that are there.
    LW_HOST_DEVICE int columns() const { return smaller(width.own, call.keys - column0); }
    /// A place in a [B, H, Tq] array.
    LW_HOST_DEVICE std::int64_t row_index(int h, int row) const {
        return (static_cast<std::int64_t>(heads.batch) * call.heads + head(h)) * call.queries + row0 + row;
    }
    LW_HOST_DEVICE std::int64_t key_index(int h, int key) const {
        return (static_cast<std::int64_t>(heads.batch) * call.heads + head(h)) * call.keys + key;
    }
    template <class Number>
    LW_HOST_DEVICE const Number* at(const LwTensor& x, int head, int t) const {
        return static_cast<const Number*>(x.data) + heads.batch * x.batch + head * x.head + t * x.row;
    }
};

/// What a kernel is compiled for.
template <class ElementType, Math kMathType>
struct Kind {
    using Element = ElementType;
    static constexpr Math kMath = kMathType;
};

/// Products of the rows of `left` (queries) with the rows of `right` (keys) over the keys first_key .. first_key + columns - 1.
template <class K, class Store>
LW_HOST_DEVICE void row_products(const Worker& worker, const Tile& tile, const LwTensor& left, const LwTensor& right, int first_key, int columns, int depth,
                                 const Store& store) {
    using Element = typename K::Element;
    tile_product<K::kMath, Operands::halves>(
        worker, {tile.heads.count, tile.rows, columns, 1, depth},
        [&](int h, int, int m) { return line(tile.at<Element>(left, tile.head(h), tile.row0 + m)); },
        [&](int h, int, int n) {
            const int key = first_key + n;
            return key < 0 || key >= tile.call.keys ? Line<Element, true>{} : line(tile.at<Element>(right, tile.key_head(h), key));
        },
        store);
}

/// scores = scale · q · k, and 0 where hidden: a convolution must not see the future, and other terms do not ask.
template <class K>
LW_HOST_DEVICE void content_phase(const Worker& worker, const Tile& tile) {
    row_products<K>(worker, tile, tile.call.q, tile.call.k, tile.score_key(0), tile.width.score, tile.call.width, [&](int h, int m, int n, float value) {
        tile.scores[tile.score_at(h, m, n)] = tile.visible(m, tile.score_key(n)) ? value * tile.call.scale : 0.0f;
    });
}

LW_HOST_DEVICE inline LogDistanceNetwork log_distance_of(const Tile& tile) {
    const auto& bias = tile.call.bias;
    return {bias.first, bias.first_bias, bias.second + tile.heads.first * bias.width, bias.second_bias + tile.heads.first, tile.heads.count, bias.width, bias.slope};
}

/// FIRE's network at every cell.
LW_HOST_DEVICE inline void log_distance_phase(const Worker& worker, const Tile& tile) {
    const auto network = log_distance_of(tile);
    const int head_step = tile.score_step();
    for (int index = worker.thread; index < tile.rows * tile.width.score; index += worker.threads) {
        const int row = index / tile.width.score, c = index % tile.width.score, key = tile.score_key(c);
        float* cell = tile.bias + tile.score_at(0, row, c);
        if (tile.visible(row, key)) {
            log_distance_bias(network, tile.call.bias.distance[tile.last_key(row) - key] / tile.call.bias.row[tile.row0 + row], cell, head_step);
        } else {
            for (int h = 0; h < tile.heads.count; ++h) cell[h * head_step] = 0.0f;
        }
    }
}

/// The static bias at every cell, 0 where hidden.
LW_HOST_DEVICE inline void bias_phase(const Worker& worker, const Tile& tile) {
    if (tile.bias == nullptr) return;
    if (tile.call.bias.table == nullptr) return log_distance_phase(worker, tile);
    const int cells = tile.rows * tile.width.score;
    for (int index = worker.thread; index < tile.heads.count * cells; index += worker.threads) {
        const int h = index / cells, row = index % cells / tile.width.score, c = index % tile.width.score, key = tile.score_key(c);
        const float* table = tile.call.bias.table + static_cast<std::int64_t>(tile.head(h)) * tile.call.bias.distances;
        tile.bias[tile.score_at(h, row, c)] = tile.visible(row, key) ? table[tile.last_key(row) - key] : 0.0f;
    }
}

/// put(head, row, column, logit) for every cell where no network acts; arrays then have no halo.
template <class Put>
LW_HOST_DEVICE void static_logits(const Worker& worker, const Tile& tile, const Put& put) {
    const int cells = tile.rows * tile.width.logit;
    for (int index = worker.thread; index < tile.heads.count * cells; index += worker.threads) {
        const int h = index / cells, row = index % cells / tile.width.logit, c = index % tile.width.logit, at = tile.score_at(h, row, c);
        put(h, row, c, tile.scores[at] + (tile.bias ? tile.bias[at] : 0.0f));
    }
}

}  // namespace lw::kernels
