/// One task of the forward pass: a block of rows over all tiles of keys they see.
#if defined(LW_FORWARD_TASK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_TASK_INL_H
#undef LW_FORWARD_TASK_INL_H
#else
#define LW_FORWARD_TASK_INL_H
#endif

#include "core/attention/kernels/cpu/forward.h"
#include "core/attention/kernels/cpu/forward_convolution-inl.h"

#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

inline constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Buffers of one thread, for tasks of one call.
class ForwardWorker {
public:
    ForwardWorker(const AttentionCall& call, const Prepared& prepared, const ForwardOutput& output)
        : call_(call), prepared_(prepared), output_(output), heads_(mixes_heads(call) ? call.heads : 1), rows_(task_rows(call)),
          scores_(heads_ * kScoreHead), q_(heads_ * rows_ * call.width),
          sums_(heads_ * rows_ * prepared.value_stride), hidden_(call.network.hidden * kStripKeys), cells_(call.heads * kScoreRow),
          hidden_table_(prepared.hidden_table ? call.network.hidden * kTableRow : 0), logit_table_(prepared.logit_table ? heads_ * kTableRow : 0),
          statistics_(3 * heads_ * kMaxRows), weight_sums_(heads_ * kMaxRows * kLanes), convolution_(call, prepared) {}

    void run(const Task& task) {
        task_ = task;
        begin();
        Range all{call_.keys, 0};
        for (std::int64_t r = 0; r < task.rows; ++r) {
            seen_[r] = seen_by(call_, task.row + r);
            const auto hull = seen_[r].hull();
            if (!hull.empty()) all = {std::min(all.begin, hull.begin), std::max(all.end, hull.end)};
        }
        for (auto tile = all.begin / prepared_.own_keys; tile * prepared_.own_keys < all.end; ++tile) {
            if (enter_tile(tile)) run_tile(tile);
        }
        finish();
    }

private:
    float* scores(std::int64_t head, std::int64_t row) { return scores_.data() + head * kScoreHead + row * kScoreRow; }
    float* sums(std::int64_t head, std::int64_t row) { return sums_.data() + (head * rows_ + row) * prepared_.value_stride; }
    float* largest(std::int64_t head) { return statistics_.data() + head * kMaxRows; }
    float* tile_largest(std::int64_t head) { return statistics_.data() + (heads_ + head) * kMaxRows; }
    float* factors(std::int64_t head) { return statistics_.data() + (2 * heads_ + head) * kMaxRows; }
    float* weight_sums(std::int64_t head, std::int64_t row) { return weight_sums_.data() + (head * kMaxRows + row) * kLanes; }
    [[nodiscard]] std::int64_t key_head(std::int64_t head) const { return task_.b * call_.key_heads + (task_.head + head) / (call_.heads / call_.key_heads); }
    /// A tile's table at this row and key of the tile.
    [[nodiscard]] const float* entry(const FloatBuffer& table, std::int64_t row, std::int64_t key) const {
        return table ? table.data() + key - row + task_.rows - 1 : nullptr;
    }

    void begin();
    bool enter_tile(std::int64_t tile);
    void cut_table(const FloatBuffer& whole, std::int64_t first, std::int64_t count, FloatBuffer& cut);
    void run_tile(std::int64_t tile);
    void fetch_ahead(std::int64_t row, std::int64_t tile);
    void score_group(std::int64_t head, std::int64_t group, std::int64_t tile);
    void copy_cells(std::int64_t row, Range keys);
    void apply_network(std::int64_t row);
    void apply_convolution(std::int64_t row);
    void lend_first_hidden(std::int64_t row, bool back);
    [[nodiscard]] bool convolves() const { return prepared_.halo > 0; }
    /// The columns that a span's logits are made from.
    [[nodiscard]] Range read_by(Range span) const { return convolves() && !span.empty() ? Range{span.begin - convolution_.reach(), span.end + convolution_.reach()} : span; }
    void add_cells(std::int64_t row);
    void hide(std::int64_t row);
    void find_largest(std::int64_t head, std::int64_t row);
    void update_largest(std::int64_t head);
    void weigh(std::int64_t head, std::int64_t row);
    void mix_group(std::int64_t head, std::int64_t group, std::int64_t tile);
    void mix_range(std::int64_t head, std::int64_t row, std::int64_t rows, Range keys, const float* tile_values, const float* factors);
    void finish();

