/// Hidden units of DAPE's network (without convolution, over a bias by distance) whose sign is known for some keys. A hidden unit is z_u = t_u + c_u:
/// t_u, a table, is what the bias and b1 give at a distance, and c_u = W1_content[u] · S what the scores give. Where c_u cannot turn the sign of
/// t_u, leaky is a line, and the network is affine in the scores:
///
///   f(S, B) = f(0, B) + A · S + (1 − slope) Σ_u W2[u] · (relu(±z_u) − relu(±t_u)),  A = Σ_u W2[u] leaky'(t_u) W1_content[u]
///
/// with + where t_u <= 0 and − where t_u > 0, exact for any unit and any S. f(0, B) is one more table, A one H x H matrix a tile, and a term of the
/// sum is 0 for units that keep their sign; the others are "open". |c_u| <= ‖W1_content[u]‖ · ‖S‖ over heads (Cauchy and Schwarz), so a unit is closed
/// as long as the largest ‖S‖² of some keys does not exceed min t_u² / ‖W1_content[u]‖². With units sorted by this limit once a tile, the open ones of any
/// keys of any row are the first n. Where a distance inside the tile turns the sign of t_u, the sign is +, the unit open whatever the scores are, and the
/// term's relu(t_u) is taken off the tile's part of f(0, B).
#if defined(LW_FORWARD_FOLD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_FOLD_INL_H
#undef LW_FORWARD_FOLD_INL_H
#else
#define LW_FORWARD_FOLD_INL_H
#endif

#include "core/attention/kernels/cpu/forward_layers-inl.h"

#include <cmath>
#include <limits>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// Keys whose open units are counted together: strips of any target are a part of it.
inline constexpr std::int64_t kFoldKeys = 48;
static_assert(kFoldKeys % kStripKeys == 0 && kTileKeys % kFoldKeys == 0);

/// The part of the tables that a task's rows need in one tile: entry key - row + rows - 1.
HWY_INLINE void cut_table(const float* from, std::int64_t from_row, std::int64_t rows, std::int64_t entries, float* to) {
    const Floats d;
    for (std::int64_t row = 0; row < rows; ++row, from += from_row, to += kTableRow) {
        for (std::int64_t i = 0; i < entries; i += kLanes) hn::Store(hn::LoadU(d, from + i), d, to + i);
    }
}

/// Folded units of one tile; the buffers of one thread.
class Folding {
public:
    Folding(const AttentionCall& call, const Prepared& prepared);

    /// Sorts the units for a tile, from its cut hidden table and the part of f(0, B) that belongs to it.
    void enter_tile(const float* hidden_cut, const float* folded, std::int64_t rows);
    /// So many of the tile's first keys may be cheaper this way.
    [[nodiscard]] std::int64_t keys() const { return keys_; }
    /// Otherwise no unit is ever open.
    [[nodiscard]] bool reads_content() const { return static_cast<bool>(prepared_.w1_content); }
    /// Open units, of D, where the largest Σ_h S_h² of some keys is this; D where it is no number.
    [[nodiscard]] std::int64_t open_units(float square) const;
    /// Whether the tile has units that are open whatever the scores are, since a distance turns their t.
    [[nodiscard]] bool has_turning() const { return reads_content() && order_.front().turns; }
    /// Whether so many are better computed this way.
    [[nodiscard]] bool pays_for(std::int64_t open) const { return open <= most_open_; }
    /// Largest Σ_h S_h² of some whole vectors of keys of a row.
    [[nodiscard]] float largest_square(const float* scores, std::int64_t vectors) const;
    /// Scores become logits at a strip of keys; entry is that of its first key in cut tables.
    void apply(float* scores, std::int64_t entry, std::int64_t vectors, std::int64_t open);

private:
    [[nodiscard]] float w1(std::int64_t unit, std::int64_t head) const {
        return interleaved_row(prepared_.w1_content.data(), unit, heads_)[head * kInterleave];
    }
    static constexpr float kAlwaysOpen = -1;
    void find_limits();
    void pack_units(std::int64_t places);
    void make_linear();
    void add_linear(std::int64_t unit, float factor, float* to) const;
    void correct_offsets(std::int64_t unit);

    const AttentionCall& call_;
    const Prepared& prepared_;
    std::int64_t heads_, units_, most_open_ = -1;
    bool copies_ = false;
    const float* hidden_cut_ = nullptr;  ///< [D, kTableRow]: t in this tile
    std::int64_t keys_ = 0, entries_ = 0, packed_ = 0;
    struct Unit {
        float limit;          ///< of Σ_h S_h², or kAlwaysOpen
        std::int32_t index;
        bool positive, turns; ///< t >= 0 in all of the tile, but not 0; t changes its sign
    };
    std::vector<Unit> order_;   ///< D, by limit
    std::vector<float> norms_;  ///< ‖W1_content[u]‖²
    FloatBuffer limits_;        ///< [D] sorted, infinite up to whole vectors
    FloatBuffer table_;         ///< [D, kTableRow]: ±t, sorted
    FloatBuffer offsets_;       ///< [H, kTableRow]: f(0, B)
    FloatBuffer w1_, w2_;       ///< [D, H] and [H, D] interleaved: ±W1_content and (1 − slope) W2, sorted
    FloatBuffer linear_;        ///< [H, H] interleaved: A
    FloatBuffer flat_linear_;   ///< the same where all t <= 0
    FloatBuffer scores_;        ///< [H, kStripKeys]: S, where logits take its place before all heads are done
    FloatBuffer hidden_;        ///< [D, kStripKeys]
};

