/// A tile of the forward pass from queries and keys to logits: scores, what is added by cell, and the network.
#if defined(LW_FORWARD_LOGITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LW_FORWARD_LOGITS_INL_H
#undef LW_FORWARD_LOGITS_INL_H
#else
#define LW_FORWARD_LOGITS_INL_H
#endif

#include "core/attention/kernels/cpu/forward_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {

/// A row's share of this tile's values and the next one's keys is fetched into the second-level cache while the network computes: products read a
/// tile faster than a processor's last-level cache hands it out.
inline void ForwardWorker::fetch_ahead(std::int64_t row, std::int64_t tile) {
    const auto fetch = [&](const float* data, std::int64_t floats) {
        const auto share = (floats + task_.rows - 1) / task_.rows;
        for (auto i = row * share; i < std::min(floats, (row + 1) * share); i += kLine) __builtin_prefetch(data + i, 0, 2);
    };
    const auto groups = call_.heads / call_.key_heads;
    for (std::int64_t h = 0; h < heads_; h += groups) {
        fetch(prepared_.value_tile(key_head(h), tile), prepared_.own_keys * prepared_.value_stride);
        if (tile + 1 < prepared_.tiles) fetch(prepared_.key_tile(key_head(h), tile + 1), prepared_.key_floats);
    }
}

/// Strip by strip: while all rows read one, the next comes to the first-level cache.
inline void ForwardWorker::score_tile(std::int64_t head, std::int64_t tile) {
    const float* strip = prepared_.key_tile(key_head(head), tile);
    const float* next_head = head + 1 < heads_ ? prepared_.key_tile(key_head(head + 1), tile) : strip;
    const auto floats = kKeyStrip * call_.width, groups = (task_.rows + kGroupRows - 1) / kGroupRows, share = (floats + groups - 1) / groups;
    for (std::int64_t key = 0; key < prepared_.tile_keys; key += kKeyStrip, strip += floats) {
        const float* next = key + kKeyStrip < prepared_.tile_keys ? strip + floats : next_head;
        for (std::int64_t group = 0; group < groups; ++group) {
            for (auto i = group * share; i < std::min(floats, (group + 1) * share); i += kLine) __builtin_prefetch(next + i, 0, 3);
            const Range keys{std::max(read_[group].begin, key), std::min(read_[group].end, key + kKeyStrip)};
            if (!keys.empty()) score_group(head, group * kGroupRows, keys, strip);
        }
    }
}

/// Some rows at columns of one strip.
inline void ForwardWorker::score_group(std::int64_t head, std::int64_t group, Range keys, const float* strip) {
    // A network reads bare scores; without one the bias is where sums start.
    const FloatBuffer none;
    const auto& table = mixes_heads(call_) ? none : logit_table_;
    const auto rows = std::min(kGroupRows, task_.rows - group);
    for (auto key = keys.begin; key < keys.end; key += kStripKeys) {
        const ScoreBlock block{q_.data() + (head * rows_ + group) * call_.width, strip + key % kKeyStrip, call_.width,
                               entry(table, group, key), scores(head, group) + key};
        blocks(rows, (keys.end - key) / kLanes, block);
    }
}

/// The bias of a row at the keys that its logits read, head by head, to cells_.
inline void ForwardWorker::make_cells(std::int64_t row) {
    const auto keys = read_by(span_[row]);
    if (!call_.bias.by_pieces()) return copy_cells(row, keys);
    const auto own = call_.before + task_.row + row;
    const float* distances = prepared_.distance_table.data() + first_key_ - own + prepared_.origin;
    fill_from_pieces({call_.bias.pieces, distances, call_.bias.pieces.row[task_.row + row], own - first_key_, call_.heads, task_.head, heads_}, keys, cells_.data());
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
    network_.apply({span_[row], here_[row], scores(0, row), call_.bias.by_cell() ? cells_.data() : nullptr, task_.rows - 1 - row,
                    entry(hidden_table_, row, 0), entry(logit_table_, row, 0)});
}

inline void ForwardWorker::apply_convolution(std::int64_t row) {
    if (span_[row].empty()) return;
    const bool from_start = first_key_ < 0, lends = from_start && prepared_.first_hidden;
    if (lends) lend_first_hidden(row, false);
    const auto own = call_.before + task_.row + row - first_key_;  // column of the query's own key
    convolution_.apply({span_[row], {std::max<std::int64_t>(0, -first_key_), own + 1}, from_start, scores(0, row),
                        call_.bias.by_cell() ? cells_.data() : nullptr, entry(hidden_table_, row, 0), entry(logit_table_, row, 0)});
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

}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
