/// DAPE's network in a tile of backward: a strip of cells at a time, its hidden values in the first-level cache.
#include "core/attention/kernels/cpu/backward_tile-inl.h"

#if defined(LW_BACKWARD_NETWORK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_BACKWARD_NETWORK_INL_H
#undef LW_BACKWARD_NETWORK_INL_H
#else
#define LW_BACKWARD_NETWORK_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// One run of N vectors of a row in a strip.
struct Run {
    std::int64_t row, v;   ///< row of the tile, first vector
    std::int64_t cell;     ///< among the head's cells
    std::int64_t strip;    ///< among the strip's cells
    std::int64_t sheet_row, key;
};

template <class F>
HWY_INLINE void for_runs(const Tile& tile, std::int64_t first_row, const F& f) {
    for (std::int64_t row = first_row; row < first_row + kStripRows; ++row) {
        split<kBlockVectors>(0, tile.vectors, [&](auto n_size, std::int64_t v) HWY_ATTR {
            f(n_size, Run{row, v, cell_of(row, v), cell_of(row - first_row, v), tile.sheet_row(row), tile.first_key + v * kLanes});
        });
    }
}

/// hidden = leaky(W1 · S + offset).
HWY_INLINE void hidden_values(const Tile& tile, std::int64_t first_row) {
    const Floats tag;
    const auto& network = tile.network();
    const auto slope = hn::Set(tag, network.slope);
    const auto depth = tile.reads_content() ? tile.heads() : 0;
    for_runs(tile, first_row, [&](auto n_size, const Run& run) HWY_ATTR {
        split<kBlockRows>(0, network.hidden, [&](auto m_size, std::int64_t d) HWY_ATTR {
            float* to = tile.hidden + d * kStrip + run.strip;
            const float* offset = network.offset ? network.offset.at(d, run.sheet_row, run.key) : nullptr;
            product<m_size(), n_size()>(
                depth, Left<1>{tile.w1_turned + d, network.hidden}, tile.scores + run.cell, kCells,
                [&](int m, int n) HWY_ATTR { return offset ? hn::LoadU(tag, offset + m * network.offset.channel + n * kLanes) : hn::Zero(tag); },
                [&](int m, int n, FloatVec z) HWY_ATTR { hn::Store(leaky(z, slope), tag, to + m * kStrip + n * kLanes); });
        });
    });
}

/// logit = S + B + W2 · hidden, and from it the weights and dlogit.
HWY_INLINE void weigh_strip(const Tile& tile, std::int64_t first_row) {
    const Floats tag;
    const auto& network = tile.network();
    for_runs(tile, first_row, [&](auto n_size, const Run& run) HWY_ATTR {
        hn::Mask<Floats> visible[n_size()];
        for (int n = 0; n < n_size(); ++n) visible[n] = visible_lanes(tile, run.row, run.v + n);
        split<kBlockRows>(0, tile.heads(), [&](auto m_size, std::int64_t h) HWY_ATTR {
            const float* scores = tile.scores + h * kCells + run.cell;
            product<m_size(), n_size()>(
                network.hidden, Left<1>{tile.w2_turned + h, tile.heads()}, tile.hidden + run.strip, kStrip,
                [&](int m, int n) HWY_ATTR { return with_bias(tile, h + m, run.row, run.v + n, hn::Load(tag, scores + m * kCells + n * kLanes)); },
                [&](int m, int n, FloatVec logit) HWY_ATTR { weigh(tile, h + m, run.row, run.v + n, visible[n], logit); });
        });
    });
}

/// dz = leaky'(z) · W2ᵀ · dlogit, also summed into the offset's gradient.
HWY_INLINE void hidden_gradients(const Tile& tile, std::int64_t first_row) {
    const Floats tag;
    const auto& network = tile.network();
    const auto slope = hn::Set(tag, network.slope);
    for_runs(tile, first_row, [&](auto n_size, const Run& run) HWY_ATTR {
        split<kBlockRows>(0, network.hidden, [&](auto m_size, std::int64_t d) HWY_ATTR {
            const float* hidden = tile.hidden + d * kStrip + run.strip;
            float* to = tile.d_hidden + d * kStrip + run.strip;
            product<m_size(), n_size()>(
                tile.heads(), Left<1>{network.w2 + d, network.hidden}, tile.d_scores + run.cell, kCells,
                [&](int, int) HWY_ATTR { return hn::Zero(tag); },
                [&](int m, int n, FloatVec sum) HWY_ATTR {
                    const auto value = hn::Load(tag, hidden + m * kStrip + n * kLanes);
                    const auto d_z = hn::IfThenElse(hn::Gt(value, hn::Zero(tag)), sum, hn::Mul(sum, slope));
                    hn::Store(d_z, tag, to + m * kStrip + n * kLanes);
                    if (tile.sums.offset) add_to(tile.sums.offset, d + m, run.sheet_row, run.key + n * kLanes, d_z);
                });
        });
    });
}

/// dS = dlogit + W1ᵀ · dz.
HWY_INLINE void score_gradients(const Tile& tile, std::int64_t first_row) {
    const Floats tag;
    const auto& network = tile.network();
    for_runs(tile, first_row, [&](auto n_size, const Run& run) HWY_ATTR {
        split<kBlockRows>(0, tile.heads(), [&](auto m_size, std::int64_t h) HWY_ATTR {
            float* d_scores = tile.d_scores + h * kCells + run.cell;
            product<m_size(), n_size()>(
                network.hidden, Left<1>{network.w1 + h, tile.heads()}, tile.d_hidden + run.strip, kStrip,
                [&](int m, int n) HWY_ATTR { return hn::Load(tag, d_scores + m * kCells + n * kLanes); },
                [&](int m, int n, FloatVec sum) HWY_ATTR { hn::Store(sum, tag, d_scores + m * kCells + n * kLanes); });
        });
    });
}

/// Everything between dP and dS where there is a network.
HWY_INLINE void network_gradients(const Tile& tile) {
    const auto heads = tile.heads(), hidden = tile.network().hidden;
    for (std::int64_t row = 0; row < kTileRows; row += kStripRows) {
        const auto cells = row * kTileColumns;
        hidden_values(tile, row);
        weigh_strip(tile, row);
        add_pairs(kStripRows, tile.vectors, kTileColumns, tile.d_scores + cells, heads, kCells, tile.hidden, hidden, kStrip, tile.w2_sums);
        hidden_gradients(tile, row);
        if (!tile.reads_content()) continue;
        add_pairs(kStripRows, tile.vectors, kTileColumns, tile.scores + cells, heads, kCells, tile.d_hidden, hidden, kStrip, tile.w1_sums);
        score_gradients(tile, row);
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
