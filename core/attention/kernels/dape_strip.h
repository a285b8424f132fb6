#pragma once
/// DAPE's network on a strip of a tile's rows: f = W2 ∗ leaky(W1 ∗ (S, B) + b1) + b2 with kernels of k keys (1: DAPE itself), and its gradients. Only a
/// strip's hidden values exist at a time, in shared memory.
///
///   z(j) = b1 + Σ_t W1[t] u(j + t - r),  f(j) = b2 + Σ_t W2[t] leaky(z(j + t - r));  u = 0 past the query's own key and before key 0, and hidden
///   values before key 0 are 0; those past the query's own key are what zeros give (encodings: DAPE v2, zero padding).

#include "core/attention/kernels/attention_tile.h"

namespace lw::kernels {

/// Rows first .. first + count - 1 of a tile.
struct Strip {
    int first = 0, count = 0;
};

/// A place in an array of strip rows, seen from the flat index of its cells.
struct StripCell {
    int row, column;
    LW_HOST_DEVICE StripCell(int index, int width) : row(index / width), column(index % width) {}
};

/// Hidden values of the strip, width.hidden cells a row.
template <class K>
LW_HOST_DEVICE void hidden_phase(const Worker& worker, const Tile& tile, const Strip& strip) {
    const auto& net = tile.call.network;
    const int heads = tile.heads.count, sources = (net.w1_content ? 1 : 0) + (net.w1_bias ? 1 : 0), head_step = tile.score_step();
    const auto reads_bias = [&](int segment) { return net.w1_content == nullptr || segment % sources == 1; };
    tile_product<K::kMath, Operands::any>(
        worker, {1, strip.count * tile.width.hidden, net.hidden, net.kernel * sources, heads},
        [&](int, int segment, int m) {
            const StripCell cell(m, tile.width.hidden);
            return line(static_cast<const float*>(reads_bias(segment) ? tile.bias : tile.scores) + tile.score_at(0, strip.first + cell.row, cell.column + segment / sources), head_step);
        },
        [&](int, int segment, int n) { return line((reads_bias(segment) ? net.w1_bias : net.w1_content) + (segment / sources * net.hidden + n) * heads); },
        [&](int, int m, int n, float value) {
            const float z = value + (net.b1 ? net.b1[n] : 0.0f);
            const int key = tile.logit_key(0) - tile.radius + m % tile.width.hidden;
            tile.hidden[m * net.hidden + n] = key < 0 ? 0.0f : (z > 0 ? z : z * net.slope);
        });
}

/// put(head, row, column, logit) for the strip's cells, width.logit a row.
template <class K, class Put>
LW_HOST_DEVICE void logit_phase(const Worker& worker, const Tile& tile, const Strip& strip, const Put& put) {
    const auto& net = tile.call.network;
    const int heads = tile.heads.count;
    tile_product<K::kMath, Operands::any>(
        worker, {1, strip.count * tile.width.logit, heads, net.kernel, net.hidden},
        [&](int, int tap, int m) {
            const StripCell cell(m, tile.width.logit);
            return line(static_cast<const float*>(tile.hidden) + (cell.row * tile.width.hidden + cell.column + tap) * net.hidden);
        },
        [&](int, int tap, int n) { return line(net.w2 + (tap * heads + n) * net.hidden); },
        [&](int, int m, int n, float value) {
            const StripCell cell(m, tile.width.logit);
            const int row = strip.first + cell.row, at = tile.score_at(n, row, cell.column + 2 * tile.radius);
            const float bias = tile.bias && net.adds_bias ? tile.bias[at] : 0.0f;
            put(n, row, cell.column, tile.scores[at] + bias + value + (net.b2 ? net.b2[n] : 0.0f));
        });
}

/// Gradients of z, width.inner cells a row.
template <class K>
LW_HOST_DEVICE void inner_phase(const Worker& worker, const Tile& tile, const Strip& strip) {
    const auto& net = tile.call.network;
    const int heads = tile.heads.count, r = tile.radius;
    tile_product<K::kMath, Operands::any>(
        worker, {1, strip.count * tile.width.inner, net.hidden, net.kernel, heads},
        [&](int, int tap, int m) {
            const StripCell cell(m, tile.width.inner);
            return line(static_cast<const float*>(tile.gradients) + tile.logit_at(0, strip.first + cell.row, cell.column - tap + 2 * r), tile.logit_step());
        },
        [&](int, int tap, int n) { return line(net.w2 + tap * heads * net.hidden + n, net.hidden); },
        [&](int, int m, int n, float value) {
            const StripCell cell(m, tile.width.inner);
            const float hidden = tile.hidden[(cell.row * tile.width.hidden + cell.column + 2 * r) * net.hidden + n];
            tile.inner[m * net.hidden + n] = tile.column0 - r + cell.column < 0 ? 0.0f : (hidden > 0 ? value : value * net.slope);
        });
}

/// Where the parts of the network's gradient stand in a slot.
struct NetworkGradient {
    float *w1, *b1, *w2, *b2;  ///< [2, k, D, H] content and bias, [D], [k, H, D], [H]
    LW_HOST_DEVICE static std::int64_t size(const LwAttention& call) {
        const std::int64_t hidden = call.network.hidden, heads = call.heads, taps = call.network.kernel;
        return 3 * taps * hidden * heads + hidden + heads;
    }
    LW_HOST_DEVICE NetworkGradient(const LwAttention& call, float* slot)
        : w1(slot), b1(w1 + 2 * call.network.kernel * call.network.hidden * call.heads), w2(b1 + call.network.hidden),
          b2(w2 + call.network.kernel * call.network.hidden * call.heads) {}
};

/// W1's gradient from the tile's own keys: what u at key j gave to z at j - t + r.
template <class K>
LW_HOST_DEVICE void first_layer_gradient(const Worker& worker, const Tile& tile, const Strip& strip, const NetworkGradient& out) {
    const auto& net = tile.call.network;
    const int heads = tile.heads.count, r = tile.radius;
    tile_product<K::kMath, Operands::any>(
        worker, {(tile.bias ? 2 : 1) * net.kernel, net.hidden, heads, strip.count, tile.width.own},
        [&](int batch, int row, int m) {
            return line(static_cast<const float*>(tile.inner) + (row * tile.width.inner + 2 * r - batch % net.kernel) * net.hidden + m, net.hidden);
        },
        [&](int batch, int row, int n) {
            return line(static_cast<const float*>(batch < net.kernel ? tile.scores : tile.bias) + tile.score_at(n, strip.first + row, 4 * r));
        },
        [&](int batch, int m, int n, float value) { accumulate(out.w1 + (batch * net.hidden + m) * heads + n, value); });
}

/// W2's gradient: what hidden values at j + t - r gave to the logits at the tile's own keys j.
template <class K>
LW_HOST_DEVICE void second_layer_gradient(const Worker& worker, const Tile& tile, const Strip& strip, const NetworkGradient& out) {
    const auto& net = tile.call.network;
    const int heads = tile.heads.count, r = tile.radius;
    tile_product<K::kMath, Operands::any>(
        worker, {net.kernel, heads, net.hidden, strip.count, tile.width.own},
        [&](int, int row, int m) { return line(static_cast<const float*>(tile.gradients) + tile.logit_at(m, strip.first + row, 2 * r)); },
        [&](int tap, int row, int n) { return line(static_cast<const float*>(tile.hidden) + (row * tile.width.hidden + tap + 2 * r) * net.hidden + n, net.hidden); },
        [&](int tap, int m, int n, float value) { accumulate(out.w2 + (tap * heads + m) * net.hidden + n, value); });
}

/// b1's and b2's gradients. Hidden values past the query's own key belong to the tile that holds this key.
LW_HOST_DEVICE inline void offset_gradients(const Worker& worker, const Tile& tile, const Strip& strip, const NetworkGradient& out) {
    const auto& net = tile.call.network;
    for (int index = worker.thread; index < net.hidden + tile.heads.count; index += worker.threads) {
        float sum = 0;
        for (int row = 0; row < strip.count; ++row) {
            const int last = tile.last_key(strip.first + row) - tile.column0;
            if (index < net.hidden) {
                const int end = last >= tile.width.own ? tile.width.own : (last < 0 ? 0 : last + 1 + tile.radius);
                for (int c = 0; c < end; ++c) sum += tile.inner[(row * tile.width.inner + c + tile.radius) * net.hidden + index];
            } else {
                for (int c = 0; c < tile.width.own; ++c) sum += tile.gradients[tile.logit_at(index - net.hidden, strip.first + row, c + 2 * tile.radius)];
            }
        }
        accumulate(index < net.hidden ? out.b1 + index : out.b2 + index - net.hidden, sum);
    }
}

/// Puts the gradients of content and bias at the tile's own keys into the places of their values.
template <class K>
LW_HOST_DEVICE void input_gradients(const Worker& worker, const Tile& tile, const Strip& strip) {
    const auto& net = tile.call.network;
    const int heads = tile.heads.count, r = tile.radius;
    const auto weights_of = [&](int source) { return source == 0 ? net.w1_content : net.w1_bias; };
    tile_product<K::kMath, Operands::any>(
        worker, {tile.bias ? 2 : 1, strip.count * tile.width.own, heads, net.kernel, net.hidden},
        [&](int source, int tap, int m) {
            const StripCell cell(m, tile.width.own);
            const float* inner = tile.inner + (cell.row * tile.width.inner + cell.column - tap + 2 * r) * net.hidden;
            return line(weights_of(source) ? inner : nullptr);
        },
        [&](int source, int tap, int n) {
            const float* w = weights_of(source);
            return line(w ? w + tap * net.hidden * heads + n : nullptr, heads);
        },
        [&](int source, int m, int n, float value) {
            const StripCell cell(m, tile.width.own);
            const int row = strip.first + cell.row;
            const float direct = source == 0 || net.adds_bias ? tile.gradients[tile.logit_at(n, row, cell.column + 2 * r)] : 0.0f;
            float* place = (source == 0 ? tile.scores : tile.bias) + tile.score_at(n, row, cell.column + 4 * r);
            *place = tile.visible(row, tile.column0 + cell.column) ? value + direct : 0.0f;
        });
}

}  // namespace lw::kernels
