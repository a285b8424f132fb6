#include "core/attention/kernels/cpu/prepared.h"

#include <algorithm>
#include <cstdlib>

namespace lw::kernels {

namespace {

constexpr float kLog2E = 1.44269504088896340736f, kLn2 = 0.693147180559945309417f;

std::int64_t rounded_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// A matrix for each tap, [taps, rows, columns].
struct Taps {
    const float* w;
    std::int64_t taps, rows, columns;
};

/// Each of them interleaved, times `factor`.
FloatBuffer interleaved(const Taps& from, float factor) {
    const auto [w, taps, rows, columns] = from;
    const auto count = interleaved_floats(rows, columns);
    FloatBuffer result(taps * count);
    std::fill_n(result.data(), taps * count, 0.0f);
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        for (std::int64_t row = 0; row < rows; ++row) {
            float* out = result.data() + tap * count + row / kInterleave * columns * kInterleave + row % kInterleave;
            for (std::int64_t column = 0; column < columns; ++column) out[column * kInterleave] = w[(tap * rows + row) * columns + column] * factor;
        }
    }
    return result;
}

FloatBuffer vector_or_zeros(const float* values, std::int64_t count, float factor) {
    FloatBuffer result(count);
    for (std::int64_t i = 0; i < count; ++i) result.data()[i] = values != nullptr ? values[i] * factor : 0.0f;
    return result;
}

/// `count` keys, rows of `width` floats, to the columns from `column` on of strips [width, kKeyStrip]; sixteen keys a time, so that whole cache lines
/// are written. Zeros fill the last line.
void transpose_keys(const float* rows, std::int64_t row_stride, std::int64_t count, std::int64_t width, std::int64_t column, float* strips) {
    for (std::int64_t key = 0; key < count; key += kLine, column += kLine) {
        const auto here = std::min(kLine, count - key);
        const float* source = rows + key * row_stride;
        float* first = strips + column / kKeyStrip * width * kKeyStrip + column % kKeyStrip;
        for (std::int64_t c = 0; c < width; ++c) {
            float* line = first + c * kKeyStrip;
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
    // With a halo nine lines of own keys: three strips of the widest target.
    halo = call.network.w2 != nullptr && call.network.convolves() ? kHaloKeys : 0;
    own_keys = std::min(halo > 0 ? kTileKeys - 3 * kHaloKeys : kTileKeys, rounded_up(std::max<std::int64_t>(1, call.keys), kLine));
    tile_keys = own_keys + 2 * halo;
    tiles = (call.keys + own_keys - 1) / own_keys;
    value_stride = rounded_up(call.value_width, kLine);
    key_floats = width * rounded_up(tile_keys, kKeyStrip);
    keys_ = FloatBuffer(call.batch * call.key_heads * tiles * key_floats);
    values_ = FloatBuffer(call.batch * call.key_heads * tiles * own_keys * value_stride);
    make_weights(call);
    place_tables(call);
    if (call.bias.table != nullptr) make_tables(call);
    if (call.bias.by_pieces()) make_distance_table(call.bias.pieces);
}

void Prepared::make_weights(const AttentionCall& call) {
    const auto& network = call.network;
    b2 = vector_or_zeros(network.w2 != nullptr ? network.b2 : nullptr, call.heads, kLog2E);
    if (network.w2 == nullptr) return;
    const auto taps = network.taps();
    if (network.w1_content != nullptr) w1_content = interleaved({network.w1_content, taps, network.hidden, call.heads}, kLn2);
    if (network.w1_bias != nullptr && call.bias.by_cell()) w1_bias = interleaved({network.w1_bias, taps, network.hidden, call.heads}, 1.0f);
    b1 = vector_or_zeros(network.b1, network.hidden, 1.0f);
    w2 = interleaved({network.w2, taps, call.heads, network.hidden}, kLog2E);
}

void Prepared::place_tables(const AttentionCall& call) {
    origin = call.before + call.queries - 1 + halo;
    const auto size = call.visible.end == nullptr ? origin + 1 : call.keys + call.queries - 1 + halo;
    // Tasks read whole tiles, past the last key of their last row.
    table_stride = rounded_up(size + kTileKeys + 8 * kLine, kLine);
}

void Prepared::make_distance_table(const BiasPieces& pieces) {
    distance_table = FloatBuffer(table_stride);
    for (std::int64_t r = 0; r < table_stride; ++r) distance_table.data()[r] = pieces.distance[std::min(std::abs(origin - r), pieces.distances - 1)];
}

void Prepared::make_tables(const AttentionCall& call) {
    const auto& network = call.network;
    const bool reads = network.w2 != nullptr && network.w1_bias != nullptr;
    const bool adds = network.w2 == nullptr || network.adds_bias;
    FloatBuffer rising(call.heads * table_stride);  // [H, table_stride]
    for (std::int64_t h = 0; h < call.heads; ++h) {
        const float* source = call.bias.table + h * call.bias.stride;
        float* out = rising.data() + h * table_stride;
        for (std::int64_t r = 0; r < table_stride; ++r) out[r] = source[std::clamp<std::int64_t>(origin - r + call.bias.offset, 0, call.bias.stride - 1)];
    }
    if (reads) make_hidden_table(call, rising);
    if (adds) {
        logit_table = std::move(rising);
        for (std::int64_t h = 0; h < call.heads; ++h) {
            float* out = logit_table.data() + h * table_stride;
            for (std::int64_t r = 0; r < table_stride; ++r) out[r] = out[r] * kLog2E + b2.data()[h];
        }
    }
    // Near the diagonal, where all of a text of one tile lies, distances decide few signs.
    if (reads && !network.convolves() && call.keys > kTileKeys) make_folded_table(call);
}

void Prepared::make_folded_table(const AttentionCall& call) {
    const auto& network = call.network;
    folded_table = FloatBuffer(call.heads * table_stride);
    for (std::int64_t h = 0; h < call.heads; ++h) {
        float* out = folded_table.data() + h * table_stride;
        if (logit_table) std::copy_n(logit_table.data() + h * table_stride, table_stride, out);
        else std::fill_n(out, table_stride, b2.data()[h]);
    }
    for (std::int64_t unit = 0; unit < network.hidden; ++unit) {
        const float* table = hidden_table.data() + unit * table_stride;
        for (std::int64_t h = 0; h < call.heads; ++h) {
            const float weight = network.w2[h * network.hidden + unit] * kLog2E, low = weight * network.slope;
            float* out = folded_table.data() + h * table_stride;
            for (std::int64_t r = 0; r < table_stride; ++r) out[r] += (table[r] > 0 ? weight : low) * table[r];
        }
    }
}

/// rising [H, table_stride]: B.
void Prepared::make_hidden_table(const AttentionCall& call, const FloatBuffer& rising) {
    const auto& network = call.network;
    const auto radius = network.radius();
    // A convolution reads no bias at keys after the query's own.
    const auto known = network.convolves() ? std::min(origin + 1, table_stride) : table_stride;
    hidden_table = FloatBuffer(network.hidden * table_stride);
    for (std::int64_t unit = 0; unit < network.hidden; ++unit) {
        float* out = hidden_table.data() + unit * table_stride;
        std::fill_n(out, table_stride, b1.data()[unit]);
        for (std::int64_t tap = 0; tap < network.taps(); ++tap) {
            const auto shift = tap - radius;  // entry r reads r + shift
            for (std::int64_t h = 0; h < call.heads; ++h) {
                const float weight = network.w1_bias[(tap * network.hidden + unit) * call.heads + h];
                const float* values = rising.data() + h * table_stride;
                const auto end = std::min(table_stride, known - shift);
                for (auto r = std::max<std::int64_t>(0, -shift); r < end; ++r) out[r] += weight * values[r + shift];
            }
        }
    }
    if (radius > 0) make_first_hidden(call, rising);
}

void Prepared::make_first_hidden(const AttentionCall& call, const FloatBuffer& rising) {
    const auto& network = call.network;
    const auto radius = network.radius(), units = network.hidden;
    first_hidden = FloatBuffer(call.queries * radius * units);
    for (std::int64_t row = 0; row < call.queries; ++row) {
        const auto own = call.before + row;
        for (std::int64_t key = 0; key < radius; ++key) {
            float* out = first_hidden.data() + (row * radius + key) * units;
            std::copy_n(b1.data(), units, out);
            for (std::int64_t read = 0; read <= std::min(key + radius, own); ++read) {
                const auto tap = read - key + radius;
                for (std::int64_t h = 0; h < call.heads; ++h) {
                    const float value = rising.data()[h * table_stride + read - own + origin];
                    for (std::int64_t unit = 0; unit < units; ++unit) out[unit] += network.w1_bias[(tap * units + unit) * call.heads + h] * value;
                }
            }
        }
    }
}

void Prepared::pack(const AttentionCall& call, std::int64_t first_task, std::int64_t last_task) {
    for (auto task = first_task; task < last_task; ++task) {
        const auto b = task / call.key_heads, head = task % call.key_heads;
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            const auto own = tile * own_keys, left = std::min(own, halo), first = own - left;
            const auto columns = std::min(tile_keys - halo + left, call.keys - first), count = std::min(own_keys, call.keys - own);
            float* keys = keys_.data() + (task * tiles + tile) * key_floats;
            if (halo > 0) std::fill_n(keys, key_floats, 0.0f);
            transpose_keys(call.k.at(b, head, first), call.k.row, columns, width, halo - left, keys);
            copy_values(call.v.at(b, head, own), call.v.row, count, call.value_width, value_stride, values_.data() + (task * tiles + tile) * own_keys * value_stride);
        }
    }
}

}  // namespace lw::kernels
