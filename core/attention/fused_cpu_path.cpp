/// Attention in our own CPU kernels: a static bias, DAPE (v1 or v2) over it, or neither, one softmax over intervals of keys. Nothing of size T x T exists, but for
/// a block of rows of a bias that is neither a function of the distance nor FIRE's.
#include "core/attention/attention.h"
#include "core/attention/fused_cpu_call.h"
#include "core/attention/kernels/cpu/forward.h"
#include "core/attention/poll.h"
#include "core/position/kernel_forms.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

namespace lw {

namespace {

using kernels::AttentionCall;

/// Tasks between two polls, about 10 ms of work for every thread.
std::int64_t tasks_per_poll(const AttentionCall& call, std::int64_t tasks) {
    constexpr std::int64_t kProducts = 500'000'000;
    const auto heads = call.heads * call.batch, rows = call.last_row - call.first_row;
    const auto all = heads * rows * call.keys * 2 * (call.width + call.network.taps() * call.network.hidden);
    const auto each = std::max<std::int64_t>(1, all / std::max<std::int64_t>(1, tasks));
    // Every thread gets pairs of a short and a long task.
    const auto pairs = std::max<std::int64_t>(1, kProducts / (2 * each));
    return 2 * pairs * at::get_num_threads();
}

void run_rows(const AttentionCall& call, const kernels::Prepared& prepared, const kernels::ForwardOutput& output) {
    const auto tasks = kernels::forward_tasks(call), step = tasks_per_poll(call, tasks);
    for (std::int64_t begin = 0; begin < tasks; begin += step) {
        poll();
        at::parallel_for(begin, std::min(tasks, begin + step), 1, [&](std::int64_t first, std::int64_t last) {
            kernels::attention_forward(call, prepared, output, first, last);
        });
    }
}

/// Rows whose bias by cell is held at one time: 16 MB.
std::int64_t rows_with_cells(const AttentionCall& call) {
    constexpr std::int64_t kCells = 4 * 1024 * 1024;
    const auto rows = kCells / std::max<std::int64_t>(1, call.heads * call.keys) / kernels::kTileKeys * kernels::kTileKeys;
    return std::clamp<std::int64_t>(rows, 64, 1024);
}

void run_all(const LayerScheme& layer, const AttentionInputs& inputs, AttentionCall& call, const kernels::ForwardOutput& output) {
    kernels::Prepared prepared(call);
    poll();
    at::parallel_for(0, prepared.packing_tasks(call), 1, [&](std::int64_t first, std::int64_t last) { prepared.pack(call, first, last); });
    if (call.bias.cells == nullptr) return run_rows(call, prepared, output);
    const auto step = rows_with_cells(call);
    for (std::int64_t begin = 0; begin < call.queries; begin += step) {
        call.first_row = begin;
        call.last_row = std::min(begin + step, call.queries);
        const auto cells = layer.bias->tile(geometry_of(inputs, {begin, call.last_row}, {0, call.keys})).to(at::kFloat).contiguous();  // [H, r, Tk]
        call.bias.cells = cells.const_data_ptr<float>();
        call.bias.cell_head = cells.stride(0);
        call.bias.cell_row = cells.stride(1);
        run_rows(call, prepared, output);
    }
}

AttentionResult run(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    const at::NoGradGuard no_gradient;
    FusedCpuCall fused(layer, inputs);
    auto& call = fused.call;
    const auto options = inputs.q.options().dtype(at::kFloat);
    auto output = at::empty({call.batch, call.heads, call.queries, call.value_width}, options);
    AttentionResult result;
    if (wants_normaliser) result.log_normaliser = at::empty({call.batch, call.heads, call.queries}, options);
    kernels::ForwardOutput to{{output.mutable_data_ptr<float>(), output.stride(0), output.stride(1), output.stride(2)},
                              wants_normaliser ? result.log_normaliser.mutable_data_ptr<float>() : nullptr};
    if (call.queries > 0 && call.keys > 0) run_all(layer, inputs, call, to);
    result.output = output.to(inputs.v.scalar_type());
    return result;
}

/// Every call packs its keys and values anew, which must be shared by some queries (decoding has one).
constexpr std::int64_t kFewestQueries = 8;

std::string refusal(const LayerScheme& layer, const AttentionQuestion& question) {
    if (question.on_gpu) return "the CPU kernel cannot serve a GPU";
    if (question.double_precision) return "the kernel computes in float32";
    if (question.gradient) return "it gives no gradient";
    if (question.queries < kFewestQueries && question.keys > question.queries) return "packing all keys for a few queries would cost more than it saves";
    if (layer.adaptive && !layer.adaptive->network() && dynamic_cast<const ConvolvedTerm*>(layer.adaptive.get()) == nullptr) return "the adaptive term is no two-layer network";
    return beyond_cpu_kernels(layer);
}

}  // namespace

const AttentionPath kFusedCpuPath{"fused-cpu", refusal, run};

}  // namespace lw
