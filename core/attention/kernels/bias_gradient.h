#pragma once
/// The gradient of a static bias from the tile's own cells, where input_gradients() or static_gradients() left it: sums along diagonals for what
/// depends on the distance, sums over cells for FIRE's network.

#include "core/attention/kernels/attention_tile.h"

namespace lw::kernels {

/// Where the parts of a FIRE gradient stand in a slot.
struct LogDistanceGradient {
    float *distance, *row, *first, *first_bias, *second, *second_bias;
    LW_HOST_DEVICE LogDistanceGradient(const LwAttention& call, float* slot)
        : distance(slot), row(distance + call.bias.distances), first(row + call.queries), first_bias(first + call.bias.width), second(first_bias + call.bias.width),
          second_bias(second + call.heads * call.bias.width) {}
};

/// Floats of one slot.
LW_HOST_DEVICE inline std::int64_t bias_gradient_size(const LwAttention& call) {
    const std::int64_t heads = call.heads, width = call.bias.width, distances = call.bias.distances;
    return call.bias.table ? heads * distances : distances + call.queries + 2 * width + heads * width + heads;
}

/// The value at the tile's own cell, in the array that the bias had.
LW_HOST_DEVICE inline float own_bias(const Tile& tile, int h, int row, int c) { return tile.bias[tile.score_at(h, row, c + 4 * tile.radius)]; }

/// Adds the sum along each diagonal of head h's plane to out[δ]; a thread takes a diagonal.
LW_HOST_DEVICE inline void diagonal_sum(const Tile& tile, int h, int diagonal, float* out) {
    const int shift = diagonal - (tile.width.own - 1);  // row - column
    const int distance = tile.last_key(0) - tile.column0 + shift;
    if (distance < 0 || distance >= tile.call.keys) return;
    float sum = 0;
    for (int row = larger(shift, 0); row < tile.rows && row - shift < tile.width.own; ++row) sum += own_bias(tile, h, row, row - shift);
    accumulate(out + distance, sum);
}

LW_HOST_DEVICE inline void table_gradient(const Worker& worker, const Tile& tile, float* slot) {
    const int diagonals = tile.rows + tile.width.own - 1;
    for (int index = worker.thread; index < tile.heads.count * diagonals; index += worker.threads) {
        const int h = index / diagonals;
        diagonal_sum(tile, h, index % diagonals, slot + static_cast<std::int64_t>(tile.head(h)) * tile.call.bias.distances);
    }
}

LW_HOST_DEVICE inline float log_distance_argument(const Tile& tile, int row, int key) {
    return tile.call.bias.distance[tile.last_key(row) - key] / tile.call.bias.row[tile.row0 + row];
}

/// Own keys that a row sees.
LW_HOST_DEVICE inline int own_visible(const Tile& tile, int row) { return smaller(tile.columns(), tile.last_key(row) - tile.column0 + 1); }

/// The network's weights: a thread takes a hidden unit and a row.
LW_HOST_DEVICE inline void log_distance_weights(const Worker& worker, const Tile& tile, const LogDistanceGradient& out) {
    const auto network = log_distance_of(tile);
    const int step = tile.score_step();
    for (int index = worker.thread; index < network.width * tile.rows; index += worker.threads) {
        const int unit = index % network.width, row = index / network.width;
        float slope = 0, offset = 0;
        for (int c = 0; c < own_visible(tile, row); ++c) {
            const float x = log_distance_argument(tile, row, tile.column0 + c);
            const float inner = log_distance_inner(network, x, unit, tile.bias + tile.score_at(0, row, c + 4 * tile.radius), step);
            slope += inner * x;
            offset += inner;
        }
        accumulate(out.first + unit, slope);
        accumulate(out.first_bias + unit, offset);
    }
}

/// The heads' weights: a thread takes a head, a hidden unit (or the constant behind the last one) and a row.
LW_HOST_DEVICE inline void log_distance_heads(const Worker& worker, const Tile& tile, const LogDistanceGradient& out) {
    const auto network = log_distance_of(tile);
    const int units = network.width + 1;
    for (int index = worker.thread; index < network.heads * units * tile.rows; index += worker.threads) {
        const int unit = index % units, h = index / units % network.heads, row = index / (units * network.heads);
        float sum = 0;
        for (int c = 0; c < own_visible(tile, row); ++c) {
            const float hidden = unit < network.width ? network.act(network.before(unit, log_distance_argument(tile, row, tile.column0 + c))) : 1.0f;
            sum += hidden * own_bias(tile, h, row, c);
        }
        accumulate(unit < network.width ? out.second + tile.head(h) * network.width + unit : out.second_bias + tile.head(h), sum);
    }
}

/// Replaces the gradients of the heads' biases by that of the network's argument, in head 0's plane.
LW_HOST_DEVICE inline void log_distance_inputs(const Worker& worker, const Tile& tile) {
    const auto network = log_distance_of(tile);
    const int step = tile.score_step();
    for (int index = worker.thread; index < tile.rows * tile.width.own; index += worker.threads) {
        const int row = index / tile.width.own, c = index % tile.width.own;
        float* cell = tile.bias + tile.score_at(0, row, c + 4 * tile.radius);
        float sum = 0;
        if (c < own_visible(tile, row)) {
            const float x = log_distance_argument(tile, row, tile.column0 + c);
            for (int unit = 0; unit < network.width; ++unit) sum += network.first[unit] * log_distance_inner(network, x, unit, cell, step);
        }
        *cell = sum / tile.call.bias.row[tile.row0 + row];  // by ψ(δ)
    }
}

/// x = ψ(δ) / row: what the argument's gradient, already divided by the row's value, means for both.
LW_HOST_DEVICE inline void log_distance_arguments(const Worker& worker, const Tile& tile, const LogDistanceGradient& out) {
    const int diagonals = tile.rows + tile.width.own - 1;
    for (int index = worker.thread; index < diagonals + tile.rows; index += worker.threads) {
        if (index < diagonals) {
            diagonal_sum(tile, 0, index, out.distance);
            continue;
        }
        const int row = index - diagonals;
        float sum = 0;
        for (int c = 0; c < own_visible(tile, row); ++c) sum -= own_bias(tile, 0, row, c) * log_distance_argument(tile, row, tile.column0 + c);
        accumulate(out.row + tile.row0 + row, sum);
    }
}

template <class Run>
LW_HOST_DEVICE void bias_gradient(const Tile& tile, float* slot, const Run& run) {
    if (tile.call.bias.table != nullptr) {
        run([&](const Worker& worker) { table_gradient(worker, tile, slot); });
        return;
    }
    const LogDistanceGradient out(tile.call, slot);
    run([&](const Worker& worker) {
        log_distance_weights(worker, tile, out);
        log_distance_heads(worker, tile, out);
    });
    run([&](const Worker& worker) { log_distance_inputs(worker, tile); });
    run([&](const Worker& worker) { log_distance_arguments(worker, tile, out); });
}

}  // namespace lw::kernels