    const AttentionCall& call_;
    const Prepared& prepared_;
    const ForwardOutput& output_;
    std::int64_t heads_, rows_;
    FloatBuffer scores_;      ///< [heads, rows, kScoreRow]: scores, logits, then weights of a tile
    FloatBuffer q_;           ///< [heads, rows / 8, d, 8], scaled
    FloatBuffer sums_;        ///< [heads, rows, value_stride]
    FloatBuffer hidden_;      ///< [D, kStripKeys]
    FloatBuffer cells_;       ///< [H, kScoreRow], bias of one row in one tile
    FloatBuffer hidden_table_, logit_table_;  ///< [D or heads, kTableRow], the tables' part for one tile: entry key - row + rows - 1
    FloatBuffer statistics_;  ///< largest logit so far, the tile's own, factor of what was summed before: [3, heads, kMaxRows]
    FloatBuffer weight_sums_; ///< [heads, kMaxRows, lanes]
    Convolution convolution_;
    Task task_;
    Seen seen_[kMaxRows];
    std::int64_t first_key_ = 0, tile_count_ = 0;
    Seen here_[kMaxRows];      ///< seen_ inside the tile
    Range span_[kMaxRows];     ///< its hull in whole vectors
};

inline void ForwardWorker::begin() {
    const float scale = call_.scale * kLog2E;
    for (std::int64_t h = 0; h < heads_; ++h) {
        for (std::int64_t r = 0; r < task_.rows; ++r) {
            const float* source = call_.q.at(task_.b, task_.head + h, task_.row + r);
            float* out = q_.data() + (h * rows_ + r / kGroupRows * kGroupRows) * call_.width + r % kGroupRows;
            for (std::int64_t c = 0; c < call_.width; ++c) out[c * kGroupRows] = source[c] * scale;
        }
        std::fill_n(largest(h), kMaxRows, kHidden);
    }
    std::fill_n(sums_.data(), heads_ * rows_ * prepared_.value_stride, 0.0f);
    std::fill_n(weight_sums_.data(), heads_ * kMaxRows * kLanes, 0.0f);
}

/// Finds what each row sees of the tile; false where none sees anything.
inline bool ForwardWorker::enter_tile(std::int64_t tile) {
    first_key_ = tile * prepared_.own_keys - prepared_.halo;
    tile_count_ = std::min(prepared_.tile_keys, call_.keys - first_key_);
    const Range own{prepared_.halo, std::min(prepared_.halo + prepared_.own_keys, tile_count_)};
    bool any = false;
    for (std::int64_t r = 0; r < task_.rows; ++r) {
        here_[r] = {seen_[r].sinks.in_tile(first_key_, own), seen_[r].recent.in_tile(first_key_, own)};
        const auto hull = here_[r].hull();
        span_[r] = here_[r].empty() ? Range{} : Range{hull.begin / kLanes * kLanes, (hull.end + kLanes - 1) / kLanes * kLanes};
        any = any || !span_[r].empty();
    }
    return any;
}

/// Rows [first, first + count) of a table, the part that the task's rows need in this tile.
inline void ForwardWorker::cut_table(const FloatBuffer& whole, std::int64_t first, std::int64_t count, FloatBuffer& cut) {
    if (!whole) return;
    const Floats d;
    const auto needed = prepared_.tile_keys + task_.rows - 1;
    const float* from = whole.data() + first * prepared_.table_stride + first_key_ - (call_.before + task_.row + task_.rows - 1) + prepared_.origin;
    float* to = cut.data();
    for (std::int64_t row = 0; row < count; ++row, from += prepared_.table_stride, to += kTableRow) {
        for (std::int64_t i = 0; i < needed; i += kLanes) hn::Store(hn::LoadU(d, from + i), d, to + i);
    }
}

