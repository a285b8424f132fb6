/// Attention with a pointwise adaptive term (DAPE v1, encodings 1.1) that never holds the hidden values of a whole layer:
/// a block of query rows of one sequence at a time, recomputed in backward. The hidden tensor of the plain way is
/// [B, D, T, T]; its page faults and memory traffic cost more than its arithmetic.
#include "core/attention/fused_dape.h"

#include "core/attention/attention.h"
#include "core/attention/maybe_tensor.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

namespace lw {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Tensors of one call in the order Function::apply takes and backward returns them.
struct FusedDape : public torch::autograd::Function<FusedDape> {
    static variable_list forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                 const MaybeTensor& bias, const at::Tensor& w1, const MaybeTensor& b1, const at::Tensor& w2,
                                 const MaybeTensor& b2, const DapeSettings& settings) {
        const DapeTensors tensors{q, k, v, bias.value_or(at::Tensor()), w1, b1.value_or(at::Tensor()), w2, b2.value_or(at::Tensor())};
        context->save_for_backward({q, k, v, tensors.bias, w1, tensors.b1, w2, tensors.b2});
        context->saved_data["slope"] = settings.slope;
        context->saved_data["reads"] = std::vector<bool>{settings.reads_content, settings.reads_bias, settings.sums_inputs,
                                                         settings.adds_bias};
        auto [output, normaliser] = dape_forward(tensors, settings, false);
        return {output};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto s = context->get_saved_variables();
        const auto reads = context->saved_data["reads"].toBoolList();
        DapeSettings settings;
        settings.slope = context->saved_data["slope"].toDouble();
        settings.reads_content = reads[0];
        settings.reads_bias = reads[1];
        settings.sums_inputs = reads[2];
        settings.adds_bias = reads[3];
        const DapeTensors tensors{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]};
        auto g = dape_backward(tensors, settings, gradients[0]);
        return {g.q, g.k, g.v, g.bias, g.w1, g.b1, g.w2, g.b2, at::Tensor()};
    }
};

std::string refusal(const LayerScheme& layer, const AttentionQuestion& question) {
    if (!layer.adaptive) return "no adaptive term";
    if (!layer.adaptive->network()) return "the adaptive term is no pointwise network";
    if (auto why = layer.beyond_fast_paths(); !why.empty()) return why;
    if (question.on_gpu) return "the CPU kernel cannot serve a GPU";
    if (question.gradient && question.wants_normaliser) return "with a gradient it returns no log-normaliser";
    return "";
}

AttentionResult run(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    const auto network = *layer.adaptive->network();
    DapeSettings settings;
    settings.slope = network.slope;
    settings.reads_content = network.reads_content;
    settings.reads_bias = network.reads_bias && layer.bias != nullptr;
    settings.sums_inputs = network.sums_inputs;
    settings.adds_bias = layer.adaptive->adds_bias() && layer.bias != nullptr;

    AttentionResult result;
    if (wants_gradient(layer, inputs)) {
        TORCH_CHECK(!wants_normaliser, "the fused DAPE path returns no log-normaliser where a gradient is asked for");
        at::Tensor bias;
        if (layer.bias) bias = layer.bias->tile(geometry_of(inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)}));
        result.output = FusedDape::apply(inputs.q, inputs.k, inputs.v, maybe(bias), network.w1, maybe(network.b1), network.w2, maybe(network.b2),
                                         settings)[0];
        return result;
    }
    const DapeTensors tensors{inputs.q, inputs.k, inputs.v, {}, network.w1, network.b1, network.w2, network.b2};
    // Without a gradient the bias is built block by block, so that nothing of size Tq x Tk exists.
    const BiasRows rows = [&](std::int64_t begin, std::int64_t end, std::int64_t columns) {
        return layer.bias->tile(geometry_of(inputs, {begin, end}, {0, columns}));
    };
    std::tie(result.output, result.log_normaliser) = dape_forward(tensors, settings, wants_normaliser, layer.bias ? rows : BiasRows{});
    return result;
}

}  // namespace

const AttentionPath kFusedDapePath{"fused-dape", refusal, run};

}  // namespace lw
