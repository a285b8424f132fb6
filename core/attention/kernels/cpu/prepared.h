#pragma once
/// What all tasks of a call read, laid out for them once: O(T) memory, O(T d + T H D) time.

#include "core/attention/kernels/cpu/call.h"
#include "core/attention/kernels/cpu/float_buffer.h"

namespace lw::kernels {

/// Weights are interleaved in blocks of so many rows: element (row, column) of a matrix of C columns lies at (row / 8 · C + column) · 8 + row % 8.
inline constexpr std::int64_t kInterleave = 8;
[[nodiscard]] inline std::int64_t interleaved_floats(std::int64_t rows, std::int64_t columns) { return (rows + kInterleave - 1) / kInterleave * kInterleave * columns; }
/// Floats of a cache line, and of the widest vector.
inline constexpr std::int64_t kLine = 16;
/// Keys of a tile, at most: a multiple of three vectors of any target.
inline constexpr std::int64_t kTileKeys = 192;
/// Keys lie together that are multiplied together: three vectors of the widest target, a multiple of those of any other.
inline constexpr std::int64_t kKeyStrip = 48;
/// Columns on each side of a tile's own keys where a convolution reads neighbours: a vector of any target.
inline constexpr std::int64_t kHaloKeys = 16;

/// Scores are kept in units of log 2, so that weights are powers of two: the scale of q, W1's content part, W2, b2 and the bias carry the factor.
class Prepared {
public:
    /// Weights and tables; keys and values are packed by pack().
    explicit Prepared(const AttentionCall& call);

    /// Packs keys and values; a task is one key head of one sequence.
    [[nodiscard]] std::int64_t packing_tasks(const AttentionCall& call) const { return call.batch * call.key_heads; }
    void pack(const AttentionCall& call, std::int64_t first_task, std::int64_t last_task);

    /// Column c of a tile is key tile * own_keys + c - halo. Its own columns are [halo, halo + own_keys); those beside them belong to other tiles.
    std::int64_t tile_keys = 0, own_keys = 0, halo = 0;
    /// Columns [kKeyStrip * strip, ...) as [d, kKeyStrip], one strip after the other, and [own_keys, value_stride] of the own keys.
    [[nodiscard]] const float* key_tile(std::int64_t sequence_head, std::int64_t tile) const { return keys_.data() + (sequence_head * tiles + tile) * key_floats; }
    [[nodiscard]] const float* value_tile(std::int64_t sequence_head, std::int64_t tile) const { return values_.data() + (sequence_head * tiles + tile) * own_keys * value_stride; }
    std::int64_t tiles = 0, width = 0, key_floats = 0, value_stride = 0;

    /// Tables over j - i, rising along keys: entry j - (before + i) + origin of a row. Absent without a bias by distance.
    std::int64_t table_stride = 0, origin = 0;
    FloatBuffer logit_table;   ///< [H, table_stride]: B (where added) + b2
    FloatBuffer hidden_table;  ///< [D, table_stride]: W1_bias · B + b1
    /// [H, table_stride]: the logits' table with f(0, B) in it, b2 included; absent where no unit of the network is to be folded.
    FloatBuffer folded_table;
    FloatBuffer distance_table;  ///< [table_stride]: distance[δ] of a bias by pieces
    /// hidden_table at the first radius keys of every row, where a convolution reaches past the first key: [Tq, radius, D].
    FloatBuffer first_hidden;

    FloatBuffer w1_content, w1_bias;  ///< [k, D, H] interleaved; the second only where the bias comes by cell
    FloatBuffer b1;                   ///< [D], zeros where there is none
    FloatBuffer w2;                   ///< [k, H, D] interleaved
    FloatBuffer b2;                   ///< [H], zeros where there is none

private:
    void make_weights(const AttentionCall& call);
    void place_tables(const AttentionCall& call);
    void make_tables(const AttentionCall& call);
    void make_distance_table(const BiasPieces& pieces);
    void make_hidden_table(const AttentionCall& call, const FloatBuffer& rising);
    void make_folded_table(const AttentionCall& call);
    void make_first_hidden(const AttentionCall& call, const FloatBuffer& rising);

    FloatBuffer keys_, values_;
};

}  // namespace lw::kernels