inline void ForwardWorker::run_tile(std::int64_t tile) {
    cut_table(prepared_.hidden_table, 0, call_.network.hidden, hidden_table_);
    cut_table(prepared_.logit_table, task_.head, heads_, logit_table_);
    for (std::int64_t h = 0; h < heads_; ++h) {
        for (std::int64_t group = 0; group < task_.rows; group += kGroupRows) score_group(h, group, tile);
    }
    for (std::int64_t r = 0; r < task_.rows; ++r) {
        fetch_ahead(r, tile);
        if (call_.bias.cells != nullptr) copy_cells(r, read_by(span_[r]));
        if (convolves()) apply_convolution(r);
        else if (mixes_heads(call_)) apply_network(r);
        else if (call_.bias.cells != nullptr) add_cells(r);
        hide(r);
        for (std::int64_t h = 0; h < heads_; ++h) find_largest(h, r);
    }
    for (std::int64_t h = 0; h < heads_; ++h) {
        update_largest(h);
        for (std::int64_t r = 0; r < task_.rows; ++r) weigh(h, r);
        for (std::int64_t group = 0; group < task_.rows; group += kGroupRows) mix_group(h, group, tile);
    }
}

/// A row's share of this tile's values and the next one's keys is fetched into the second-level cache while the network computes: products read a
/// tile faster than a processor's last-level cache hands it out.
inline void ForwardWorker::fetch_ahead(std::int64_t row, std::int64_t tile) {
    const auto fetch = [&](const float* data, std::int64_t floats) {
        const auto share = (floats + task_.rows - 1) / task_.rows;
        for (auto i = row * share; i < std::min(floats, (row + 1) * share); i += 16) __builtin_prefetch(data + i, 0, 2);
    };
    const auto groups = call_.heads / call_.key_heads;
    for (std::int64_t h = 0; h < heads_; h += groups) {
        fetch(prepared_.value_tile(key_head(h), tile), prepared_.own_keys * prepared_.value_stride);
        if (tile + 1 < prepared_.tiles) fetch(prepared_.key_tile(key_head(h), tile + 1), prepared_.tile_keys * call_.width);
    }
}

inline void ForwardWorker::score_group(std::int64_t head, std::int64_t group, std::int64_t tile) {
    const auto rows = std::min(kGroupRows, task_.rows - group);
    Range keys{kTileKeys, 0};
    for (auto r = group; r < group + rows; ++r) {
        if (!span_[r].empty()) keys = {std::min(keys.begin, span_[r].begin), std::max(keys.end, span_[r].end)};
    }
    keys = read_by(keys);
    // A network reads bare scores; without one the bias is where sums start.
    const FloatBuffer none;
    const auto& table = mixes_heads(call_) ? none : logit_table_;
    for (auto key = keys.begin; key < keys.end; key += kStripKeys) {
        const ScoreBlock block{q_.data() + (head * rows_ + group) * call_.width, prepared_.key_tile(key_head(head), tile) + key, prepared_.tile_keys, call_.width,
                               entry(table, group, key), scores(head, group) + key};
        blocks(rows, (keys.end - key) / kLanes, block);
    }
}

/// Whole vectors, and the columns around a tile's own, may reach past the last key and before the first, where the caller's cells end.
inline void ForwardWorker::copy_cells(std::int64_t row, Range keys) {
    if (keys.empty()) return;
    const auto first = std::max(keys.begin, -first_key_), last = std::max(first, std::min(keys.end, tile_count_));
    for (std::int64_t h = 0; h < heads_; ++h) {
        const float* source = call_.bias.cells + (task_.head + h) * call_.bias.cell_head + (task_.row + row - call_.first_row) * call_.bias.cell_row + first_key_;
        float* out = cells_.data() + h * kScoreRow;
        std::fill(out + keys.begin, out + first, 0.0f);
        std::copy(source + first, source + last, out + first);
        std::fill(out + last, out + keys.end, 0.0f);
    }
}

