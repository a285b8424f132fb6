/// Fused attention on a GPU, for training and without gradients: static biases over distances, FIRE, and DAPE in both versions on top of them or alone,
/// without a score or a hidden value in the GPU's memory.
#include "core/attention/attention.h"
#include "core/attention/cuda_library.h"

namespace lw {

namespace {

std::string refusal(const LayerScheme& layer, const AttentionQuestion& question) {
    if (!question.on_gpu) return "it runs on a GPU only";
    if (auto why = beyond_kernels(layer); !why.empty()) return why;
    if (question.double_precision) return "it computes in single precision";
    if (question.gradient && question.wants_normaliser) return "with a gradient it returns no log-normaliser";
    return cuda_library().loaded() ? "" : cuda_library().why_not();
}

AttentionResult run(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    if (layer.bias && !positions_are_plain(inputs)) {  // a position map made others: only the values tell
        return wants_gradient(layer, inputs) ? plain_attention(layer, inputs, wants_normaliser) : row_block_attention(layer, inputs, wants_normaliser);
    }
    auto result = kernel_attention(cuda_library().kernels(), layer, inputs);
    if (!wants_normaliser) result.log_normaliser.reset();
    return result;
}

}  // namespace

const AttentionPath kCudaPath{"cuda", refusal, run};

}  // namespace lw
