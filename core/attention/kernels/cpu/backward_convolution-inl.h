/// A tile of backward where DAPE's layers are convolutions along keys (DAPE v2): kTileRows query rows by up to kOwnColumns keys of their own, and kSideColumns
/// keys on each side that the own keys' gradients read. Everything between dP and dS is done a row at a time, in the first-level cache.
///
/// With r = k / 2 an own score's gradient reads gradients of hidden values r keys away, those logits 2 r away, and these hidden values 3 r and scores 4 r
/// away: each stage computes as many columns as the next one reads, and only own columns enter sums.
#include "core/attention/kernels/cpu/backward_pack-inl.h"

#if defined(LW_BACKWARD_CONVOLUTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_BACKWARD_CONVOLUTION_INL_H
#undef LW_BACKWARD_CONVOLUTION_INL_H
#else
#define LW_BACKWARD_CONVOLUTION_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

constexpr std::int64_t kSideColumns = kSheetFront, kOwnColumns = 96, kWideColumns = kOwnColumns + 2 * kSideColumns;
/// Scores of a head.
constexpr std::int64_t kWideCells = kTileRows * kWideColumns;
/// A channel of a row's inputs or hidden values: whole vectors may begin anywhere, so that the last ones reach past the columns.
constexpr std::int64_t kWideRow = kWideColumns + 16;

/// Memory of one thread for it.
struct ConvolutionRow {
    float* inputs = nullptr;    ///< [C, kWideRow]: S, then B, 0 where a convolution reads nothing
    float* hidden = nullptr;    ///< leaky(z) [D, kWideRow]
    float* d_hidden = nullptr;  ///< dz [D, kWideRow]
    float* b1_sums = nullptr;   ///< [D] vectors
};

/// A tile and what its rows are computed with.
class ConvolvedTile {
public:
    ConvolvedTile(const Tile& tile, const ConvolutionRow& memory)
        : t_(tile), to_(memory), radius_(tile.network().kernel / 2), own_(tile.vectors * kLanes), hidden_count_(tile.network().hidden),
          channels_(tile.network().channels(tile.heads())), taps_(tile.network().kernel) {}

    void run() const {
        content_and_weight_gradients();
        for (std::int64_t row = 0; row < kTileRows; ++row) {
            if (reads_any(row)) network_gradients(row);
            else clear(row);
        }
        input_gradients();
    }

private:
    [[nodiscard]] float* scores(std::int64_t h, std::int64_t row) const { return t_.scores + h * kWideCells + row * kWideColumns; }
    [[nodiscard]] float* weights(std::int64_t h, std::int64_t row) const { return t_.weights + h * kWideCells + row * kWideColumns; }
    [[nodiscard]] float* d_scores(std::int64_t h, std::int64_t row) const { return t_.d_scores + h * kWideCells + row * kWideColumns; }
    /// The query's own key is the last that a convolution reads.
    [[nodiscard]] std::int64_t own_key(std::int64_t row) const { return t_.call.before + t_.rows.first + row; }
    [[nodiscard]] std::int64_t first_column_key() const { return t_.first_key - kSideColumns; }
    /// Whole vectors over the own columns and `beside` on each side.
    [[nodiscard]] std::int64_t vectors(std::int64_t beside) const { return (own_ + 2 * beside + kLanes - 1) / kLanes; }
    [[nodiscard]] bool adds_bias() const { return t_.call.bias && t_.network().adds_bias; }

    /// Whether something of the row's attention depends on the own columns.
    [[nodiscard]] bool reads_any(std::int64_t row) const {
        const auto begin = t_.rows.begin[row], end = t_.rows.end[row], first = t_.first_key;
        if (end <= 0 || first >= end + radius_) return false;
        return first + own_ > begin - 2 * radius_ || first < std::min(t_.call.visible.sinks, end) + 2 * radius_;
    }
    void clear(std::int64_t row) const {
        for (std::int64_t h = 0; h < t_.heads(); ++h) {
            std::fill_n(weights(h, row) + kSideColumns, own_, 0.0f);
            std::fill_n(d_scores(h, row) + kSideColumns, own_, 0.0f);
        }
    }