inline void ForwardWorker::apply_network(std::int64_t row) {
    const auto& network = call_.network;
    const bool adds_cells = call_.bias.cells != nullptr && network.adds_bias;
    for (auto key = span_[row].begin; key < span_[row].end; key += kStripKeys) {
        const NetworkStrip strip{scores(0, row) + key, heads_, cells_.data() + key, entry(hidden_table_, row, key), entry(logit_table_, row, key),
                                 hidden_.data()};
        const auto vectors = (span_[row].end - key) / kLanes;
        blocks(network.hidden, vectors, FirstLayer{strip, prepared_, network.slope});
        blocks(heads_, vectors, SecondLayer{strip, prepared_, network.hidden, adds_cells});
    }
}

inline void ForwardWorker::apply_convolution(std::int64_t row) {
    if (span_[row].empty()) return;
    const bool from_start = first_key_ < 0, lends = from_start && prepared_.first_hidden;
    if (lends) lend_first_hidden(row, false);
    const auto own = call_.before + task_.row + row - first_key_;  // column of the query's own key
    convolution_.apply({span_[row], {std::max<std::int64_t>(0, -first_key_), own + 1}, from_start, scores(0, row),
                        call_.bias.cells != nullptr ? cells_.data() : nullptr, entry(hidden_table_, row, 0), entry(logit_table_, row, 0)});
    if (lends) lend_first_hidden(row, true);
}

/// The cut table, which all rows read, holds this row's own values at the text's first keys for as long as it needs them.
inline void ForwardWorker::lend_first_hidden(std::int64_t row, bool back) {
    const auto radius = call_.network.radius(), units = call_.network.hidden, query = task_.row + row;
    for (std::int64_t key = 0; key < radius; ++key) {
        const float* own = prepared_.first_hidden.data() + (query * radius + key) * units;
        const float* shared = prepared_.hidden_table.data() + key - (call_.before + query) + prepared_.origin;
        float* at = hidden_table_.data() + prepared_.halo + key - row + task_.rows - 1;
        for (std::int64_t unit = 0; unit < units; ++unit) at[unit * kTableRow] = back ? shared[unit * prepared_.table_stride] : own[unit];
    }
}

inline void ForwardWorker::add_cells(std::int64_t row) {
    const Floats d;
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) {
        float* at = scores(0, row) + key;
        hn::Store(hn::MulAdd(hn::Load(d, cells_.data() + key), hn::Set(d, kLog2E), hn::Load(d, at)), d, at);
    }
}

/// -inf at keys the row does not see, in the vectors that hold such keys.
inline void ForwardWorker::hide(std::int64_t row) {
    const Floats d;
    const auto& seen = here_[row];
    const auto inside = [&](Range range, std::int64_t key) {
        const auto at = hn::Iota(d, static_cast<float>(key));
        return hn::And(hn::Ge(at, hn::Set(d, static_cast<float>(range.begin))), hn::Lt(at, hn::Set(d, static_cast<float>(range.end))));
    };
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) {
        if (seen.covers(key, key + kLanes)) continue;
        const auto visible = hn::Or(inside(seen.sinks, key), inside(seen.recent, key));
        for (std::int64_t h = 0; h < heads_; ++h) {
            float* at = scores(h, row) + key;
            hn::Store(hn::IfThenElse(visible, hn::Load(d, at), hn::Set(d, kHidden)), d, at);
        }
    }
}

inline void ForwardWorker::find_largest(std::int64_t head, std::int64_t row) {
    const Floats d;
    auto most = hn::Set(d, kHidden);
    const float* at = scores(head, row);
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) most = hn::Max(hn::Load(d, at + key), most);
    tile_largest(head)[row] = hn::GetLane(hn::MaxOfLanes(d, most));
}

/// Largest logits over all tiles so far, and what earlier weights are multiplied by so that they refer to them.
inline void ForwardWorker::update_largest(std::int64_t head) {
    const Floats d;
    for (std::int64_t r = 0; r < task_.rows; r += kLanes) {
        const auto before = hn::Load(d, largest(head) + r);
        const auto now = hn::Max(hn::Load(d, tile_largest(head) + r), before);
        // Where nothing was seen yet, any finite number does instead of -inf.
        const auto finite = hn::IfThenElse(hn::Eq(now, hn::Set(d, kHidden)), hn::Zero(d), now);
        hn::Store(now, d, largest(head) + r);
        hn::Store(finite, d, tile_largest(head) + r);
        hn::Store(exp2(hn::Sub(before, finite)), d, factors(head) + r);
    }
}

