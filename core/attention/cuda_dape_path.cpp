/// DAPE on a GPU: LibTorch's products for content and values, liblw_cuda.so for the network in between, a block of query rows at
/// a time. No gradient: training on a GPU takes the plain path.
#include "core/attention/attention.h"
#include "core/attention/cuda_library.h"
#include "core/attention/kernels/dape_cell.h"
#include "core/attention/poll.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <limits>

namespace lw {

namespace {

const float* data_or_null(const at::Tensor& x) { return x.defined() ? x.const_data_ptr<float>() : nullptr; }

/// What a block of the kernel may take of shared memory without asking the driver for more.
constexpr std::int64_t kSharedBytes = 48 * 1024;

/// The weights of one call as the kernel lays them out.
std::int64_t shared_bytes(const PointwiseNetwork& network) {
    const auto hidden = network.w1.size(0), heads = network.w2.size(0);
    return (network.w1.numel() + network.w2.numel() + hidden + heads) * static_cast<std::int64_t>(sizeof(float));
}

std::string refusal(const LayerScheme& layer, const AttentionQuestion& question) {
    if (!question.on_gpu) return "it runs on a GPU only";
    if (!layer.adaptive || !layer.adaptive->network()) return "no pointwise adaptive term";
    if (question.gradient) return "it has no gradient";
    if (question.double_precision) return "it computes in single precision";
    if (question.heads > kernels::kMaxHeads) return "more than 64 heads";
    const auto bytes = shared_bytes(*layer.adaptive->network());
    if (bytes > kSharedBytes) return "its weights take " + std::to_string(bytes / 1024) + " kB, and a block has 48 kB of shared memory";
    return cuda_library().loaded() ? "" : cuda_library().why_not();
}

/// content [B, H, r, c] float32 -> logits in place.
void add_network(at::Tensor& content, const at::Tensor& bias, const PointwiseNetwork& network, const at::Tensor& w2t, bool adds_bias) {
    LwDapeScores call{};
    call.content = content.const_data_ptr<float>();
    call.bias = data_or_null(bias);
    call.logit = content.data_ptr<float>();
    call.w1 = network.w1.const_data_ptr<float>();
    call.b1 = data_or_null(network.b1);
    call.w2t = w2t.const_data_ptr<float>();
    call.b2 = data_or_null(network.b2);
    call.batch = content.size(0);
    call.heads = content.size(1);
    call.cells = content.size(2) * content.size(3);
    call.hidden = network.w1.size(0);
    call.inputs = network.w1.size(1);
    call.slope = static_cast<float>(network.slope);
    call.reads_content = network.reads_content;
    call.reads_bias = network.reads_bias && bias.defined();
    call.sums_inputs = network.sums_inputs;
    call.adds_bias = adds_bias && bias.defined();
    const auto error = cuda_library().dape_scores(call);
    TORCH_CHECK(error.empty(), "the CUDA kernel for DAPE failed: ", error);
}

AttentionResult run(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    const c10::DeviceGuard on_device(inputs.q.device());  // the library launches on the current GPU
    auto network = *layer.adaptive->network();
    network.w1 = network.w1.to(at::kFloat).contiguous();
    const auto w2t = network.w2.to(at::kFloat).t().contiguous();
    const auto queries = inputs.q.size(2), before = inputs.k.size(2) - queries;
    const auto block = rows_per_block(layer, {.batch = inputs.q.size(0), .heads = inputs.q.size(1), .queries = queries, .keys = inputs.k.size(2), .on_gpu = true});
    AttentionResult result;
    result.output = at::empty({inputs.q.size(0), inputs.q.size(1), queries, inputs.v.size(3)}, inputs.v.options());
    if (wants_normaliser) result.log_normaliser = at::empty({inputs.q.size(0), inputs.q.size(1), queries}, inputs.q.options().dtype(at::kFloat));
    for (std::int64_t begin = 0; begin < queries; begin += block) {
        poll();
        const auto end = std::min(begin + block, queries), columns = before + end;
        const LayerScheme static_part{layer.bias, nullptr};
        auto parts = score_parts(static_part, inputs, {begin, end}, {0, columns});
        auto logit = parts.content.to(at::kFloat).contiguous();  // [B, H, r, c]
        const auto bias = parts.bias.defined() ? parts.bias.to(at::kFloat).contiguous() : at::Tensor();
        add_network(logit, bias, network, w2t, layer.adaptive->adds_bias());
        logit.masked_fill_(parts.visible.logical_not(), -std::numeric_limits<double>::infinity());
        const auto weights = at::softmax(logit, -1).to(inputs.v.scalar_type());
        result.output.slice(2, begin, end).copy_(weighted_values(weights, inputs.v.narrow(2, 0, columns)));
        if (wants_normaliser) result.log_normaliser.slice(2, begin, end).copy_(at::logsumexp(logit, -1));
    }
    return result;
}

}  // namespace

const AttentionPath kCudaDapePath{"cuda-dape", refusal, run};

}  // namespace lw
