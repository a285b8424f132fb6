#pragma once
/// DAPE's network (kernel 1) on tensor cores with its hidden values in registers: the first layer's sums lie in a lane just where the second layer wants
/// its left operand, up to an exchange of two of the four. A warp takes 16 cells, eight hidden units at a time.

#include "core/attention/kernels/attention_tile.h"

namespace lw::kernels {

inline constexpr int kChainHeads = 8 * kColumnTiles;               ///< heads whose logits a lane can hold
inline constexpr int kChainSteps = 2 * kChainHeads / 8;            ///< steps of eight channels: content, then bias

/// Whether the tile's network is served here rather than by strips.
template <class K>
LW_HOST_DEVICE bool chains(const LwAttention& call) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return false;
#else
    return K::kMath != Math::plain && call.network.kernel == 1 && call.heads <= kChainHeads;
#endif
}

/// A warp's 16 cells; on a GPU the arrays hold this thread's lane, on the CPU all 32.
struct ChainTile {
    Lane first[kLanesHere], second[kLanesHere];
    float inputs[kLanesHere][kChainSteps][4];
    int cell = 0, cells = 0, head_steps = 0;

    /// The four values of each step that the left operand of the first layer has in a lane.
    LW_HOST_DEVICE void load_inputs(const Worker& worker, const Tile& tile) {
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            const int lane = lane_number(worker, l);
            LW_UNROLL for (int step = 0; step < kChainSteps; ++step) {
                const bool reads_bias = step >= kChainSteps / 2;
                const float* plane = reads_bias ? tile.bias : tile.scores;
                LW_UNROLL for (int i = 0; i < 4; ++i) {
                    const int m = cell + lane_group(lane) + 8 * (i % 2), head = step % (kChainSteps / 2) * 8 + 2 * lane_pair(lane) + i / 2;
                    const bool there = plane != nullptr && m < cells && head < tile.heads.count;
                    inputs[l][step][i] = there ? plane[tile.score_at(head, m / tile.width.logit, m % tile.width.logit)] : 0.0f;
                }
            }
        }
    }
    /// first.sums = W1 · u for units unit .. unit + 7.
    template <bool kSplit>
    LW_HOST_DEVICE void first_layer(const Worker& worker, const Tile& tile, int unit) {
        const auto& net = tile.call.network;
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            LW_UNROLL for (int i = 0; i < 4; ++i) first[l].sums[0][i] = 0.0f;
        }
        LW_UNROLL for (int step = 0; step < kChainSteps; ++step) {
            const float* w = step < kChainSteps / 2 ? net.w1_content : net.w1_bias;
            if (w == nullptr || step % (kChainSteps / 2) >= head_steps) continue;
            LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
                const int lane = lane_number(worker, l), n = unit + lane_group(lane);
                LW_UNROLL for (int i = 0; i < 4; ++i) first[l].left[i] = inputs[l][step][i];
                LW_UNROLL for (int i = 0; i < 2; ++i) {
                    const int head = step % (kChainSteps / 2) * 8 + 2 * lane_pair(lane) + i;
                    first[l].right[0][i] = n < net.hidden && head < tile.heads.count ? w[n * tile.heads.count + head] : 0.0f;
                }
            }
            multiply<kSplit, false>(first, 1);
        }
    }
    /// Activates the eight units' values and adds what they give to the logits. A lane's sums are cells g and g + 8 at units 2 p and 2 p + 1; as a left
    /// operand it holds k places p and p + 4, which stand for the same two units.
    template <bool kSplit>
    LW_HOST_DEVICE void second_layer(const Worker& worker, const Tile& tile, int unit) {
        const auto& net = tile.call.network;
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            const int lane = lane_number(worker, l);
            LW_UNROLL for (int i = 0; i < 4; ++i) {
                const int n = unit + 2 * lane_pair(lane) + i / 2;
                const float z = first[l].sums[0][2 * (i % 2) + i / 2] + (net.b1 && n < net.hidden ? net.b1[n] : 0.0f);
                second[l].left[i] = z > 0 ? z : z * net.slope;
            }
            LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
                const int head = 8 * t + lane_group(lane);
                LW_UNROLL for (int i = 0; i < 2; ++i) {
                    const int n = unit + 2 * lane_pair(lane) + i;
                    second[l].right[t][i] = head < tile.heads.count && n < net.hidden ? net.w2[head * net.hidden + n] : 0.0f;
                }
            }
        }
        multiply<kSplit, false>(second, head_steps);
    }
    template <class Put>
    LW_HOST_DEVICE void put_logits(const Worker& worker, const Tile& tile, const Put& put) const {
        const auto& net = tile.call.network;
        LW_UNROLL for (int l = 0; l < kLanesHere; ++l) {
            const int lane = lane_number(worker, l);
            LW_UNROLL for (int t = 0; t < kColumnTiles; ++t) {
                LW_UNROLL for (int i = 0; i < 4; ++i) {
                    const int m = cell + sum_row(lane, i), head = 8 * t + sum_column(lane, i);
                    if (m >= cells || head >= tile.heads.count) continue;
                    const int row = m / tile.width.logit, c = m % tile.width.logit, at = tile.score_at(head, row, c);
                    const float bias = tile.bias && net.adds_bias ? tile.bias[at] : 0.0f;
                    put(head, row, c, tile.scores[at] + bias + second[l].sums[t][i] + (net.b2 ? net.b2[head] : 0.0f));
                }
            }
        }
    }
};

/// put(head, row, column, logit) for the tile's cells. Arrays have no halo forward with kernel 1.
template <class K, class Put>
LW_HOST_DEVICE void chain_phase(const Worker& worker, const Tile& tile, const Put& put) {
    constexpr bool kSplit = K::kMath == Math::tensor_split;
    if (!speaks_for_warp(worker)) return;
    const int cells = tile.rows * tile.width.logit;
    for (int cell = worker.thread / 32 * 16; cell < cells; cell += worker.threads / 32 * 16) {
        ChainTile chain;
        chain.cell = cell;
        chain.cells = cells;
        chain.head_steps = quotient_up(tile.heads.count, 8);
        chain.load_inputs(worker, tile);
        for (int unit = 0; unit < tile.call.network.hidden; unit += 8) {
            chain.template first_layer<kSplit>(worker, tile, unit);
            chain.template second_layer<kSplit>(worker, tile, unit);
        }
        chain.put_logits(worker, tile, put);
    }
}

}  // namespace lw::kernels
