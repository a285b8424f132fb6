/// Attention with a gradient on the CPU: static biases and DAPE over intervals of keys, forward and backward by the Highway kernels, memory O(T). Between the two
/// passes only q, k, v, the output, the rows' log-normalisers and tables over distances are kept.
#include "core/attention/attention.h"
#include "core/attention/fused_cpu_call.h"
#include "core/attention/fused_cpu_case.h"
#include "core/attention/maybe_tensor.h"
#include "core/position/kernel_forms.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace lw {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Inputs: q, k, v, the bias's table, the network's tensors, then the bias's parameters where its cells are made block by block.
struct FusedCpu : public torch::autograd::Function<FusedCpu> {
    static variable_list forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const MaybeTensor& table,
                                 const MaybeTensor& w1_content, const MaybeTensor& w1_bias, const MaybeTensor& b1, const MaybeTensor& w2,
                                 const MaybeTensor& b2, at::TensorList bias_parameters, const c10::intrusive_ptr<FusedCpuCase>& shared) {
        const auto value = [](const MaybeTensor& x) { return x.has_value() ? x->contiguous() : at::Tensor(); };
        const FusedCpuTensors tensors{with_rows(q), with_rows(k), with_rows(v), value(table), value(w1_content), value(w1_bias), value(b1), value(w2), value(b2)};
        auto [output, log_normaliser] = fused_cpu_forward(tensors, *shared);
        context->save_for_backward({tensors.q, tensors.k, tensors.v, tensors.table, tensors.w1_content, tensors.w1_bias, tensors.b1, tensors.w2, tensors.b2,
                                    output, log_normaliser});
        context->saved_data["case"] = at::IValue::make_capsule(shared);
        context->saved_data["parameters"] = static_cast<std::int64_t>(bias_parameters.size());
        return {output};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto s = context->get_saved_variables();
        const auto shared = c10::static_intrusive_pointer_cast<FusedCpuCase>(context->saved_data["case"].toCapsule());
        const FusedCpuTensors tensors{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
        variable_list of_parameters(static_cast<std::size_t>(context->saved_data["parameters"].toInt()));
        const auto g = fused_cpu_backward(tensors, *shared, s[9], s[10], with_rows(gradients[0]), of_parameters);
        variable_list all{g.q, g.k, g.v, g.table, g.w1_content, g.w1_bias, g.b1, g.w2, g.b2};
        all.insert(all.end(), of_parameters.begin(), of_parameters.end());
        all.emplace_back();
        return all;
    }
};

/// The adaptive term as DAPE v2, or null.
const ConvolvedTerm* convolved(const LayerScheme& layer) { return dynamic_cast<const ConvolvedTerm*>(layer.adaptive.get()); }

std::string refusal(const LayerScheme& layer, const AttentionQuestion& question) {
    if (layer.adaptive && !layer.adaptive->network() && convolved(layer) == nullptr) return "the adaptive term is no two-layer network";
    if (const auto* term = convolved(layer); term != nullptr && term->convolved_network().w1.size(2) > kernels::kMostBackwardTaps) {
        return "its backward convolves over nine keys at most";
    }
    if (auto why = beyond_cpu_kernels(layer); !why.empty()) return why;
    if (sees_future(layer)) return "queries read keys after their own";
    if (!question.gradient) return "no gradient is asked for";
    if (question.on_gpu) return "the CPU kernel cannot serve a GPU";
    if (question.double_precision) return "the kernel computes in float32";
    if (question.wants_normaliser) return "with a gradient it returns no log-normaliser";
    return "";
}

/// W1 cut into the columns that read the content and those that read the bias, under autograd; w1 [D, C] or [k, D, C].
void split_first_layer(const PointwiseNetwork& network, const at::Tensor& w1, bool has_bias, FusedCpuTensors& tensors) {
    if (network.sums_inputs) {
        tensors.w1_content = w1;
        if (has_bias) tensors.w1_bias = w1;
        return;
    }
    const auto heads = network.w2.size(0);
    if (network.reads_content) tensors.w1_content = w1.narrow(-1, 0, heads);
    if (network.reads_bias && has_bias) tensors.w1_bias = w1.narrow(-1, w1.size(-1) - heads, heads);
}

void set_network(const LayerScheme& layer, FusedCpuTensors& tensors, FusedCpuCase& shared) {
    const auto* term = convolved(layer);
    const auto network = term != nullptr ? term->convolved_network() : *layer.adaptive->network();
    const auto taps_first = [&](const at::Tensor& w) { return term != nullptr ? w.permute({2, 0, 1}) : w; };
    split_first_layer(network, taps_first(network.w1), layer.bias != nullptr, tensors);
    tensors.b1 = network.b1;
    tensors.w2 = taps_first(network.w2);
    tensors.b2 = network.b2;
    shared.slope = static_cast<float>(network.slope);
    shared.kernel = term != nullptr ? network.w1.size(2) : 0;
}

AttentionResult run(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    TORCH_CHECK(!wants_normaliser, "the fused training path returns no log-normaliser");
    const auto shared = c10::make_intrusive<FusedCpuCase>();
    FusedCpuTensors tensors;
    tensors.table = bias_table(layer, inputs);
    if (layer.bias && !tensors.table.defined()) {
        shared->bias = layer.bias;
        shared->inputs = without_tensors(inputs);
    }
    if (layer.adaptive) set_network(layer, tensors, *shared);
    if (layer.visibility) shared->visible = intervals_of(*layer.visibility, inputs);
    shared->adds_bias = layer.bias && (!layer.adaptive || layer.adaptive->adds_bias());
    shared->table_learns = tensors.table.defined() && tensors.table.requires_grad();
    const auto parameters = shared->bias ? shared->bias->parameters() : std::vector<at::Tensor>();
    AttentionResult result;
    result.output = FusedCpu::apply(inputs.q, inputs.k, inputs.v, maybe(tensors.table), maybe(tensors.w1_content), maybe(tensors.w1_bias), maybe(tensors.b1),
                                    maybe(tensors.w2), maybe(tensors.b2), at::TensorList(parameters), shared)[0];
    return result;
}

}  // namespace

const AttentionPath kFusedCpuTrainingPath{"fused-cpu-training", refusal, run};

}  // namespace lw
