/// Gradients of fused attention: the kernels' sums as tensors, and the node that autograd sees.
#include "core/attention/kernel_memory.h"
#include "core/attention/maybe_tensor.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <tuple>

namespace lw {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What all blocks' own sums of parameter gradients may take together.
constexpr std::int64_t kSlotFloats = 32LL * 1024 * 1024;

/// Consecutive pieces of a flat tensor, in the order the kernels wrote them.
class Pieces {
public:
    explicit Pieces(at::Tensor flat) : flat_(std::move(flat)) {}
    /// The next piece, as large as `like`; undefined where `like` is, after `skipped` floats nobody asks for.
    at::Tensor next(const at::Tensor& like, std::int64_t skipped) {
        const auto size = like.defined() ? like.numel() : skipped;
        const auto piece = like.defined() ? flat_.narrow(0, at_, size).view(like.sizes()) : at::Tensor();
        at_ += size;
        return piece;
    }

private:
    at::Tensor flat_;
    std::int64_t at_ = 0;
};

void take_network(CallTensors& gradients, const CallTensors& t, const at::Tensor& slots) {
    const auto heads = t[kW2].size(1), hidden = t[kW2].size(2), weights = t[kW2].numel();
    Pieces pieces(slots.sum(0));
    gradients[kW1Content] = pieces.next(t[kW1Content], weights);
    gradients[kW1Bias] = pieces.next(t[kW1Bias], weights);
    gradients[kB1] = pieces.next(t[kB1], hidden);
    gradients[kW2] = pieces.next(t[kW2], weights);
    gradients[kB2] = pieces.next(t[kB2], heads);
}

void take_bias(CallTensors& gradients, const CallTensors& t, const at::Tensor& slots) {
    Pieces pieces(slots.sum(0));
    for (const auto part : {kTable, kDistance, kRow, kFirst, kFirstBias, kSecond, kSecondBias}) gradients[part] = pieces.next(t[part], 0);
}

/// Floats of one slot, as library.h says.
std::int64_t network_size(const CallTensors& t) { return t[kW2].defined() ? 3 * t[kW2].numel() + t[kW2].size(1) + t[kW2].size(2) : 0; }
std::int64_t bias_size(const CallTensors& t) {
    std::int64_t size = 0;
    for (const auto part : {kTable, kDistance, kRow, kFirst, kFirstBias, kSecond, kSecondBias}) size += t[part].defined() ? t[part].numel() : 0;
    return size;
}

/// Sums the query heads of each key head: [B, H, T, d] -> [B, Hkv, T, d].
at::Tensor to_key_heads(const at::Tensor& x, const at::Tensor& like) {
    if (x.size(1) == like.size(1)) return x.to(like.scalar_type());
    return x.unflatten(1, {like.size(1), -1}).sum(2).to(like.scalar_type());
}

at::Tensor zeros(at::IntArrayRef sizes, const at::Tensor& like) { return at::zeros(sizes, like.options().dtype(at::kFloat)); }

}  // namespace

CallTensors kernel_backward(const AttentionKernels& kernels, const KernelCall& call, const AttentionResult& result, const at::Tensor& output_gradient) {
    const auto& t = call.tensors;
    const auto &q = t[kQ], &k = t[kK], &v = t[kV];
    const auto rows = output_gradient.contiguous();                                                         // [B, H, Tq, dv]
    const auto delta = (rows.to(at::kFloat) * result.output.to(at::kFloat)).sum(-1);                        // [B, H, Tq]
    const auto q_gradient = zeros(q.sizes(), q), k_gradient = zeros({q.size(0), q.size(1), k.size(2), k.size(3)}, q),
               v_gradient = zeros({q.size(0), q.size(1), v.size(2), v.size(3)}, q);
    LwAttentionBackward backward{};
    backward.attention = described(call);
    check(kernels, kernels.plan(&backward.attention, 1, &backward.plan));
    at::Tensor network, bias;
    if (network_size(t) > 0) network = zeros({backward.plan.slots, network_size(t)}, q);
    if (bias_size(t) > 0) bias = zeros({std::clamp<std::int64_t>(kSlotFloats / bias_size(t), 1, backward.plan.slots), bias_size(t)}, q);
    backward.output_gradient = described(rows);
    backward.log_normaliser = result.log_normaliser.const_data_ptr<float>();
    backward.delta = delta.const_data_ptr<float>();
    backward.q_gradient = q_gradient.data_ptr<float>();
    backward.k_gradient = k_gradient.data_ptr<float>();
    backward.v_gradient = v_gradient.data_ptr<float>();
    backward.network_gradient = network.defined() ? network.data_ptr<float>() : nullptr;
    backward.bias_gradient = bias.defined() ? bias.data_ptr<float>() : nullptr;
    backward.bias_slots = bias.defined() ? static_cast<std::int32_t>(bias.size(0)) : 1;
    check(kernels, kernels.backward(&backward));
    CallTensors gradients;
    gradients[kQ] = q_gradient.to(q.scalar_type());
    gradients[kK] = to_key_heads(k_gradient, k);
    gradients[kV] = to_key_heads(v_gradient, v);
    if (network.defined()) take_network(gradients, t, network);
    if (bias.defined()) take_bias(gradients, t, bias);
    return gradients;
}

namespace {

/// One argument per tensor of the call, as Function wants them.
struct FusedAttention : public torch::autograd::Function<FusedAttention> {
    template <class... Tensors>
    static variable_list forward(AutogradContext* context, const AttentionKernels* kernels, const CallSettings& settings, const Tensors&... tensors) {
        const KernelCall call{{tensors.value_or(at::Tensor())...}, settings};
        auto result = kernel_forward(*kernels, call);
        variable_list saved(call.tensors.begin(), call.tensors.end());
        saved.push_back(result.output);
        saved.push_back(result.log_normaliser);
        context->save_for_backward(saved);
        context->saved_data["kernels"] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(kernels));
        context->saved_data["slopes"] = std::vector<double>{settings.bias_slope, settings.slope};
        context->saved_data["flags"] = std::vector<bool>{settings.adds_bias, settings.without_tensor_cores};
        return {result.output};
    }

    static variable_list backward(AutogradContext* context, const variable_list& output_gradients) {
        const auto saved = context->get_saved_variables();
        const auto slopes = context->saved_data["slopes"].toDoubleList();
        const auto flags = context->saved_data["flags"].toBoolList();
        const auto* kernels = reinterpret_cast<const AttentionKernels*>(static_cast<std::intptr_t>(context->saved_data["kernels"].toInt()));
        KernelCall call{{}, {slopes[0], slopes[1], flags[0], flags[1]}};
        std::copy_n(saved.begin(), static_cast<std::size_t>(kCallParts), call.tensors.begin());
        const auto gradients = kernel_backward(*kernels, call, {saved[kCallParts], saved[kCallParts + 1]}, output_gradients[0]);
        variable_list all(2);  // the kernels and the settings have none
        all.insert(all.end(), gradients.begin(), gradients.end());
        return all;
    }
};

}  // namespace

AttentionResult kernel_attention(const AttentionKernels& kernels, const LayerScheme& layer, const AttentionInputs& inputs) {
    const auto call = kernel_call(layer, inputs);
    if (!wants_gradient(layer, inputs)) return kernel_forward(kernels, call);
    const auto apply = [&](const auto&... tensors) { return FusedAttention::apply(&kernels, call.settings, maybe(tensors)...); };
    return {std::apply(apply, call.tensors)[0], {}};
}

}  // namespace lw
