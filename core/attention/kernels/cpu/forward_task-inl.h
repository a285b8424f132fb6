/// One task of the forward pass: a block of rows over all tiles of keys they see.
#if defined(LW_FORWARD_TASK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_TASK_INL_H
#undef LW_FORWARD_TASK_INL_H
#else
#define LW_FORWARD_TASK_INL_H
#endif

#include "core/attention/kernels/cpu/forward.h"
#include "core/attention/kernels/cpu/forward_blocks-inl.h"
#include "core/attention/kernels/cpu/forward_convolution-inl.h"
#include "core/attention/kernels/cpu/forward_network-inl.h"
#include "core/attention/kernels/cpu/forward_pieces-inl.h"

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
          sums_(heads_ * rows_ * prepared.value_stride), cells_(call.heads * kScoreRow),
          hidden_table_(prepared.hidden_table ? call.network.hidden * kTableRow : 0), logit_table_(prepared.logit_table ? heads_ * kTableRow : 0),
          statistics_(3 * heads_ * kMaxRows), weight_sums_(heads_ * kMaxRows * kLanes), convolution_(call, prepared), network_(call, prepared) {}

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

    [[nodiscard]] const FoldingCounts& folding_counts() const { return network_.counts(); }

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
    [[nodiscard]] std::int64_t first_entry() const;
    void cut_tables();
    void run_tile(std::int64_t tile);
    void fetch_ahead(std::int64_t row, std::int64_t tile);
    void score_tile(std::int64_t head, std::int64_t tile);
    void score_group(std::int64_t head, std::int64_t group, Range keys, const float* strip);
    void make_cells(std::int64_t row);
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
    FloatBuffer cells_;       ///< [H, kScoreRow], bias of one row in one tile
    FloatBuffer hidden_table_, logit_table_;  ///< [D or heads, kTableRow], the tables' part for one tile: entry key - row + rows - 1
    FloatBuffer statistics_;  ///< largest logit so far, the tile's own, factor of what was summed before: [3, heads, kMaxRows]
    FloatBuffer weight_sums_; ///< [heads, kMaxRows, lanes]
    Convolution convolution_;
    CellNetwork network_;
    Task task_;
    Seen seen_[kMaxRows];
    std::int64_t first_key_ = 0, tile_count_ = 0;
    Seen here_[kMaxRows];      ///< seen_ inside the tile
    Range span_[kMaxRows];     ///< its hull in whole vectors
    Range read_[kMaxRows / kGroupRows];  ///< columns whose scores a group's logits are made from
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
        auto& read = read_[r / kGroupRows];
        if (r % kGroupRows == 0) read = {kTileKeys, 0};
        const auto columns = read_by(span_[r]);
        if (!columns.empty()) read = {std::min(read.begin, columns.begin), std::max(read.end, columns.end)};
    }
    return any;
}

/// Where a table's row begins that the task's rows read in this tile.
inline std::int64_t ForwardWorker::first_entry() const { return first_key_ - (call_.before + task_.row + task_.rows - 1) + prepared_.origin; }

inline void ForwardWorker::cut_tables() {
    const auto entries = prepared_.tile_keys + task_.rows - 1, stride = prepared_.table_stride;
    if (prepared_.hidden_table) cut_table(prepared_.hidden_table.data() + first_entry(), stride, call_.network.hidden, entries, hidden_table_.data());
    if (prepared_.logit_table) cut_table(prepared_.logit_table.data() + task_.head * stride + first_entry(), stride, heads_, entries, logit_table_.data());
    if (prepared_.folded_table) network_.folding().enter_tile(hidden_table_.data(), prepared_.folded_table.data() + first_entry(), task_.rows);
}

inline void ForwardWorker::run_tile(std::int64_t tile) {
    cut_tables();
    for (std::int64_t h = 0; h < heads_; ++h) score_tile(h, tile);
    for (std::int64_t r = 0; r < task_.rows; ++r) {
        fetch_ahead(r, tile);
        if (call_.bias.by_cell()) make_cells(r);
        if (convolves()) apply_convolution(r);
        else if (mixes_heads(call_)) apply_network(r);
        else if (call_.bias.by_cell()) add_cells(r);
        hide(r);
        for (std::int64_t h = 0; h < heads_; ++h) find_largest(h, r);
    }
    for (std::int64_t h = 0; h < heads_; ++h) {
        update_largest(h);
        for (std::int64_t r = 0; r < task_.rows; ++r) weigh(h, r);
        for (std::int64_t group = 0; group < task_.rows; group += kGroupRows) mix_group(h, group, tile);
    }
}

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
