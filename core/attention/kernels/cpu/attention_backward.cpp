/// Backward of attention: tasks, blocks of query rows, tiles.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/kernels/cpu/attention_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/attention/kernels/cpu/attention_backward.h"
#include "core/attention/kernels/cpu/backward_convolution-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace lw::kernels::HWY_NAMESPACE {
namespace {

/// The memory of one call, for the largest of its tasks.
class Worker {
public:
    Worker(const BackwardCall& call, const BackwardSums& sums, std::int64_t heads)
        : call_(call), sums_(sums), heads_(heads), key_heads_(std::max<std::int64_t>(1, heads * call.key_heads / call.heads)),
          d_(whole(call.width, kLanes)), v_(whole(call.value_width, kLanes)), columns_(padded_columns(call.keys)), arena_(size()) {
        place();
        if (call_.network.w2 == nullptr) return;
        const auto hidden = call_.network.hidden, taps = call_.network.taps();
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            if (call_.network.w1) turn(call_.network.w1 + tap * hidden * inputs(), hidden, inputs(), w1_turned_ + tap * hidden * inputs());
            turn(call_.network.w2 + tap * hidden * heads_, heads_, hidden, w2_turned_ + tap * hidden * heads_);
        }
        std::fill_n(w1_sums_, taps * inputs() * hidden * kLanes, 0.0f);
        std::fill_n(w2_sums_, taps * heads_ * hidden * kLanes, 0.0f);
        if (convolves()) std::fill_n(convolution_.b1_sums, hidden * kLanes, 0.0f);
    }

    void run(const BackwardTask& task) {
        load_keys(task);
        for (auto row = task.first_row; row < task.last_row; row += kTileRows) {
            load_rows(task, row);
            run_tiles(task);
            store_rows(task);
        }
        store_keys(task);
        if (call_.network.w2 != nullptr) store_sums();
    }

private:
    [[nodiscard]] std::int64_t hidden() const { return call_.network.w2 ? call_.network.hidden : 0; }
    [[nodiscard]] bool convolves() const { return call_.network.w2 != nullptr && call_.network.convolves(); }
    /// Channels that the first layer reads, the offset's left out.
    [[nodiscard]] std::int64_t inputs() const { return convolves() ? call_.network.channels(heads_) : heads_; }
    [[nodiscard]] std::int64_t cells() const { return convolves() ? kWideCells : kCells; }
    /// Columns that tiles read of so many keys. A convolution's last own column may be past the last key by its radius, and has neighbours.
    [[nodiscard]] std::int64_t padded_columns(std::int64_t keys) const {
        return convolves() ? whole(keys + kMostBackwardTaps / 2 + kLanes + 2 * kSideColumns, kTileColumns) : whole(keys, kTileColumns);
    }

    /// Every part of the arena with its size, so that it is counted and placed by one list.
    template <class F>
    void each_part(const F& f) {
        f(keys_.k, key_heads_ * columns_ * d_);
        f(keys_.k_turned, key_heads_ * columns_ * call_.width + kSideColumns);
        f(keys_.v_turned, key_heads_ * columns_ * call_.value_width + kSideColumns);
        f(keys_.d_k, key_heads_ * columns_ * d_);
        f(keys_.d_v, key_heads_ * columns_ * v_);
        for (float** part : {&rows_.q, &rows_.d_q}) f(*part, heads_ * kTileRows * d_);
        f(rows_.q_turned, heads_ * kTileRows * call_.width);
        f(rows_.d_output, heads_ * kTileRows * v_);
        f(rows_.d_output_turned, heads_ * kTileRows * call_.value_width);
        for (float** part : {&rows_.log_normaliser, &rows_.row_term}) f(*part, heads_ * kTileRows);
        for (float** part : {&scores_, &weights_, &d_scores_}) f(*part, heads_ * cells());
        for (float** part : {&hidden_, &d_hidden_}) f(*part, convolves() ? 0 : hidden() * kStrip);
        f(convolution_.inputs, convolves() ? inputs() * kWideRow : 0);
        for (float** part : {&convolution_.hidden, &convolution_.d_hidden}) f(*part, convolves() ? hidden() * kWideRow : 0);
        f(convolution_.b1_sums, convolves() ? hidden() * kLanes : 0);
        const auto taps = call_.network.taps();
        f(w1_turned_, taps * hidden() * inputs());
        f(w2_turned_, taps * hidden() * heads_);
        f(w1_sums_, taps * hidden() * inputs() * kLanes);
        f(w2_sums_, taps * hidden() * heads_ * kLanes);
    }
    std::int64_t size() {
        std::int64_t total = 0;
        each_part([&](float*&, std::int64_t floats) { total += Arena::padded(floats); });
        return total;
    }
    void place() {
        each_part([&](float*& part, std::int64_t floats) { part = arena_.take(floats); });
        keys_.width = d_;
        keys_.value_width = v_;
        keys_.side = convolves() ? kSideColumns : 0;
        for (float* turned : {keys_.k_turned, keys_.v_turned}) std::fill_n(turned, kSideColumns, 0.0f);
    }

