#include "core/attention/training_backward.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

namespace lw {

kernels::ConstTensor strided(const at::Tensor& x) {
    return {x.const_data_ptr<float>(), x.stride(0), x.stride(1), x.stride(2)};
}

kernels::MutableTensor writable(const at::Tensor& x) { return {x.mutable_data_ptr<float>(), x.stride(0), x.stride(1), x.stride(2)}; }

at::Tensor with_rows(const at::Tensor& x) { return x.stride(-1) == 1 || x.size(-1) == 1 ? x : x.contiguous(); }

namespace {

constexpr std::int64_t kRowStep = 16;  // shares begin at whole blocks of the kernel

/// A sequence's heads that are computed together: all of them with a network, else those of one key head.
struct Unit {
    std::int64_t sequence = 0, first_head = 0, last_head = 0;
};

/// Head after head where heads do not need each other: a share then has few heads, and the bias of most belongs to it alone.
std::vector<Unit> units_of(const kernels::BackwardCall& call, std::int64_t batch) {
    const auto group = call.network.w2 != nullptr ? call.heads : call.heads / call.key_heads;
    std::vector<Unit> units;
    for (std::int64_t h = 0; h < call.heads; h += group) {
        for (std::int64_t b = 0; b < batch; ++b) units.push_back({b, h, h + group});
    }
    return units;
}

/// Keys that a row sees.
double seen_keys(const kernels::BackwardCall& call, std::int64_t row) {
    const auto& visible = call.visible;
    const auto end = visible.end ? visible.end[row] : call.before + row + 1, begin = visible.begin ? visible.begin[row] : 0;
    return static_cast<double>(end - begin + std::min(begin, visible.sinks));
}

/// The row where a share of a unit's cells ends: rows grow longer, so that half of the cells lie in the last third of the rows.
std::int64_t row_at(const kernels::BackwardCall& call, std::int64_t first_row, std::int64_t last_row, double share) {
    double total = 0;
    for (auto row = first_row; row < last_row; ++row) total += seen_keys(call, row);
    double sum = 0;
    for (auto row = first_row; row < last_row; row += kRowStep) {
        if (sum >= share * total) return row;
        for (auto r = row; r < std::min(row + kRowStep, last_row); ++r) sum += seen_keys(call, r);
    }
    return last_row;
}

/// One thread's part. A unit that several shares cut up has its keys' gradients summed apart by all but the first of them.
struct Share {
    std::vector<kernels::BackwardTask> tasks;
    at::Tensor d_k, d_v;  // [1, Hkv, Tk, d] of the unit that an earlier share began
    std::int64_t sequence = 0;
    kernels::BackwardSums sums;
    BackwardTotals totals;
};

/// A strided tensor of one sequence, so that at(sequence, ..) finds it.
kernels::MutableTensor as_sequence(const at::Tensor& x, std::int64_t sequence) {
    auto result = writable(x);
    result.data -= sequence * result.batch;
    return result;
}

std::vector<Share> shares_of(const kernels::BackwardCall& call, std::int64_t batch, std::int64_t first_row, std::int64_t last_row, const at::Tensor& d_k,
                             const at::Tensor& d_v) {
    const auto units = units_of(call, batch);
    const auto count = static_cast<std::int64_t>(units.size()), parts = static_cast<std::int64_t>(at::get_num_threads());
    std::vector<Share> shares(static_cast<std::size_t>(parts));
    for (std::int64_t part = 0; part < parts; ++part) {
        auto& share = shares[static_cast<std::size_t>(part)];
        const auto from = part * count, to = (part + 1) * count;  // in units of 1 / parts
        for (auto u = from / parts; u * parts < to; ++u) {
            const auto bound = [&](std::int64_t at) {
                const auto inside = std::clamp<std::int64_t>(at - u * parts, 0, parts);
                return row_at(call, first_row, last_row, static_cast<double>(inside) / static_cast<double>(parts));
            };
            const auto first = from <= u * parts ? first_row : bound(from), last = to >= (u + 1) * parts ? last_row : bound(to);
            if (first >= last) continue;
            const auto& unit = units[static_cast<std::size_t>(u)];
            kernels::BackwardTask task{unit.sequence, unit.first_head, unit.last_head, first, last, writable(d_k), writable(d_v), first_row > 0};
            if (from > u * parts) {
                share.sequence = unit.sequence;
                share.d_k = at::zeros({1, d_k.size(1), d_k.size(2), d_k.size(3)}, d_k.options());
                share.d_v = at::zeros({1, d_v.size(1), d_v.size(2), d_v.size(3)}, d_v.options());
                task.adds = false;
                task.d_k = as_sequence(share.d_k, unit.sequence);
                task.d_v = as_sequence(share.d_v, unit.sequence);
            }
            share.tasks.push_back(task);
        }
    }
    return shares;
}

/// The sums of a share. Gradients of a bias, which are large where it is made cell by cell, go where the share's before go when none of them has
/// a head of its own.
void make_sums(Share& share, const Share* before, const kernels::BackwardCall& call, const BackwardWishes& wishes, const at::TensorOptions& options) {
    const bool apart = before == nullptr || share.tasks.empty() || before->tasks.empty() || share.tasks.front().first_head < before->tasks.back().last_head;
    if (wishes.bias_floats > 0 && !apart) share.sums.bias = before->sums.bias;
    if (wishes.bias_floats > 0 && apart) {
        share.totals.bias = at::zeros({wishes.bias_floats}, options);
        share.sums.bias = {share.totals.bias.mutable_data_ptr<float>() + wishes.bias_shift, call.bias.channel, call.bias.row};
    }
    const auto& network = call.network;
    if (wishes.offset_floats > 0) {
        share.totals.offset = at::zeros({wishes.offset_floats}, options);
        share.sums.offset = {share.totals.offset.mutable_data_ptr<float>() + wishes.offset_shift, network.offset.channel, network.offset.row};
    }
    const auto sum = [&](bool wished, at::Tensor& total, at::IntArrayRef sizes) -> float* {
        if (!wished) return nullptr;
        total = at::zeros(sizes, options);
        return total.mutable_data_ptr<float>();
    };
    const auto channels = network.convolves() ? network.channels(call.heads) : call.heads;
    share.sums.w1 = sum(wishes.w1, share.totals.w1, {network.taps(), network.hidden, channels});
    share.sums.w2 = sum(wishes.w2, share.totals.w2, {network.taps(), call.heads, network.hidden});
    share.sums.b1 = sum(wishes.b1, share.totals.b1, {network.hidden});
}

void add(at::Tensor& sum, const at::Tensor& value) {
    if (value.defined()) sum.add_(value);
}

}  // namespace

BackwardTotals run_backward(const kernels::BackwardCall& call, std::int64_t batch, std::int64_t first_row, std::int64_t last_row, const BackwardWishes& wishes,
                            const at::Tensor& d_k, const at::Tensor& d_v) {
    auto shares = shares_of(call, batch, first_row, last_row, d_k, d_v);
    for (std::size_t s = 0; s < shares.size(); ++s) make_sums(shares[s], s > 0 ? &shares[s - 1] : nullptr, call, wishes, d_k.options());
    at::parallel_for(0, static_cast<std::int64_t>(shares.size()), 1, [&](std::int64_t first, std::int64_t last) {
        for (auto s = first; s < last; ++s) {
            const auto& share = shares[static_cast<std::size_t>(s)];
            kernels::attention_backward(call, share.tasks.data(), static_cast<std::int64_t>(share.tasks.size()), share.sums);
        }
    });
    auto totals = shares.front().totals;
    for (std::size_t s = 1; s < shares.size(); ++s) {
        const auto& share = shares[s];
        add(totals.bias, share.totals.bias);
        add(totals.offset, share.totals.offset);
        add(totals.w1, share.totals.w1);
        add(totals.w2, share.totals.w2);
        add(totals.b1, share.totals.b1);
        if (!share.d_k.defined()) continue;
        d_k.narrow(0, share.sequence, 1).add_(share.d_k);
        d_v.narrow(0, share.sequence, 1).add_(share.d_v);
    }
    return totals;
}

}  // namespace lw