    /// S and dP of every head, own columns and those beside them.
    void content_and_weight_gradients() const {
        const auto columns = t_.keys.columns;
        for (std::int64_t h = 0; h < t_.heads(); ++h) {
            const auto g = t_.key_head(h);
            row_products(t_.rows.q_turned + h * t_.call.width * kTileRows, t_.keys.k_turned + g * t_.call.width * columns, t_.call.width, scores(h, 0));
            row_products(t_.rows.d_output_turned + h * t_.call.value_width * kTileRows, t_.keys.v_turned + g * t_.call.value_width * columns,
                         t_.call.value_width, d_scores(h, 0));
        }
    }
    void row_products(const float* turned, const float* keys, std::int64_t depth, float* to) const {
        const Floats tag;
        split<kBlockVectors>(0, vectors(kSideColumns), [&](auto n_size, std::int64_t v) HWY_ATTR {
            split<kBlockRows>(0, kTileRows, [&](auto m_size, std::int64_t row) HWY_ATTR {
                product<m_size(), n_size()>(
                    depth, Left<1>{turned + row, kTileRows}, keys + t_.first_key + v * kLanes, t_.keys.columns, [&](int, int) HWY_ATTR { return hn::Zero(tag); },
                    [&](int m, int n, FloatVec sum) HWY_ATTR { hn::StoreU(sum, tag, to + (row + m) * kWideColumns + (v + n) * kLanes); });
            });
        });
    }

    /// Lanes from a column on whose keys are in [begin, end).
    [[nodiscard]] hn::Mask<Floats> lanes_of(std::int64_t column, std::int64_t begin, std::int64_t end) const {
        const Floats tag;
        const hn::RebindToSigned<Floats> itag;
        const auto limit = [&](std::int64_t key) HWY_ATTR {
            return hn::Set(itag, static_cast<std::int32_t>(std::clamp<std::int64_t>(key - first_column_key() - column, -1, kLanes)));
        };
        const auto lane = hn::Iota(itag, 0);
        return hn::RebindMask(tag, hn::AndNot(hn::Lt(lane, limit(begin)), hn::Lt(lane, limit(end))));
    }
    [[nodiscard]] hn::Mask<Floats> visible_at(std::int64_t row, std::int64_t column) const {
        const auto end = t_.rows.end[row];
        return hn::Or(lanes_of(column, t_.rows.begin[row], end), lanes_of(column, 0, std::min(t_.call.visible.sinks, end)));
    }
    [[nodiscard]] hn::Mask<Floats> readable_at(std::int64_t row, std::int64_t column) const { return lanes_of(column, 0, own_key(row) + 1); }
    [[nodiscard]] FloatVec bias_at(std::int64_t h, std::int64_t row, std::int64_t column) const {
        return hn::LoadU(Floats(), t_.call.bias.at(t_.task.first_head + h, t_.sheet_row(row), first_column_key() + column));
    }

    void network_gradients(std::int64_t row) const {
        load_inputs(row);
        hidden_values();
        weigh_row(row);
        hidden_gradients(row);
        add_sums(row);
        if (t_.sums.bias) bias_gradients(row);
        if (t_.network().reads_content) score_gradients(row);
    }

    void load_inputs(std::int64_t row) const {
        const Floats tag;
        const auto columns = vectors(kSideColumns) * kLanes;
        for (std::int64_t column = 0; column < columns; column += kLanes) {
            const auto readable = readable_at(row, column);
            float* to = to_.inputs + column;
            for (std::int64_t h = 0; t_.network().reads_content && h < t_.heads(); ++h, to += kWideRow) {
                hn::StoreU(hn::IfThenElseZero(readable, hn::LoadU(tag, scores(h, row) + column)), tag, to);
            }
            for (std::int64_t h = 0; t_.network().reads_bias && h < t_.heads(); ++h, to += kWideRow) {
                hn::StoreU(hn::IfThenElseZero(readable, bias_at(h, row, column)), tag, to);
            }
        }
        for (std::int64_t c = 0; c < channels_; ++c) std::fill(to_.inputs + c * kWideRow + columns, to_.inputs + (c + 1) * kWideRow, 0.0f);
    }

    /// f(vectors, unit or head count, column) over vectors that begin `beside` columns before the own ones.
    template <class F>
    HWY_INLINE void over_columns(std::int64_t beside, const F& f) const {
        split<kBlockVectors>(0, vectors(beside), [&](auto n_size, std::int64_t v) HWY_ATTR { f(n_size, kSideColumns - beside + v * kLanes); });
    }
    /// There are no hidden values before the text's first key.
    void clear_before_text(float* hidden, std::int64_t beside) const {
        if (t_.first_key > 0) return;
        for (std::int64_t d = 0; d < hidden_count_; ++d) std::fill_n(hidden + d * kWideRow + kSideColumns - beside, beside, 0.0f);
    }