    /// Keys that some row of the task sees lie before this one: later rows see no less.
    [[nodiscard]] std::int64_t end_of_keys(const BackwardTask& task) const {
        const auto end = call_.visible.end ? call_.visible.end[task.last_row - 1] : call_.before + task.last_row;
        return std::clamp<std::int64_t>(end, 0, call_.keys);
    }

    void load_keys(const BackwardTask& task) {
        const auto group = call_.heads / call_.key_heads, first = task.first_head / group, count = (task.last_head - task.first_head) / group;
        used_keys_ = end_of_keys(task);
        keys_.columns = padded_columns(used_keys_);
        for (std::int64_t g = 0; g < count; ++g) {
            pack(call_.k.at(task.sequence, first + g, 0), call_.k.row, used_keys_, call_.width, 1.0f,
                 {keys_.k + g * keys_.columns * d_, d_, keys_.k_turned + keys_.side + g * keys_.columns * call_.width, keys_.columns});
            pack(call_.v.at(task.sequence, first + g, 0), call_.v.row, used_keys_, call_.value_width, 1.0f,
                 {nullptr, 0, keys_.v_turned + keys_.side + g * keys_.columns * call_.value_width, keys_.columns});
        }
        std::fill_n(keys_.d_k, count * keys_.columns * d_, 0.0f);
        std::fill_n(keys_.d_v, count * keys_.columns * v_, 0.0f);
    }

    void load_rows(const BackwardTask& task, std::int64_t first) {
        rows_.first = first;
        rows_.count = std::min(kTileRows, task.last_row - first);
        for (std::int64_t h = 0; h < task.last_head - task.first_head; ++h) {
            const auto head = task.first_head + h;
            pack(call_.q.at(task.sequence, head, first), call_.q.row, rows_.count, call_.width, call_.scale,
                 {rows_.q + h * kTileRows * d_, d_, rows_.q_turned + h * kTileRows * call_.width, kTileRows});
            pack(call_.d_output.at(task.sequence, head, first), call_.d_output.row, rows_.count, call_.value_width, 1.0f,
                 {rows_.d_output + h * kTileRows * v_, v_, rows_.d_output_turned + h * kTileRows * call_.value_width, kTileRows});
            const float b2 = call_.network.w2 && call_.network.b2 ? call_.network.b2[head] : 0.0f;
            for (std::int64_t r = 0; r < kTileRows; ++r) {
                const bool real = r < rows_.count;
                rows_.log_normaliser[h * kTileRows + r] = real ? *call_.log_normaliser.at(task.sequence, head, first + r) - b2 : 0.0f;
                rows_.row_term[h * kTileRows + r] = real ? dot(call_.output.at(task.sequence, head, first + r), call_.d_output.at(task.sequence, head, first + r), call_.value_width) : 0.0f;
            }
        }
        std::fill_n(rows_.d_q, heads_ * kTileRows * d_, 0.0f);
        for (std::int64_t r = 0; r < kTileRows; ++r) load_limits(r);
    }

    void load_limits(std::int64_t r) {
        rows_.begin[r] = rows_.end[r] = 0;
        if (r >= rows_.count) return;
        const auto i = rows_.first + r;
        if (call_.visible.begin) rows_.begin[r] = call_.visible.begin[i];
        rows_.end[r] = std::min(call_.keys, call_.visible.end ? call_.visible.end[i] : call_.before + i + 1);
    }

