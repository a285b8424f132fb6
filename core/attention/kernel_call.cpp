#include "core/attention/kernel_call.h"

#include "core/attention/kernel_memory.h"
#include "core/position/kernel_forms.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

/// The adaptive term as a convolution: w1 [D, C, k], w2 [H, D, k].
PointwiseNetwork network_of(const Adaptive& adaptive) {
    if (const auto* convolved = dynamic_cast<const ConvolvedTerm*>(&adaptive)) return convolved->convolved_network();
    auto network = *adaptive.network();
    network.w1 = network.w1.unsqueeze(2);
    network.w2 = network.w2.unsqueeze(2);
    return network;
}

at::Tensor plain(const at::Tensor& x) { return x.defined() ? x.to(at::kFloat).contiguous() : x; }

void add_bias(KernelCall& call, Bias& bias, const AttentionInputs& inputs) {
    const auto geometry = geometry_of(inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)});
    const auto distances = at::arange(inputs.k.size(2), geometry.key_positions.options());  // [n]
    auto& tensors = call.tensors;
    if (const auto* form = dynamic_cast<const LogDistanceBias*>(&bias)) {
        const auto f = form->log_distance_form(distances, geometry.query_positions);
        tensors[kDistance] = plain(f.distance);
        tensors[kRow] = plain(f.row);
        tensors[kFirst] = plain(f.first);
        tensors[kFirstBias] = plain(f.first_bias);
        tensors[kSecond] = plain(f.second);
        tensors[kSecondBias] = plain(f.second_bias);
        call.settings.bias_slope = f.slope;
    } else {
        tensors[kTable] = plain(bias.by_distance(distances, geometry));  // [H, n]
    }
}

/// W1 split into what reads the content and what reads the bias; both read it all where the network reads their sum.
void add_network(KernelCall& call, const Adaptive& adaptive, bool has_bias) {
    const auto network = network_of(adaptive);
    const auto heads = network.w2.size(0);
    const auto w1 = network.w1.permute({2, 0, 1});                                  // [k, D, C]
    const bool reads_bias = network.reads_bias && has_bias, both = reads_bias && network.reads_content && !network.sums_inputs;
    auto& tensors = call.tensors;
    if (network.reads_content || network.sums_inputs) tensors[kW1Content] = plain(both ? w1.narrow(2, 0, heads) : w1);  // [k, D, H]
    if (reads_bias) tensors[kW1Bias] = plain(both ? w1.narrow(2, heads, heads) : w1);                                   // [k, D, H]
    tensors[kB1] = plain(network.b1);
    tensors[kW2] = plain(network.w2.permute({2, 0, 1}));                            // [k, H, D]
    tensors[kB2] = plain(network.b2);
    call.settings.slope = network.slope;
    call.settings.adds_bias = adaptive.adds_bias();
}

at::Tensor with_plain_rows(const at::Tensor& x) { return x.stride(3) == 1 ? x : x.contiguous(); }

}  // namespace

std::string beyond_kernels(const LayerScheme& layer) {
    if (auto why = layer.beyond_fast_paths(); !why.empty()) return why;
    if (layer.bias && !layer.bias->distance_only() && dynamic_cast<const LogDistanceBias*>(layer.bias.get()) == nullptr) {
        return "the bias is neither a table over distances nor FIRE's network";
    }
    if (!layer.adaptive || layer.adaptive->network() || dynamic_cast<const ConvolvedTerm*>(layer.adaptive.get()) != nullptr) return "";
    return "the adaptive term is no two-layer network";
}

bool positions_are_plain(const AttentionInputs& inputs) {
    const auto &q = inputs.query_positions, &k = inputs.key_positions;
    const auto queries = q.numel(), keys = k.numel();
    if (queries > keys) return false;
    if (inputs.steps != PositionSteps::not_known) return inputs.steps == PositionSteps::by_one;
    const auto first = k[0];
    const auto expected = at::arange(keys, k.options()) + first;                    // [Tk]
    // One question to the device for all of it.
    return k.eq(expected).all().logical_and_(q.eq(expected.slice(0, keys - queries)).all()).item<bool>();
}

KernelCall kernel_call(const LayerScheme& layer, const AttentionInputs& inputs) {
    KernelCall call;
    call.tensors[kQ] = with_plain_rows(inputs.q);
    call.tensors[kK] = with_plain_rows(inputs.k);
    call.tensors[kV] = with_plain_rows(inputs.v);
    if (layer.bias) add_bias(call, *layer.bias, inputs);
    if (layer.adaptive) add_network(call, *layer.adaptive, layer.bias != nullptr);
    return call;
}

AttentionResult kernel_forward(const AttentionKernels& kernels, const KernelCall& call) {
    const auto &q = call.tensors[kQ], &v = call.tensors[kV];
    const std::vector<std::int64_t> rows{q.size(0), q.size(1), q.size(2)};
    const std::vector<std::int64_t> outputs{q.size(0), q.size(1), q.size(2), v.size(3)};
    AttentionResult result;
    result.output = at::empty(outputs, v.options());
    result.log_normaliser = at::empty(rows, q.options().dtype(at::kFloat));
    LwAttentionForward forward{};
    forward.attention = described(call);
    check(kernels, kernels.plan(&forward.attention, 0, &forward.plan));
    at::Tensor workspace;
    if (forward.plan.output_in_shared == 0) workspace = at::empty(outputs, result.log_normaliser.options());
    forward.output = described(result.output);
    forward.log_normaliser = result.log_normaliser.data_ptr<float>();
    forward.workspace = workspace.defined() ? workspace.data_ptr<float>() : nullptr;
    check(kernels, kernels.forward(&forward));
    return result;
}

}  // namespace lw
