/// DAPE v2's network at one row of a tile: two convolutions along keys (2410.04798), strip by strip from the left. Hidden values of a strip live in the
/// first-level cache; the last ones of it stay there for the next, which reads them too.
#if defined(LW_FORWARD_CONVOLUTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_CONVOLUTION_INL_H
#undef LW_FORWARD_CONVOLUTION_INL_H
#else
#define LW_FORWARD_CONVOLUTION_INL_H
#endif

#include "core/attention/kernels/cpu/forward_layers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// A channel of hidden values: kHaloKeys of the strip before, the last of which count, then the strip's own.
inline constexpr std::int64_t kHiddenRow = kHaloKeys + kStripKeys;

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
        auto first = first_layer(row, row.span.begin + radius_, kHaloKeys);
        auto second = second_layer(row);
        for (auto key = row.span.begin; key < row.span.end; key += kStripKeys) {
            const auto vectors = std::min<std::int64_t>(kBlockVectors, (row.span.end - key) / kLanes);
            through(network_.hidden, vectors, first);
            through(call_.heads, vectors, second);
            keep_last(vectors * kLanes);
            first.shift(kStripKeys);
            second.shift(kStripKeys);
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

    /// Hidden values from a column on, to `to` of each channel.
    [[nodiscard]] FirstLayer<TapProduct, Leaky, kHiddenRow> first_layer(const ConvolvedRow& row, std::int64_t column, std::int64_t to) {
        const auto reads = [&](const FloatBuffer& matrix, const float* input) {
            const auto step = interleaved_floats(network_.hidden, call_.heads);
            return TapProduct{{matrix.data(), input + column - radius_, kScoreRow, call_.heads}, network_.taps(), step};
        };
        return {{at(row.hidden_table, column), prepared_.b1.data()}, reads(prepared_.w1_content, content()), reads(prepared_.w1_bias, bias()),
                {network_.slope}, hidden_.data() + to};
    }

    /// Logits from the span's first key on.
    [[nodiscard]] SecondLayer<TapProduct> second_layer(const ConvolvedRow& row) {
        const auto key = row.span.begin, units = network_.hidden;
        const float* hidden = hidden_.data() + kHaloKeys - 2 * radius_;
        return {{at(row.logit_table, key), prepared_.b2.data()}, network_.adds_bias ? at(row.cells, key) : nullptr,
                {{prepared_.w2.data(), hidden, kHiddenRow, units}, network_.taps(), interleaved_floats(call_.heads, units)}, {}, row.scores + key};
    }

    /// Those that the first strip finds to its left.
    void begin_hidden(const ConvolvedRow& row) {
        if (radius_ == 0) return;
        const auto first = row.span.begin + radius_ - reach();  // column of the first one
        for (std::int64_t done = 0; done < reach(); done += kStripKeys) {
            const auto vectors = std::min<std::int64_t>(kBlockVectors, (reach() - done) / kLanes);
            through(network_.hidden, vectors, first_layer(row, first + done, kHaloKeys - reach() + done));
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