    void run_tiles(const BackwardTask& task) {
        // A convolution reads keys and hidden values beside those that a row sees.
        const auto radius = convolves() ? call_.network.kernel / 2 : 0, step = convolves() ? kOwnColumns : kTileColumns;
        const auto last = *std::max_element(rows_.end, rows_.end + rows_.count), end = last > 0 ? last + radius : 0;
        const auto begin = *std::min_element(rows_.begin, rows_.begin + rows_.count);
        for (std::int64_t key = 0; key < end; key += step) {
            if (key + step <= begin - 2 * radius && key >= call_.visible.sinks + 2 * radius) continue;
            const auto vectors = std::min<std::int64_t>(step, whole(end - key, kLanes)) / kLanes;
            run_tile({call_, task, sums_, rows_, keys_, key, vectors, scores_, weights_, d_scores_, hidden_, d_hidden_, w1_turned_, w2_turned_, w1_sums_, w2_sums_});
        }
    }

    void run_tile(const Tile& tile) {
        if (convolves()) return ConvolvedTile(tile, convolution_).run();
        content_and_weight_gradients(tile);
        if (tile.network().w2) network_gradients(tile);
        else weigh_static(tile);
        input_gradients(tile);
    }

    void store_rows(const BackwardTask& task) {
        for (std::int64_t h = 0; h < task.last_head - task.first_head; ++h) {
            for (std::int64_t r = 0; r < rows_.count; ++r) {
                const float* from = rows_.d_q + (h * kTileRows + r) * d_;
                float* to = call_.d_q.at(task.sequence, task.first_head + h, rows_.first + r);
                for (std::int64_t i = 0; i < call_.width; ++i) to[i] = from[i] * call_.scale;
            }
        }
    }

    void store_keys(const BackwardTask& task) {
        const auto group = call_.heads / call_.key_heads, first = task.first_head / group, count = (task.last_head - task.first_head) / group;
        for (std::int64_t g = 0; g < count; ++g) {
            store_head(keys_.d_k + g * keys_.columns * d_, d_, call_.width, task.d_k, task, first + g);
            store_head(keys_.d_v + g * keys_.columns * v_, v_, call_.value_width, task.d_v, task, first + g);
        }
    }

    void store_sums() {
        const auto hidden = call_.network.hidden;
        for (std::int64_t tap = 0; tap < call_.network.taps(); ++tap) {
            const auto w1 = tap * inputs() * hidden, w2 = tap * heads_ * hidden;
            if (sums_.w1) drain_pairs(w1_sums_ + w1 * kLanes, inputs(), hidden, sums_.w1 + w1, 1, inputs());
            if (sums_.w2) drain_pairs(w2_sums_ + w2 * kLanes, heads_, hidden, sums_.w2 + w2, hidden, 1);
        }
        if (convolves() && sums_.b1) drain_pairs(convolution_.b1_sums, 1, hidden, sums_.b1, 0, 1);
    }

    void store_head(const float* from, std::int64_t step, std::int64_t width, const MutableTensor& to, const BackwardTask& task, std::int64_t head) const {
        put_rows(from, step, used_keys_, width, task.adds, to.at(task.sequence, head, 0), to.row);
        if (task.adds) return;
        for (auto key = used_keys_; key < call_.keys; ++key) std::fill_n(to.at(task.sequence, head, key), width, 0.0f);
    }

    const BackwardCall& call_;
    const BackwardSums& sums_;
    std::int64_t heads_, key_heads_, d_, v_, columns_, used_keys_ = 0;
    KeyBlock keys_;
    RowBlock rows_;
    float *scores_ = nullptr, *weights_ = nullptr, *d_scores_ = nullptr, *hidden_ = nullptr, *d_hidden_ = nullptr;
    float *w1_turned_ = nullptr, *w2_turned_ = nullptr, *w1_sums_ = nullptr, *w2_sums_ = nullptr;
    ConvolutionRow convolution_;
    Arena arena_;
};

void run_tasks(const BackwardCall& call, const BackwardTask* tasks, std::int64_t count, const BackwardSums& sums) {
    std::int64_t heads = 0;
    for (const auto* task = tasks; task != tasks + count; ++task) heads = std::max(heads, task->last_head - task->first_head);
    Worker worker(call, sums, heads);
    for (const auto* task = tasks; task != tasks + count; ++task) worker.run(*task);
}

}  // namespace
}  // namespace lw::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lw::kernels {

HWY_EXPORT(run_tasks);

void attention_backward(const BackwardCall& call, const BackwardTask* tasks, std::int64_t count, const BackwardSums& sums) {
    if (count > 0) HWY_DYNAMIC_DISPATCH(run_tasks)(call, tasks, count, sums);
}

}  // namespace lw::kernels
#endif