    void hidden_values() const {
        const Floats tag;
        const auto& network = t_.network();
        const auto slope = hn::Set(tag, network.slope);
        over_columns(3 * radius_, [&](auto n_size, std::int64_t column) HWY_ATTR {
            split<kBlockRows>(0, hidden_count_, [&](auto m_size, std::int64_t d) HWY_ATTR {
                float* to = to_.hidden + d * kWideRow + column;
                tap_product<m_size(), n_size()>(
                    {taps_, channels_ * hidden_count_, 1}, channels_, Left<1>{t_.w1_turned + d, hidden_count_}, to_.inputs + column - radius_, kWideRow,
                    [&](int m, int) HWY_ATTR { return hn::Set(tag, network.b1 ? network.b1[d + m] : 0.0f); },
                    [&](int m, int n, FloatVec z) HWY_ATTR { hn::StoreU(leaky(z, slope), tag, to + m * kWideRow + n * kLanes); });
            });
        });
        clear_before_text(to_.hidden, 3 * radius_);
    }

    /// The weights, and dlogit = P (dP − Δ) in place of dP, both zero where hidden from the row.
    void weigh_row(std::int64_t row) const {
        const Floats tag;
        over_columns(2 * radius_, [&](auto n_size, std::int64_t column) HWY_ATTR {
            hn::Mask<Floats> visible[n_size()];
            for (int n = 0; n < n_size(); ++n) visible[n] = visible_at(row, column + n * kLanes);
            split<kBlockRows>(0, t_.heads(), [&](auto m_size, std::int64_t h) HWY_ATTR {
                tap_product<m_size(), n_size()>(
                    {taps_, hidden_count_ * t_.heads(), 1}, hidden_count_, Left<1>{t_.w2_turned + h, t_.heads()}, to_.hidden + column - radius_, kWideRow,
                    [&](int m, int n) HWY_ATTR {
                        const auto score = hn::LoadU(tag, scores(h + m, row) + column + n * kLanes);
                        return adds_bias() ? hn::Add(score, bias_at(h + m, row, column + n * kLanes)) : score;
                    },
                    [&](int m, int n, FloatVec logit) HWY_ATTR {
                        const auto of_row = (h + m) * kTileRows + row;
                        const auto p = hn::IfThenElseZero(visible[n], exp_of(hn::Sub(logit, hn::Set(tag, t_.rows.log_normaliser[of_row]))));
                        float* d = d_scores(h + m, row) + column + n * kLanes;
                        const auto d_logit = hn::Mul(p, hn::Sub(hn::LoadU(tag, d), hn::Set(tag, t_.rows.row_term[of_row])));
                        hn::StoreU(p, tag, weights(h + m, row) + column + n * kLanes);
                        hn::StoreU(hn::IfThenElseZero(visible[n], d_logit), tag, d);
                    });
            });
        });
    }

    /// dz = leaky'(z) · Σ_t W2[t]ᵀ · dlogit of the keys that read it.
    void hidden_gradients(std::int64_t row) const {
        const Floats tag;
        const auto& network = t_.network();
        const auto slope = hn::Set(tag, network.slope);
        over_columns(radius_, [&](auto n_size, std::int64_t column) HWY_ATTR {
            split<kBlockRows>(0, hidden_count_, [&](auto m_size, std::int64_t d) HWY_ATTR {
                const float* hidden = to_.hidden + d * kWideRow + column;
                float* to = to_.d_hidden + d * kWideRow + column;
                tap_product<m_size(), n_size()>(
                    {taps_, t_.heads() * hidden_count_, -1}, t_.heads(), Left<1>{network.w2 + d, hidden_count_}, d_scores(0, row) + column + radius_, kWideCells,
                    [&](int, int) HWY_ATTR { return hn::Zero(tag); },
                    [&](int m, int n, FloatVec sum) HWY_ATTR {
                        const auto value = hn::LoadU(tag, hidden + m * kWideRow + n * kLanes);
                        hn::StoreU(hn::IfThenElse(hn::Gt(value, hn::Zero(tag)), sum, hn::Mul(sum, slope)), tag, to + m * kWideRow + n * kLanes);
                    });
            });
        });
        clear_before_text(to_.d_hidden, radius_);
    }

