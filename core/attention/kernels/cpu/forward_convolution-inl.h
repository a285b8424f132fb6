/// DAPE v2's network at one row of a tile: two convolutions along keys (2410.04798), strip by strip from the left. Hidden values of a strip live in the
/// first-level cache; the last ones of it stay there for the next, which reads them too.
#if defined(LW_FORWARD_CONVOLUTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_CONVOLUTION_INL_H
#undef LW_FORWARD_CONVOLUTION_INL_H
#else
#define LW_FORWARD_CONVOLUTION_INL_H
#endif

#include "core/attention/kernels/cpu/forward_blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// A channel of hidden values: kHaloKeys of the strip before, the last of which count, then the strip's own.
inline constexpr std::int64_t kHiddenRow = kHaloKeys + kStripKeys;

/// hidden = leaky(Σ_t W1[t] · [S; B] shifted by t + b1) at some neighbouring keys.
struct ConvolvedFirstLayer {
    const Prepared& weights;
    std::int64_t heads, units, taps;
    const float* content;  ///< [H, kScoreRow] at the first tap of the first key
    const float* bias;     ///< likewise
    const float* table;    ///< [D, kTableRow] at the first key, or null
    float slope;
    float* hidden;         ///< [D, kHiddenRow]

    template <int M, int V>
    HWY_INLINE void run(std::int64_t unit) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                sums.at[m][v] = table != nullptr ? hn::LoadU(d, table + (unit + m) * kTableRow + v * kLanes) : hn::Set(d, weights.b1.data()[unit + m]);
            }
        }
        const auto matrix = interleaved_floats(units, heads);
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            if (weights.w1_content) {
                add_products<1, kInterleave>(sums, interleaved_row(weights.w1_content.data() + tap * matrix, unit, heads), content + tap, kScoreRow, heads);
            }
            if (weights.w1_bias) {
                add_products<1, kInterleave>(sums, interleaved_row(weights.w1_bias.data() + tap * matrix, unit, heads), bias + tap, kScoreRow, heads);
            }
        }
        const auto factor = hn::Set(d, slope);
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(leaky(sums.at[m][v], factor), d, hidden + (unit + m) * kHiddenRow + v * kLanes);
        }
    }
};

/// scores = S + B + Σ_t W2[t] · hidden shifted by t + b2, in place.
struct ConvolvedSecondLayer {
    const Prepared& weights;
    std::int64_t heads, units, taps;
    const float* hidden;  ///< [D, kHiddenRow] at the first tap of the strip's first key
    const float* table;   ///< [H, kTableRow] at the strip's first key, or null
    const float* cells;   ///< [H, kScoreRow] of a bias that is added, or null
    float* scores;

    template <int M, int V>
    HWY_INLINE void run(std::int64_t head) const {
        const Floats d;
        Sums<M, V> sums;
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) {
                const auto constant = table != nullptr ? hn::LoadU(d, table + (head + m) * kTableRow + v * kLanes) : hn::Set(d, weights.b2.data()[head + m]);
                sums.at[m][v] = hn::Add(hn::Load(d, scores + (head + m) * kScoreHead + v * kLanes), constant);
                if (cells == nullptr) continue;
                sums.at[m][v] = hn::MulAdd(hn::Load(d, cells + (head + m) * kScoreRow + v * kLanes), hn::Set(d, kLog2E), sums.at[m][v]);
            }
        }
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const float* matrix = weights.w2.data() + tap * interleaved_floats(heads, units);
            add_products<1, kInterleave>(sums, interleaved_row(matrix, head, units), hidden + tap, kHiddenRow, units);
        }
        HWY_UNROLL(8)
        for (int m = 0; m < M; ++m) {
            HWY_UNROLL(8)
            for (int v = 0; v < V; ++v) hn::Store(sums.at[m][v], d, scores + (head + m) * kScoreHead + v * kLanes);
        }
    }
};

/// One row of a tile. Pointers are at column 0.
struct ConvolvedRow {
    Range span;           ///< columns whose logits are wanted, whole vectors
    Range readable;       ///< columns of keys from the first of the text to the query's own
    bool from_start;      ///< the tile's first own column is the text's first key
    float* scores;        ///< head 0; the next lies kScoreHead further
    const float* cells;   ///< [H, kScoreRow], or null
    const float* hidden_table;  ///< [D, kTableRow], or null; right at the text's first keys too
    const float* logit_table;   ///< [H, kTableRow], or null
};

/// The buffers of one thread.
class Convolution {
public:
    Convolution(const AttentionCall& call, const Prepared& prepared)
        : call_(call), prepared_(prepared), network_(call.network), radius_(network_.radius()),
          inputs_(network_.convolves() ? 2 * call.heads * kScoreRow : 0), hidden_(network_.convolves() ? network_.hidden * kHiddenRow : 0) {}

