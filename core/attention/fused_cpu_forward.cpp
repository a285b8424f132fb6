#include "core/attention/fused_cpu_call.h"
#include "core/attention/fused_cpu_case.h"
#include "core/attention/kernels/cpu/forward.h"
#include "core/attention/poll.h"
#include "core/position/distance_bias.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

namespace lw {

at::Tensor bias_table(const LayerScheme& layer, const AttentionInputs& inputs) {
    if (!layer.bias || !layer.bias->distance_only()) return {};
    const auto geometry = geometry_of(inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)});
    if (!has_unit_steps(geometry) || !at::equal(inputs.query_positions[-1], inputs.key_positions[-1])) return {};
    return layer.bias->by_distance(at::arange(inputs.k.size(2), at::kDouble), geometry).to(at::kFloat);  // [H, Tk]
}

AttentionInputs without_tensors(const AttentionInputs& inputs) {
    auto positions = inputs;
    for (auto* x : {&positions.q, &positions.k, &positions.v, &positions.key_state}) *x = at::Tensor();
    return positions;
}

std::int64_t cell_block_rows(const FusedCpuTensors& tensors) {
    constexpr std::int64_t kCells = 2 * 1024 * 1024, kStep = 16;
    const auto rows = kCells / std::max<std::int64_t>(1, tensors.q.size(1) * tensors.k.size(2));
    return std::clamp<std::int64_t>(rows / kStep * kStep, kStep, 1024);
}

at::Tensor padded_cells(const at::Tensor& cells) {
    auto padded = at::empty({cells.size(0), cells.size(1), cells.size(2) + kernels::kSheetPadding}, cells.options().dtype(at::kFloat));
    padded.narrow(2, 0, cells.size(2)).copy_(cells);
    padded.narrow(2, cells.size(2), kernels::kSheetPadding).zero_();
    return padded;
}

namespace {

const float* data_of(const at::Tensor& x) { return x.defined() ? x.const_data_ptr<float>() : nullptr; }

kernels::AttentionCall call_of(const FusedCpuTensors& tensors, const FusedCpuCase& shared) {
    kernels::AttentionCall call;
    set_tensors(call, tensors.q, tensors.k, tensors.v);
    call.batch = tensors.q.size(0);
    call.last_row = call.queries;
    call.visible = shared.visible_keys();
    if (tensors.table.defined()) call.bias = {.table = data_of(tensors.table), .stride = tensors.table.size(1)};
    if (!tensors.w2.defined()) return call;
    call.network = {data_of(tensors.w1_content), data_of(tensors.w1_bias), data_of(tensors.b1), data_of(tensors.w2), data_of(tensors.b2),
                    tensors.w2.size(-1), shared.slope, shared.adds_bias, shared.kernel};
    return call;
}

void run_rows(const kernels::AttentionCall& call, const kernels::Prepared& prepared, const kernels::ForwardOutput& to) {
    at::parallel_for(0, kernels::forward_tasks(call), 1, [&](std::int64_t first, std::int64_t last) { kernels::attention_forward(call, prepared, to, first, last); });
}

}  // namespace

std::tuple<at::Tensor, at::Tensor> fused_cpu_forward(const FusedCpuTensors& tensors, const FusedCpuCase& shared) {
    auto call = call_of(tensors, shared);
    // Neighbouring heads of a token are neighbours in memory, as the projection that follows reads them.
    auto output = at::empty({call.batch, call.queries, call.heads, call.value_width}, tensors.q.options()).transpose(1, 2);  // [B, H, Tq, d]
    auto log_normaliser = at::empty({call.batch, call.heads, call.queries}, tensors.q.options());                            // [B, H, Tq]
    const kernels::ForwardOutput to{writable(output), log_normaliser.mutable_data_ptr<float>()};
    KeptTensors kept;
    if (shared.bias) call.bias.pieces = bias_pieces(*shared.bias, geometry_of(shared.inputs, {0, call.queries}, {0, call.keys}), kept);
    const bool by_rows = shared.bias && !call.bias.by_pieces();
    const auto block = by_rows ? cell_block_rows(tensors) : call.queries;
    at::Tensor cells;
    const auto make_cells = [&] {
        if (!by_rows) return;
        const auto geometry = geometry_of(shared.inputs, {call.first_row, call.last_row}, {0, call.before + call.last_row});
        cells = padded_cells(shared.bias->tile(geometry));  // [H, r, c + padding]
        call.bias = {.cells = cells.const_data_ptr<float>(), .cell_head = cells.stride(0), .cell_row = cells.stride(1)};
    };
    call.last_row = std::min(block, call.queries);
    make_cells();
    kernels::Prepared prepared(call);
    at::parallel_for(0, prepared.packing_tasks(call), 1, [&](std::int64_t first, std::int64_t last) { prepared.pack(call, first, last); });
    run_rows(call, prepared, to);
    for (call.first_row = block; call.first_row < call.queries; call.first_row += block) {
        poll();
        call.last_row = std::min(call.first_row + block, call.queries);
        make_cells();
        run_rows(call, prepared, to);
    }
    return {output, log_normaliser};
}

}  // namespace lw