/// Logits -> weights 2^(logit - largest).
inline void ForwardWorker::weigh(std::int64_t head, std::int64_t row) {
    if (span_[row].empty()) return;
    const Floats d;
    const auto most = hn::Set(d, tile_largest(head)[row]);
    auto sum = hn::Mul(hn::Set(d, factors(head)[row]), hn::Load(d, weight_sums(head, row)));
    float* at = scores(head, row);
    for (auto key = span_[row].begin; key < span_[row].end; key += kLanes) {
        // Hidden keys of a vector add 2^-80 to a sum of at least 1; nobody reads their weights.
        const auto weight = weight_of(hn::Sub(hn::Load(d, at + key), most));
        hn::Store(weight, d, at + key);
        sum = hn::Add(sum, weight);
    }
    hn::Store(sum, d, weight_sums(head, row));
}

/// Keys that all rows of the group see are taken for all at once; the others row by row, since a weight of zero would still carry the NaN of a
/// value that its row does not see.
inline void ForwardWorker::mix_group(std::int64_t head, std::int64_t group, std::int64_t tile) {
    static constexpr float kOnes[kGroupRows] = {1, 1, 1, 1, 1, 1, 1, 1};
    const auto rows = std::min(kGroupRows, task_.rows - group);
    const float* values = prepared_.value_tile(key_head(head), tile);
    Range sinks = here_[group].sinks, recent = here_[group].recent;
    bool any = false;
    for (auto r = group; r < group + rows; ++r) {
        any = any || !here_[r].empty();
        sinks = common(sinks, here_[r].sinks);
        recent = common(recent, here_[r].recent);
    }
    if (!any) return;
    recent.end = std::max(recent.begin, recent.end);
    sinks.end = std::max(sinks.begin, sinks.end);
    mix_range(head, group, rows, recent, values, factors(head) + group);
    if (!sinks.empty()) mix_range(head, group, rows, sinks, values, kOnes);
    for (auto r = group; r < group + rows; ++r) {
        for (const auto& [own, shared] : {std::pair(here_[r].sinks, sinks), std::pair(here_[r].recent, recent)}) {
            mix_range(head, r, 1, {own.begin, std::min(own.end, shared.begin)}, values, kOnes);
            mix_range(head, r, 1, {std::max(own.begin, shared.end), own.end}, values, kOnes);
        }
    }
}

inline void ForwardWorker::mix_range(std::int64_t head, std::int64_t row, std::int64_t rows, Range keys, const float* tile_values, const float* factors) {
    if (keys.empty() && rows == 1 && *factors == 1.0f) return;
    const auto stride = prepared_.value_stride, first = keys.empty() ? 0 : keys.begin - prepared_.halo;
    add_values({scores(head, row) + keys.begin, tile_values + first * stride, stride, keys.end - keys.begin, factors, sums(head, row)}, rows);
}

inline void ForwardWorker::finish() {
    const Floats d;
    for (std::int64_t h = 0; h < heads_; ++h) {
        for (std::int64_t r = 0; r < task_.rows; ++r) {
            const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, weight_sums(h, r))));
            const bool nothing = largest(h)[r] == kHidden;
            const float factor = nothing ? 0.0f : 1.0f / sum;
            float* out = output_.output.at(task_.b, task_.head + h, task_.row + r);
            for (std::int64_t c = 0; c < call_.value_width; ++c) out[c] = sums(h, r)[c] * factor;
            if (output_.log_normaliser == nullptr) continue;
            const auto at = ((task_.b * call_.heads + task_.head + h) * call_.queries) + task_.row + r;
            output_.log_normaliser[at] = nothing ? kHidden : static_cast<float>(static_cast<double>(largest(h)[r]) * static_cast<double>(kLn2) + std::log(static_cast<double>(sum)));
        }
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
