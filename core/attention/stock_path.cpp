/// LibTorch's fused attention, for schemes that add nothing to the scores.
#include "core/attention/attention.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

AttentionResult run_stock(const LayerScheme&, const AttentionInputs& inputs, bool) {
    const auto heads = inputs.q.size(1);
    const auto k = repeated_to(inputs.k, heads), v = repeated_to(inputs.v, heads);
    const auto queries = inputs.q.size(2), keys = inputs.k.size(2);
    AttentionResult result;
    if (queries == keys || queries == 1) {
        // The kernel's own causal mask aligns the first query with the first key, so it serves full passes only.
        result.output = at::scaled_dot_product_attention(inputs.q, k, v, {}, 0.0, queries == keys && queries > 1);
    } else {
        const auto visible = inputs.key_positions.unsqueeze(0).le(inputs.query_positions.unsqueeze(1));  // [Tq, Tk]
        result.output = at::scaled_dot_product_attention(inputs.q, k, v, visible);
    }
    return result;
}

std::string refuse_stock(const LayerScheme& layer, const AttentionQuestion& question) {
    if (layer.adaptive) return "the adaptive term mixes heads before the softmax";
    if (layer.bias) return "a bias is added to the scores";
    if (question.wants_normaliser) return "it returns no log-normaliser";
    return "";
}

}  // namespace

const AttentionPath kStockPath{"stock", refuse_stock, run_stock};

}  // namespace lw