inline Folding::Folding(const AttentionCall& call, const Prepared& prepared)
    : call_(call), prepared_(prepared), heads_(call.heads), units_(prepared.folded_table ? call.network.hidden : 0) {
    if (units_ == 0) return;
    order_.resize(static_cast<std::size_t>(units_));
    const auto padded = (units_ + kLanes - 1) / kLanes * kLanes;
    limits_ = FloatBuffer(padded);
    std::fill_n(limits_.data(), padded, std::numeric_limits<float>::infinity());
    offsets_ = FloatBuffer(heads_ * kTableRow);
    most_open_ = 0;
    if (!reads_content()) return;
    // One block of sums holds all heads, or else the first one overwrites scores that the next reads.
    copies_ = heads_ > kBlockRows || (heads_ & (heads_ - 1)) != 0;
    // In multiply-adds, leaky counting two and relu one; a folded strip has more to do besides. Never all of them: D stands for keys that must not
    // be folded.
    most_open_ = std::min((units_ * (2 * heads_ + 2) * 15 / 16 - heads_ * (heads_ + 2)) / (2 * heads_ + 1), units_ - 1);
    table_ = FloatBuffer(units_ * kTableRow);
    w1_ = FloatBuffer(interleaved_floats(units_, heads_));
    w2_ = FloatBuffer(interleaved_floats(heads_, units_));
    linear_ = FloatBuffer(interleaved_floats(heads_, heads_));
    flat_linear_ = FloatBuffer(interleaved_floats(heads_, heads_));
    scores_ = FloatBuffer(heads_ * kStripKeys);
    hidden_ = FloatBuffer(units_ * kStripKeys);
    for (std::int64_t unit = 0; unit < units_; ++unit) {
        float norm = 0;
        for (std::int64_t h = 0; h < heads_; ++h) norm += w1(unit, h) * w1(unit, h);
        norms_.push_back(norm);
    }
    std::fill_n(flat_linear_.data(), interleaved_floats(heads_, heads_), 0.0f);
    for (std::int64_t unit = 0; unit < units_; ++unit) add_linear(unit, call.network.slope, flat_linear_.data());
}

inline void Folding::enter_tile(const float* hidden_cut, const float* folded, std::int64_t rows) {
    keys_ = most_open_ >= 0 ? prepared_.tile_keys : 0;
    if (keys_ == 0) return;
    hidden_cut_ = hidden_cut;
    packed_ = 0;
    if (reads_content()) {
        for (; keys_ > 0; keys_ -= kFoldKeys) {
            entries_ = keys_ + rows - 1;
            find_limits();
            if (limits_.data()[std::min(most_open_, units_ / 2)] > 0) break;
        }
        keys_ = std::max<std::int64_t>(keys_, 0);
        if (keys_ == 0) return;
        make_linear();
    }
    entries_ = keys_ + rows - 1;
    cut_table(folded, prepared_.table_stride, heads_, entries_, offsets_.data());
    for (const auto& unit : order_) {
        if (unit.turns) correct_offsets(unit.index);
    }
}

inline void Folding::find_limits() {
    const Floats d;
    for (std::int64_t unit = 0; unit < units_; ++unit) {
        const float* table = hidden_cut_ + unit * kTableRow;
        auto low = hn::Load(d, table), high = low;
        for (std::int64_t i = kLanes; i < entries_; i += kLanes) {
            const auto t = hn::Load(d, table + i);
            low = hn::Min(low, t);
            high = hn::Max(high, t);
        }
        const float least = hn::GetLane(hn::MinOfLanes(d, low)), most = hn::GetLane(hn::MaxOfLanes(d, high));
        const float nearest = least > 0 ? least : most < 0 ? most : 0, norm = norms_[static_cast<std::size_t>(unit)];
        const bool turns = norm > 0 && least < 0 && most > 0;
        const float square = norm > 0 ? nearest * nearest / norm : std::numeric_limits<float>::infinity();
        // No ‖S‖² is below kAlwaysOpen. A square that is no number (both parts overflow) says nothing, so that the unit is computed too.
        const float limit = turns || std::isnan(square) ? kAlwaysOpen : square;
        order_[static_cast<std::size_t>(unit)] = {limit, static_cast<std::int32_t>(unit), most > 0 && !turns, turns};
    }
    std::sort(order_.begin(), order_.end(),
              [](const Unit& a, const Unit& b) { return a.limit < b.limit || (a.limit == b.limit && a.index < b.index); });
    for (std::int64_t place = 0; place < units_; ++place) limits_.data()[place] = order_[static_cast<std::size_t>(place)].limit;
}

