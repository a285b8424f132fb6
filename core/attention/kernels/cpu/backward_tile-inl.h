/// One tile of backward: kTileRows query rows by up to kTileColumns keys of all heads of a task.
#include "core/attention/kernels/cpu/attention_backward.h"
#include "core/attention/kernels/cpu/products-inl.h"

#include <algorithm>

#if defined(LW_BACKWARD_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_BACKWARD_TILE_INL_H
#undef LW_BACKWARD_TILE_INL_H
#else
#define LW_BACKWARD_TILE_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// A tile's scores of 8 heads take 16 KB, its hidden values go through the first-level cache in strips of kStrip cells.
constexpr std::int64_t kTileRows = 16, kTileColumns = 32, kCells = kTileRows * kTileColumns;
constexpr std::int64_t kStripRows = 4, kStrip = kStripRows * kTileColumns;
static_assert(kTileColumns % kLanes == 0 && kTileRows % kStripRows == 0);

/// What a block of query rows needs, padded with zeros to kTileRows rows and whole vectors. h counts the task's heads.
struct RowBlock {
    std::int64_t first = 0, count = 0;     ///< query rows
    float* q = nullptr;                    ///< [h, kTileRows, width in whole vectors], scaled
    float* q_turned = nullptr;             ///< [h, d, kTileRows], scaled
    float* d_output = nullptr;             ///< [h, kTileRows, width in whole vectors]
    float* d_output_turned = nullptr;      ///< [h, d, kTileRows]
    float* d_q = nullptr;                  ///< [h, kTileRows, width in whole vectors]
    float* log_normaliser = nullptr;       ///< [h, kTileRows], less b2
    float* row_term = nullptr;             ///< [h, kTileRows]
    std::int64_t begin[kTileRows] = {}, end[kTileRows] = {};  ///< keys a row sees; none where there is no row
};

/// Keys and values of a task's sequence, padded with zeros to whole tiles. g counts the task's key heads.
struct KeyBlock {
    std::int64_t columns = 0;              ///< Tk in whole tiles
    /// Columns of zeros before key 0 in turned arrays.
    std::int64_t side = 0;
    std::int64_t width = 0, value_width = 0;  ///< in whole vectors
    float* k = nullptr;                    ///< [g, columns, width]
    float* k_turned = nullptr;             ///< [g, d, columns]
    float* v_turned = nullptr;             ///< [g, d, columns]
    float* d_k = nullptr;                  ///< [g, columns, width]
    float* d_v = nullptr;                  ///< [g, columns, value width]
};

struct Tile {
    const BackwardCall& call;
    const BackwardTask& task;
    const BackwardSums& sums;
    const RowBlock& rows;
    const KeyBlock& keys;
    std::int64_t first_key = 0, vectors = 0;  ///< columns [first_key, first_key + vectors * kLanes)
    float* scores = nullptr;                  ///< S [h, kCells]; without a network the weights take their place
    float* weights = nullptr;                 ///< P [h, kCells]
    float* d_scores = nullptr;                ///< dP, then dlogit, then dS [h, kCells]
    float* hidden = nullptr;                  ///< leaky(z) [D, kStrip]
    float* d_hidden = nullptr;                ///< dz [D, kStrip]
    float* w1_turned = nullptr;               ///< [H, D]
    float* w2_turned = nullptr;               ///< [D, H]
    float* w1_sums = nullptr;                 ///< [H, D] vectors
    float* w2_sums = nullptr;                 ///< [H, D] vectors

    [[nodiscard]] std::int64_t heads() const { return task.last_head - task.first_head; }
    [[nodiscard]] std::int64_t key_head(std::int64_t h) const { return h / (call.heads / call.key_heads); }
    [[nodiscard]] const BackwardNetwork& network() const { return call.network; }
    /// Sheets have no rows beyond the call's: those of a padded block read the last one's.
    [[nodiscard]] std::int64_t sheet_row(std::int64_t row) const { return rows.first + std::min(row, rows.count - 1); }
    [[nodiscard]] bool reads_content() const { return network().w1 != nullptr; }
};

/// Lanes of vector v that row `row` sees.
HWY_INLINE hn::Mask<Floats> visible_lanes(const Tile& tile, std::int64_t row, std::int64_t v) {
    const Floats tag;
    const hn::RebindToSigned<Floats> itag;
    const auto limit = [&](std::int64_t key) HWY_ATTR {  // counted from the vector's first key
        return hn::Set(itag, static_cast<std::int32_t>(std::clamp<std::int64_t>(key - tile.first_key - v * kLanes, -1, kLanes)));
    };
    const auto lane = hn::Iota(itag, 0);
    const auto window = hn::And(hn::Lt(lane, limit(tile.rows.end[row])), hn::Not(hn::Lt(lane, limit(tile.rows.begin[row]))));
    const auto sinks = hn::Lt(lane, limit(std::min(tile.call.visible.sinks, tile.rows.end[row])));
    return hn::RebindMask(tag, hn::Or(window, sinks));
}

