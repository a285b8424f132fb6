#include "core/attention/fused_cpu_call.h"

#include "core/attention/kernel_tensors.h"
#include "core/position/distance_bias.h"
#include "core/position/kernel_forms.h"
#include "core/position/piecewise_linear.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

/// [B, heads, T, d] with a contiguous last axis, in float32.
at::Tensor rows_of(const at::Tensor& x) { return with_rows(x.detach().to(at::kFloat)); }

/// The bias over rising differences i - j without the first `skipped` of the Tq + Tk - 1 that exist, [H, n]; undefined where it is no function of them.
at::Tensor by_difference(Bias& bias, const TileGeometry& geometry, std::int64_t skipped) {
    if (!bias.distance_only() || !has_unit_steps(geometry)) return {};
    const auto differences = sliding_differences(geometry).flip(0).slice(0, skipped);  // [n]
    if (auto* distance_bias = dynamic_cast<DistanceBias*>(&bias)) return distance_bias->by_difference(differences, geometry);
    return bias.by_distance(differences.clamp_min(0), geometry);
}

}  // namespace

const float* KeptTensors::keep(const at::Tensor& tensor) {
    if (!tensor.defined()) return nullptr;
    tensors_.push_back(tensor.detach().to(at::kFloat).contiguous());
    return tensors_.back().const_data_ptr<float>();
}

const float* KeptTensors::keep(const std::vector<double>& values) { return keep(at::tensor(values, at::kDouble)); }

kernels::BiasPieces bias_pieces(const Bias& bias, const TileGeometry& geometry, KeptTensors& kept) {
    const auto* known = dynamic_cast<const LogDistanceBias*>(&bias);
    const auto &queries = geometry.query_positions, &keys = geometry.key_positions;
    if (known == nullptr || !has_unit_steps(geometry) || !at::equal(queries[-1], keys[-1])) return {};
    const auto form = known->log_distance_form(at::arange(keys.numel(), at::kDouble), queries);
    const PiecewiseLinear pieces(form.first.unsqueeze(1), form.first_bias, form.second, form.second_bias, form.slope);
    if (!pieces.usable()) return {};
    return {.distance = kept.keep(form.distance),
            .distances = form.distance.numel(),
            .row = kept.keep(form.row),
            .breaks = kept.keep(pieces.breaks()),
            .count = static_cast<std::int64_t>(pieces.breaks().size()),
            .slopes = kept.keep(pieces.slopes()),
            .intercepts = kept.keep(pieces.intercepts())};
}

FusedCpuCall::FusedCpuCall(const LayerScheme& layer, const AttentionInputs& inputs) {
    set_shapes(inputs);
    if (layer.bias) set_bias(layer, inputs);
    if (layer.adaptive) set_network(layer);
    if (layer.visibility) set_visible(layer, inputs);
}

void FusedCpuCall::set_shapes(const AttentionInputs& inputs) {
    const auto q = rows_of(inputs.q), k = rows_of(inputs.k), v = rows_of(inputs.v);
    set_tensors(call, q, k, v);
    for (const auto* x : {&q, &k, &v}) tensors_.hold(*x);
    call.batch = q.size(0);
    call.last_row = call.queries;
}

void FusedCpuCall::set_bias(const LayerScheme& layer, const AttentionInputs& inputs) {
    const auto geometry = geometry_of(inputs, {0, call.queries}, {0, call.keys});
    // The first Tq - 1 differences are negative: keys after a query's own, which count only where rows see them.
    const auto offset = sees_future(layer) ? call.queries - 1 : 0;
    const auto table = by_difference(*layer.bias, geometry, call.queries - 1 - offset);  // [H, n]
    if (table.defined()) {
        call.bias.table = tensors_.keep(table);
        call.bias.stride = table.size(1);
        call.bias.offset = offset;
        return;
    }
    call.bias.pieces = bias_pieces(*layer.bias, geometry, tensors_);
    if (call.bias.by_pieces()) return;
    static constexpr float kNothingYet = 0;
    call.bias.cells = &kNothingYet;
}

void FusedCpuCall::set_network(const LayerScheme& layer) {
    const auto* convolved = dynamic_cast<const ConvolvedTerm*>(layer.adaptive.get());
    const auto network = convolved != nullptr ? convolved->convolved_network() : *layer.adaptive->network();
    const auto taps_first = [&](const at::Tensor& w) { return convolved != nullptr ? w.permute({2, 0, 1}) : w.unsqueeze(0); };
    const auto w1 = taps_first(network.w1);  // [k, D, C]
    auto& to = call.network;
    const auto part = [&](std::int64_t first) { return tensors_.keep(w1.narrow(2, network.sums_inputs ? 0 : first, call.heads)); };
    if (network.reads_content) to.w1_content = part(0);
    if (network.reads_bias && layer.bias) to.w1_bias = part(network.reads_content ? call.heads : 0);
    to.b1 = tensors_.keep(network.b1);
    to.w2 = tensors_.keep(taps_first(network.w2));
    to.b2 = tensors_.keep(network.b2);
    to.hidden = w1.size(1);
    to.kernel = convolved != nullptr ? w1.size(0) : 0;
    to.slope = static_cast<float>(network.slope);
    to.adds_bias = layer.adaptive->adds_bias();
}

void FusedCpuCall::set_visible(const LayerScheme& layer, const AttentionInputs& inputs) {
    intervals_ = intervals_of(*layer.visibility, inputs);
    call.visible = {intervals_.begin.data(), intervals_.end.data(), intervals_.sinks};
}

std::string beyond_cpu_kernels(const LayerScheme& layer) {
    auto unmasked = layer;
    unmasked.visibility.reset();
    if (auto why = unmasked.beyond_fast_paths(); !why.empty()) return why;
    if (layer.visibility && dynamic_cast<const HasIntervals*>(layer.visibility.get()) == nullptr) return "the mask is no interval of keys";
    return "";
}

VisibleIntervals intervals_of(const Visibility& visibility, const AttentionInputs& inputs) {
    const auto* mask = dynamic_cast<const HasIntervals*>(&visibility);
    TORCH_CHECK(mask != nullptr, "this visibility is no interval of keys");
    return mask->intervals(geometry_of(inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)}));
}

}  // namespace lw