    /// Columns beside a span that its logits read, in whole vectors.
    [[nodiscard]] std::int64_t reach() const { return (2 * radius_ + kLanes - 1) / kLanes * kLanes; }
    /// Scores, with `reach()` columns more on both sides, become logits.
    void apply(const ConvolvedRow& row) {
        const Range needed{row.span.begin - reach(), row.span.end + reach()};
        for (std::int64_t h = 0; h < call_.heads; ++h) {
            if (prepared_.w1_content) copy_readable(row, needed, row.scores + h * kScoreHead, content() + h * kScoreRow);
            if (prepared_.w1_bias) copy_readable(row, needed, row.cells + h * kScoreRow, bias() + h * kScoreRow);
        }
        begin_hidden(row);
        for (auto key = row.span.begin; key < row.span.end; key += kStripKeys) {
            const auto vectors = std::min<std::int64_t>(kBlockVectors, (row.span.end - key) / kLanes);
            add_hidden(row, key + radius_, vectors, kHaloKeys);
            blocks(call_.heads, vectors,
                   ConvolvedSecondLayer{prepared_, call_.heads, network_.hidden, network_.taps(), hidden_.data() + kHaloKeys - 2 * radius_, at(row.logit_table, key),
                                        network_.adds_bias ? at(row.cells, key) : nullptr, row.scores + key});
            keep_last(vectors * kLanes);
        }
    }

private:
    static const float* at(const float* data, std::int64_t column) { return data == nullptr ? nullptr : data + column; }
    float* content() { return inputs_.data(); }
    float* bias() { return inputs_.data() + call_.heads * kScoreRow; }

    /// Zeros where a convolution must not look; what stands there may be no number at all.
    static void copy_readable(const ConvolvedRow& row, Range columns, const float* from, float* to) {
        const Floats d;
        for (auto key = columns.begin; key < columns.end; key += kLanes) {
            auto value = hn::Load(d, from + key);
            if (!row.readable.covers(key, key + kLanes)) {
                const auto column = hn::Iota(d, static_cast<float>(key));
                const auto inside = hn::And(hn::Ge(column, hn::Set(d, static_cast<float>(row.readable.begin))), hn::Lt(column, hn::Set(d, static_cast<float>(row.readable.end))));
                value = hn::IfThenElseZero(inside, value);
            }
            hn::Store(value, d, to + key);
        }
    }

    /// Hidden values of `vectors` vectors from a column on, to `to` of each channel.
    void add_hidden(const ConvolvedRow& row, std::int64_t column, std::int64_t vectors, std::int64_t to) {
        blocks(network_.hidden, vectors,
               ConvolvedFirstLayer{prepared_, call_.heads, network_.hidden, network_.taps(), content() + column - radius_, bias() + column - radius_,
                                   at(row.hidden_table, column), network_.slope, hidden_.data() + to});
    }

    /// Those that the first strip finds to its left.
    void begin_hidden(const ConvolvedRow& row) {
        if (radius_ == 0) return;
        const auto first = row.span.begin + radius_ - reach();  // column of the first one
        for (std::int64_t done = 0; done < reach(); done += kStripKeys) {
            add_hidden(row, first + done, std::min<std::int64_t>(kBlockVectors, (reach() - done) / kLanes), kHaloKeys - reach() + done);
        }
        if (!row.from_start) return;
        const auto before = std::min(reach(), kHaloKeys - first);  // before the first key there is none
        for (std::int64_t unit = 0; unit < network_.hidden && before > 0; ++unit) std::fill_n(hidden_.data() + unit * kHiddenRow + kHaloKeys - reach(), before, 0.0f);
    }

    /// The last hidden values of a strip become those to the left of the next.
    void keep_last(std::int64_t columns) {
        if (radius_ == 0) return;
        const Floats d;
        for (std::int64_t unit = 0; unit < network_.hidden; ++unit) {
            float* channel = hidden_.data() + unit * kHiddenRow;
            for (auto i = kHaloKeys - reach(); i < kHaloKeys; i += kLanes) hn::Store(hn::LoadU(d, channel + columns + i), d, channel + i);
        }
    }

    const AttentionCall& call_;
    const Prepared& prepared_;
    const NetworkWeights& network_;
    std::int64_t radius_;
    FloatBuffer inputs_;  ///< [2, H, kScoreRow]: S and B of one row, 0 where a convolution reads nothing
    FloatBuffer hidden_;  ///< [D, kHiddenRow]
};

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