/// The units of places [packed_, places).
inline void Folding::pack_units(std::int64_t places) {
    const Floats d;
    const float rest = 1.0f - call_.network.slope;
    for (; packed_ < places; ++packed_) {
        const auto& unit = order_[static_cast<std::size_t>(packed_)];
        const float sign = unit.positive ? -1.0f : 1.0f;
        const float* from = hidden_cut_ + unit.index * kTableRow;
        float* to = table_.data() + packed_ * kTableRow;
        for (std::int64_t i = 0; i < entries_; i += kLanes) hn::Store(hn::Mul(hn::Set(d, sign), hn::Load(d, from + i)), d, to + i);
        float* w1_to = w1_.data() + packed_ / kInterleave * heads_ * kInterleave + packed_ % kInterleave;
        for (std::int64_t h = 0; h < heads_; ++h) w1_to[h * kInterleave] = sign * w1(unit.index, h);
        for (std::int64_t h = 0; h < heads_; h += kInterleave) {
            const float* w2_from = interleaved_row(prepared_.w2.data(), h, units_) + unit.index * kInterleave;
            float* w2_to = w2_.data() + h * units_ + packed_ * kInterleave;
            for (std::int64_t i = 0; i < kInterleave; ++i) w2_to[i] = rest * w2_from[i];
        }
    }
}

/// Where t turns its sign in the tile, the term that stands for the unit is relu(z) − relu(t): the second half of it.
inline void Folding::correct_offsets(std::int64_t unit) {
    const Floats d;
    const float* table = hidden_cut_ + unit * kTableRow;
    for (std::int64_t h = 0; h < heads_; ++h) {
        const auto weight = hn::Set(d, (call_.network.slope - 1.0f) * interleaved_row(prepared_.w2.data(), h, units_)[unit * kInterleave]);
        float* at = offsets_.data() + h * kTableRow;
        for (std::int64_t i = 0; i < entries_; i += kLanes) {
            hn::Store(hn::MulAdd(weight, at_least(hn::Zero(d), hn::Load(d, table + i)), hn::Load(d, at + i)), d, at + i);
        }
    }
}

/// A of this tile: from the matrix of which all units have the smaller slope, those whose t is positive get the larger one.
inline void Folding::make_linear() {
    std::copy_n(flat_linear_.data(), interleaved_floats(heads_, heads_), linear_.data());
    for (const auto& unit : order_) {
        if (unit.positive) add_linear(unit.index, 1.0f - call_.network.slope, linear_.data());
    }
}

/// to += factor · W2[unit] W1_content[unit].
inline void Folding::add_linear(std::int64_t unit, float factor, float* to) const {
    for (std::int64_t h = 0; h < heads_; h += kInterleave) {
        const float* w2 = interleaved_row(prepared_.w2.data(), h, units_) + unit * kInterleave;
        for (std::int64_t g = 0; g < heads_; ++g, to += kInterleave) {
            const float weight = factor * w1(unit, g);
            for (std::int64_t i = 0; i < kInterleave; ++i) to[i] += weight * w2[i];
        }
    }
}

inline std::int64_t Folding::open_units(float square) const {
    const Floats d;
    const auto limit = hn::Set(d, square);
    std::int64_t open = 0;
    for (std::int64_t place = 0; place < units_; place += kLanes) {
        open += kLanes - static_cast<std::int64_t>(hn::CountTrue(d, hn::Ge(hn::Load(d, limits_.data() + place), limit)));
    }
    return std::min(open, units_);
}

inline float Folding::largest_square(const float* scores, std::int64_t vectors) const {
    const Floats d;
    auto most = hn::Zero(d);
    for (std::int64_t v = 0; v < vectors; ++v) {
        auto square = hn::Zero(d);
        for (std::int64_t h = 0; h < heads_; ++h) {
            const auto score = hn::Load(d, scores + h * kScoreHead + v * kLanes);
            square = hn::MulAdd(score, score, square);
        }
        most = hn::Max(most, square);
    }
    return hn::GetLane(hn::MaxOfLanes(d, most));
}

inline void Folding::apply(float* scores, std::int64_t entry, std::int64_t vectors, std::int64_t open) {
    const Floats d;
    Product content{.matrix = w1_.data(), .right = scores, .right_row = kScoreHead, .depth = heads_};
    if (copies_) {
        for (std::int64_t h = 0; h < heads_; ++h) {
            for (std::int64_t v = 0; v < std::min<std::int64_t>(vectors, kBlockVectors); ++v) {
                hn::Store(hn::Load(d, scores + h * kScoreHead + v * kLanes), d, scores_.data() + h * kStripKeys + v * kLanes);
            }
        }
        content.right = scores_.data();
        content.right_row = kStripKeys;
    }
    auto linear = content;
    linear.matrix = linear_.data();
    if (open > packed_) pack_units(open);
    if (open > 0) through(open, vectors, FirstLayer<Product, Relu, kStripKeys>{{table_.data() + entry, nullptr}, content, {}, {}, hidden_.data()});
    const Product hidden{w2_.data(), hidden_.data(), kStripKeys, open, units_};
    through(heads_, vectors, SecondLayer<Product>{{offsets_.data() + entry, nullptr}, nullptr, hidden, linear, scores});
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