/// scores[h] = q · kᵀ and d_scores[h] = dO · vᵀ, each through `last(cell, sum)` where cell counts the head's cells.
template <class Last>
HWY_INLINE void row_products(const Tile& tile, const float* turned, const float* keys, std::int64_t depth, const Last& last) {
    const Floats tag;
    split<kBlockVectors>(0, tile.vectors, [&](auto n_size, std::int64_t v) HWY_ATTR {
        split<kBlockRows>(0, kTileRows, [&](auto m_size, std::int64_t row) HWY_ATTR {
            product<m_size(), n_size()>(depth, Left<1>{turned + row, kTileRows}, keys + tile.first_key + v * kLanes, tile.keys.columns,
                                        [&](int, int) HWY_ATTR { return hn::Zero(tag); },
                                        [&](int m, int n, FloatVec sum) HWY_ATTR { last(row + m, v + n, sum); });
        });
    });
}

HWY_INLINE std::int64_t cell_of(std::int64_t row, std::int64_t v) { return row * kTileColumns + v * kLanes; }

/// S and dP of every head.
HWY_INLINE void content_and_weight_gradients(const Tile& tile) {
    const Floats tag;
    for (std::int64_t h = 0; h < tile.heads(); ++h) {
        float* scores = tile.scores + h * kCells;
        float* d_weights = tile.d_scores + h * kCells;
        const auto g = tile.key_head(h);
        row_products(tile, tile.rows.q_turned + h * tile.call.width * kTileRows, tile.keys.k_turned + g * tile.call.width * tile.keys.columns,
                     tile.call.width, [=](std::int64_t r, std::int64_t v, FloatVec sum) HWY_ATTR { hn::Store(sum, tag, scores + cell_of(r, v)); });
        row_products(tile, tile.rows.d_output_turned + h * tile.call.value_width * kTileRows,
                     tile.keys.v_turned + g * tile.call.value_width * tile.keys.columns, tile.call.value_width,
                     [=](std::int64_t r, std::int64_t v, FloatVec sum) HWY_ATTR { hn::Store(sum, tag, d_weights + cell_of(r, v)); });
    }
}

/// Adds a vector of gradients to a sheet. Neighbouring rows overlap there, so this is a read and a write.
HWY_INLINE void add_to(const Sheet<float>& sheet, std::int64_t channel, std::int64_t row, std::int64_t key, FloatVec value) {
    const Floats tag;
    float* at = sheet.at(channel, row, key);
    hn::StoreU(hn::Add(hn::LoadU(tag, at), value), tag, at);
}

/// A logit of head h becomes its weight P and the gradient dlogit = P (dP − Δ), both zero where hidden from the row.
HWY_INLINE void weigh(const Tile& tile, std::int64_t h, std::int64_t row, std::int64_t v, hn::Mask<Floats> visible, FloatVec logit) {
    const Floats tag;
    const auto cell = h * kCells + cell_of(row, v);
    const auto p = hn::IfThenElseZero(visible, exp_of(hn::Sub(logit, hn::Set(tag, tile.rows.log_normaliser[h * kTileRows + row]))));
    const auto d = hn::Sub(hn::Load(tag, tile.d_scores + cell), hn::Set(tag, tile.rows.row_term[h * kTileRows + row]));
    const auto d_logit = hn::IfThenElseZero(visible, hn::Mul(p, d));
    hn::Store(p, tag, tile.weights + cell);
    hn::Store(d_logit, tag, tile.d_scores + cell);
    if (tile.sums.bias) add_to(tile.sums.bias, tile.task.first_head + h, tile.sheet_row(row), tile.first_key + v * kLanes, d_logit);
}

HWY_INLINE FloatVec with_bias(const Tile& tile, std::int64_t h, std::int64_t row, std::int64_t v, FloatVec score) {
    if (!tile.call.bias) return score;
    const float* at = tile.call.bias.at(tile.task.first_head + h, tile.sheet_row(row), tile.first_key + v * kLanes);
    return hn::Add(score, hn::LoadU(Floats(), at));
}

/// Weights and gradients of the scores where nothing but a static bias is added.
HWY_INLINE void weigh_static(const Tile& tile) {
    const Floats tag;
    for (std::int64_t row = 0; row < kTileRows; ++row) {
        for (std::int64_t v = 0; v < tile.vectors; ++v) {
            const auto visible = visible_lanes(tile, row, v);
            for (std::int64_t h = 0; h < tile.heads(); ++h) {
                weigh(tile, h, row, v, visible, with_bias(tile, h, row, v, hn::Load(tag, tile.scores + h * kCells + cell_of(row, v))));
            }
        }
    }
}

/// dq += dS · k, dk += dSᵀ · q, dv += Pᵀ · dO. q carries the scale, so dq gets it at the end.
HWY_INLINE void input_gradients(const Tile& tile) {
    const auto width = tile.keys.width, value_width = tile.keys.value_width, columns = tile.vectors * kLanes;
    for (std::int64_t h = 0; h < tile.heads(); ++h) {
        const float* d_scores = tile.d_scores + h * kCells;
        const auto key = tile.key_head(h) * tile.keys.columns + tile.first_key;
        const auto row = h * kTileRows;
        add_product(kTileRows, width / kLanes, columns, Left<kTileColumns>{d_scores, 1}, tile.keys.k + key * width, width, tile.rows.d_q + row * width, width);
        add_product(columns, width / kLanes, kTileRows, Left<1>{d_scores, kTileColumns}, tile.rows.q + row * width, width, tile.keys.d_k + key * width, width);
        add_product(columns, value_width / kLanes, kTileRows, Left<1>{tile.weights + h * kCells, kTileColumns}, tile.rows.d_output + row * value_width,
                    value_width, tile.keys.d_v + key * value_width, value_width);
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
