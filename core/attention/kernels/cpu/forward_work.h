#pragma once
/// How the forward pass is cut into tasks, and which keys a row sees inside a tile. No vectors here.

#include "core/attention/kernels/cpu/prepared.h"

#include <algorithm>

namespace lw::kernels {

/// Rows that QKᵀ and PV take at once.
inline constexpr std::int64_t kGroupRows = 8;
/// Floats from one row of scores to the next: one line more than a tile, so that rows do not share cache sets.
inline constexpr std::int64_t kScoreRow = kTileKeys + 16;
/// Rows of a task, at most.
inline constexpr std::int64_t kMaxRows = 64;
/// Floats from one head's scores to the next: thirteen lines past a multiple of 4 KB, for the same reason.
inline constexpr std::int64_t kScoreHead = kMaxRows * kScoreRow + kScoreRow;
/// Floats of a table's row cut to what a task's rows need of it in one tile; an odd number of lines.
inline constexpr std::int64_t kTableRow = kTileKeys + kMaxRows + 16;

/// A block of query rows of one sequence and of `heads` heads.
struct Task {
    std::int64_t b = 0, head = 0, heads = 1, row = 0, rows = 0;
};

[[nodiscard]] inline bool mixes_heads(const AttentionCall& call) { return call.network.w2 != nullptr; }

/// Rows of a task. Keys and values of all heads pass through the caches once a task, so many; but their scores share the second-level cache with a
/// tile of those, and short texts are to be divided among threads.
[[nodiscard]] inline std::int64_t task_rows(const AttentionCall& call) {
    constexpr std::int64_t kScores = 112 * 1024;  // floats
    const auto heads = mixes_heads(call) ? call.heads : 1;
    const auto most = call.last_row - call.first_row >= 2048 || heads == 1 ? kMaxRows : kMaxRows / 2;
    return std::clamp<std::int64_t>(kScores / (heads * kScoreRow) / kGroupRows * kGroupRows, kGroupRows, most);
}

[[nodiscard]] inline Task task_of(const AttentionCall& call, std::int64_t index) {
    const auto rows = task_rows(call), all = call.last_row - call.first_row, blocks = (all + rows - 1) / rows;
    const auto group = index / blocks, place = index % blocks;
    // Short and long rows in turn: 0, last, 1, last - 1, ...
    const auto block = place % 2 == 0 ? place / 2 : blocks - 1 - place / 2;
    Task task;
    if (mixes_heads(call)) task = {group, 0, call.heads, 0, 0};
    else task = {group / call.heads, group % call.heads, 1, 0, 0};
    task.row = call.first_row + block * rows;
    task.rows = std::min(rows, call.last_row - task.row);
    return task;
}

/// Half-open.
struct Range {
    std::int64_t begin = 0, end = 0;
    [[nodiscard]] bool empty() const { return begin >= end; }
    [[nodiscard]] bool covers(std::int64_t from, std::int64_t to) const { return begin <= from && to <= end; }
    /// Inside the columns of a tile whose column 0 is key `first`.
    [[nodiscard]] Range in_tile(std::int64_t first, Range columns) const {
        const Range cut{std::clamp(begin - first, columns.begin, columns.end), std::clamp(end - first, columns.begin, columns.end)};
        return cut.empty() ? Range{} : cut;
    }
};
[[nodiscard]] inline Range common(Range a, Range b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// The keys of one row: some at the start, and those near the query; the second begins after the first ends.
struct Seen {
    Range sinks, recent;
    [[nodiscard]] bool empty() const { return sinks.empty() && recent.empty(); }
    /// From the first to the last, gap included.
    [[nodiscard]] Range hull() const { return sinks.empty() ? recent : recent.empty() ? sinks : Range{sinks.begin, recent.end}; }
    [[nodiscard]] bool covers(std::int64_t from, std::int64_t to) const { return sinks.covers(from, to) || recent.covers(from, to); }
};

[[nodiscard]] inline Seen seen_by(const AttentionCall& call, std::int64_t row) {
    const auto& visible = call.visible;
    const auto end = std::clamp<std::int64_t>(visible.end != nullptr ? visible.end[row] : call.before + row + 1, 0, call.keys);
    const auto begin = visible.begin != nullptr ? std::max<std::int64_t>(visible.begin[row], 0) : 0;
    if (begin <= visible.sinks) return {{}, {0, end}};
    return {{0, std::min(visible.sinks, end)}, {begin, std::max(begin, end)}};
}

}  // namespace lw::kernels
