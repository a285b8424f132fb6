#include "core/attention/kernels/cpu/prepared.h"

#include <algorithm>

namespace lw::kernels {

namespace {

constexpr std::int64_t kLine = 16;  // floats of a cache line, and of the widest vector
constexpr float kLog2E = 1.44269504088896340736f, kLn2 = 0.693147180559945309417f;

std::int64_t rounded_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// w [rows, columns] -> interleaved, times `factor`.
FloatBuffer interleaved(const float* w, std::int64_t rows, std::int64_t columns, float factor) {
    const auto count = rounded_up(rows, kInterleave) * columns;
    FloatBuffer result(count);
    std::fill_n(result.data(), count, 0.0f);
    for (std::int64_t row = 0; row < rows; ++row) {
        float* out = result.data() + row / kInterleave * columns * kInterleave + row % kInterleave;
        for (std::int64_t column = 0; column < columns; ++column) out[column * kInterleave] = w[row * columns + column] * factor;
    }
    return result;
}

FloatBuffer vector_or_zeros(const float* values, std::int64_t count, float factor) {
    FloatBuffer result(count);
    for (std::int64_t i = 0; i < count; ++i) result.data()[i] = values != nullptr ? values[i] * factor : 0.0f;
    return result;
}

/// Keys [from, to) of rows of d floats -> [d, tile_keys]; sixteen keys a time, so that whole cache lines are written. Zeros fill the last line.
void transpose_keys(const float* rows, std::int64_t row_stride, std::int64_t count, std::int64_t width, std::int64_t tile_keys, float* out) {
    for (std::int64_t key = 0; key < count; key += kLine) {
        const auto here = std::min(kLine, count - key);
        const float* source = rows + key * row_stride;
        for (std::int64_t c = 0; c < width; ++c) {
            float* line = out + c * tile_keys + key;
            for (std::int64_t i = 0; i < here; ++i) line[i] = source[i * row_stride + c];
            std::fill(line + here, line + kLine, 0.0f);
        }
    }
}

void copy_values(const float* rows, std::int64_t row_stride, std::int64_t count, std::int64_t width, std::int64_t stride, float* out) {
    for (std::int64_t key = 0; key < count; ++key, out += stride) {
        std::copy_n(rows + key * row_stride, width, out);
        std::fill(out + width, out + stride, 0.0f);
    }
}

}  // namespace

Prepared::Prepared(const AttentionCall& call) {
    width = call.width;
    tile_keys = std::min(kTileKeys, rounded_up(std::max<std::int64_t>(1, call.keys), kLine));
    tiles = (call.keys + tile_keys - 1) / tile_keys;
    value_stride = rounded_up(call.value_width, kLine);
    keys_ = FloatBuffer(call.batch * call.key_heads * tiles * width * tile_keys);
    values_ = FloatBuffer(call.batch * call.key_heads * tiles * tile_keys * value_stride);
    make_weights(call);
    if (call.bias.table != nullptr) make_tables(call);
}

void Prepared::make_weights(const AttentionCall& call) {
    const auto& network = call.network;
    b2 = vector_or_zeros(network.w2 != nullptr ? network.b2 : nullptr, call.heads, kLog2E);
    if (network.w2 == nullptr) return;
    if (network.w1_content != nullptr) w1_content = interleaved(network.w1_content, network.hidden, call.heads, kLn2);
    if (network.w1_bias != nullptr && call.bias.cells != nullptr) w1_bias = interleaved(network.w1_bias, network.hidden, call.heads, 1.0f);
    b1 = vector_or_zeros(network.b1, network.hidden, 1.0f);
    w2 = interleaved(network.w2, call.heads, network.hidden, kLog2E);
}

void Prepared::make_tables(const AttentionCall& call) {
    origin = call.before + call.queries - 1;
    const auto size = call.visible.end == nullptr ? origin + 1 : call.keys + call.queries - 1;
    // Tasks read whole tiles, past the last key of their last row.
    table_stride = rounded_up(size + kTileKeys + 8 * kLine, kLine);
    const auto& network = call.network;
    const bool reads = network.w2 != nullptr && network.w1_bias != nullptr;
    const bool adds = network.w2 == nullptr || network.adds_bias;
    FloatBuffer rising(call.heads * table_stride);  // [H, table_stride]
    for (std::int64_t h = 0; h < call.heads; ++h) {
        const float* source = call.bias.table + h * call.bias.stride;
        float* out = rising.data() + h * table_stride;
        for (std::int64_t r = 0; r < table_stride; ++r) out[r] = source[std::clamp<std::int64_t>(origin - r + call.bias.offset, 0, call.bias.stride - 1)];
    }
    if (reads) {
        hidden_table = FloatBuffer(network.hidden * table_stride);
        for (std::int64_t unit = 0; unit < network.hidden; ++unit) {
            float* out = hidden_table.data() + unit * table_stride;
            std::fill_n(out, table_stride, b1.data()[unit]);
            for (std::int64_t h = 0; h < call.heads; ++h) {
                const float weight = network.w1_bias[unit * call.heads + h];
                const float* values = rising.data() + h * table_stride;
                for (std::int64_t r = 0; r < table_stride; ++r) out[r] += weight * values[r];
            }
        }
    }
    if (!adds) return;
    logit_table = std::move(rising);
    for (std::int64_t h = 0; h < call.heads; ++h) {
        float* out = logit_table.data() + h * table_stride;
        for (std::int64_t r = 0; r < table_stride; ++r) out[r] = out[r] * kLog2E + b2.data()[h];
    }
}

void Prepared::pack(const AttentionCall& call, std::int64_t first_task, std::int64_t last_task) {
    for (auto task = first_task; task < last_task; ++task) {
        const auto b = task / call.key_heads, head = task % call.key_heads;
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            const auto key = tile * tile_keys, count = std::min(tile_keys, call.keys - key);
            transpose_keys(call.k.at(b, head, key), call.k.row, count, width, tile_keys, keys_.data() + (task * tiles + tile) * width * tile_keys);
            copy_values(call.v.at(b, head, key), call.v.row, count, call.value_width, value_stride, values_.data() + (task * tiles + tile) * tile_keys * value_stride);
        }
    }
}

}  // namespace lw::kernels