    /// Gradients of the layers, by what the own columns give to them.
    void add_sums(std::int64_t row) const {
        const Floats tag;
        const auto heads = t_.heads();
        for (std::int64_t tap = 0; tap < taps_; ++tap) {
            const auto shift = kSideColumns + tap - radius_;
            add_pairs(1, t_.vectors, 0, d_scores(0, row) + kSideColumns, heads, kWideCells, to_.hidden + shift, hidden_count_, kWideRow,
                      t_.w2_sums + tap * heads * hidden_count_ * kLanes);
            add_pairs(1, t_.vectors, 0, to_.inputs + shift, channels_, kWideRow, to_.d_hidden + kSideColumns, hidden_count_, kWideRow,
                      t_.w1_sums + tap * channels_ * hidden_count_ * kLanes);
        }
        for (std::int64_t d = 0; d < hidden_count_; ++d) {
            auto sum = hn::Load(tag, to_.b1_sums + d * kLanes);
            for (std::int64_t v = 0; v < t_.vectors; ++v) sum = hn::Add(sum, hn::LoadU(tag, to_.d_hidden + d * kWideRow + kSideColumns + v * kLanes));
            hn::Store(sum, tag, to_.b1_sums + d * kLanes);
        }
    }

    /// last(channel of `first` .. + heads, column, Σ_s W1[s]ᵀ · dz of the hidden values that read it) over own columns, 0 where a convolution reads nothing.
    template <class Last>
    HWY_INLINE void through_first_layer(std::int64_t row, std::int64_t first, const Last& last) const {
        const Floats tag;
        over_columns(0, [&](auto n_size, std::int64_t column) HWY_ATTR {
            hn::Mask<Floats> readable[n_size()];
            for (int n = 0; n < n_size(); ++n) readable[n] = readable_at(row, column + n * kLanes);
            split<kBlockRows>(0, t_.heads(), [&](auto m_size, std::int64_t h) HWY_ATTR {
                tap_product<m_size(), n_size()>(
                    {taps_, hidden_count_ * channels_, -1}, hidden_count_, Left<1>{t_.network().w1 + first + h, channels_}, to_.d_hidden + column + radius_, kWideRow,
                    [&](int, int) HWY_ATTR { return hn::Zero(tag); },
                    [&](int m, int n, FloatVec sum) HWY_ATTR { last(h + m, column + n * kLanes, hn::IfThenElseZero(readable[n], sum)); });
            });
        });
    }

    void bias_gradients(std::int64_t row) const {
        const Floats tag;
        const auto add = [&](std::int64_t h, std::int64_t column, FloatVec value) HWY_ATTR {
            if (t_.network().adds_bias) value = hn::Add(value, hn::LoadU(tag, d_scores(h, row) + column));
            add_to(t_.sums.bias, t_.task.first_head + h, t_.sheet_row(row), first_column_key() + column, value);
        };
        if (t_.network().reads_bias) return through_first_layer(row, channels_ - t_.heads(), add);
        for (std::int64_t h = 0; h < t_.heads(); ++h) {
            for (std::int64_t v = 0; v < t_.vectors; ++v) add(h, kSideColumns + v * kLanes, hn::Zero(tag));
        }
    }

    /// dS = dlogit + du.
    void score_gradients(std::int64_t row) const {
        const Floats tag;
        through_first_layer(row, 0, [&](std::int64_t h, std::int64_t column, FloatVec value) HWY_ATTR {
            float* d = d_scores(h, row) + column;
            hn::StoreU(hn::Add(hn::LoadU(tag, d), value), tag, d);
        });
    }

    /// As input_gradients() of tiles without a convolution, over own columns.
    void input_gradients() const {
        const auto width = t_.keys.width, value_width = t_.keys.value_width;
        for (std::int64_t h = 0; h < t_.heads(); ++h) {
            const float* d = d_scores(h, 0) + kSideColumns;
            const auto key = t_.key_head(h) * t_.keys.columns + t_.first_key, row = h * kTileRows;
            add_product(kTileRows, width / kLanes, own_, Left<kWideColumns>{d, 1}, t_.keys.k + key * width, width, t_.rows.d_q + row * width, width);
            add_product(own_, width / kLanes, kTileRows, Left<1>{d, kWideColumns}, t_.rows.q + row * width, width, t_.keys.d_k + key * width, width);
            add_product(own_, value_width / kLanes, kTileRows, Left<1>{weights(h, 0) + kSideColumns, kWideColumns}, t_.rows.d_output + row * value_width,
                        value_width, t_.keys.d_v + key * value_width, value_width);
        }
    }

    const Tile& t_;
    const ConvolutionRow& to_;
    std::int64_t radius_, own_, hidden_count_, channels_, taps_;
};

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
