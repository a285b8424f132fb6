/// LibTorch's fused attention, for schemes that add nothing to the scores, and for static biases as a mask tensor.
#include "core/attention/attention.h"

#include <ATen/ATen.h>

#include <limits>

namespace lw {

namespace {

/// Keys and values repeated to the query heads without copying where the kernel allows strides.
at::Tensor for_query_heads(const at::Tensor& x, std::int64_t heads) {
    if (x.size(1) == heads) return x;
    return x.repeat_interleave(heads / x.size(1), 1);  // [B, H, Tk, d]
}

AttentionResult run_stock(const LayerScheme&, const AttentionInputs& inputs, bool) {
    const auto heads = inputs.q.size(1);
    const auto k = for_query_heads(inputs.k, heads), v = for_query_heads(inputs.v, heads);
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

AttentionResult run_stock_bias(const LayerScheme& layer, const AttentionInputs& inputs, bool) {
    const TileGeometry geometry{inputs.query_positions, inputs.key_positions, inputs.length, inputs.train_length};
    const auto visible = inputs.key_positions.unsqueeze(0).le(inputs.query_positions.unsqueeze(1));  // [Tq, Tk]
    const auto mask = layer.bias->tile(geometry)
                          .masked_fill(visible.logical_not(), -std::numeric_limits<double>::infinity())
                          .to(inputs.q.scalar_type())
                          .unsqueeze(0);  // [1, H, Tq, Tk]
    const auto heads = inputs.q.size(1);
    AttentionResult result;
    result.output = at::scaled_dot_product_attention(inputs.q, for_query_heads(inputs.k, heads), for_query_heads(inputs.v, heads),
                                                     mask.expand({inputs.q.size(0), -1, -1, -1}));
    return result;
}

/// The mask tensor holds H Tq Tk floats; beyond this the row-block path is exact with less memory.
constexpr std::int64_t kMaxMaskCells = 64LL * 1024 * 1024;

std::string refuse_stock_bias(const LayerScheme& layer, const AttentionQuestion& question) {
    if (layer.adaptive) return "the adaptive term mixes heads before the softmax";
    if (!layer.bias) return "there is no bias";
    if (question.wants_normaliser) return "it returns no log-normaliser";
    if (question.gradient && !layer.bias->parameters().empty()) return "it gives no gradient to a learned bias";
    if (question.heads * question.queries * question.keys > kMaxMaskCells) return "the mask tensor would be too large";
    return "";
}

}  // namespace

const AttentionPath kStockPath{"stock", refuse_stock, run_stock};
const AttentionPath kStockBiasPath{"stock+mask", refuse_stock_bias, run_stock_bias};

}  // namespace lw
