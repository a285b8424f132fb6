/// LibTorch's fused attention with a static bias as its mask, a block of query rows at a time. Where the bias depends on the
/// distance only, the mask is a sliding view over one table of distances and takes no memory of its own.
#include "core/attention/attention.h"
#include "core/attention/poll.h"
#include "core/position/distance_bias.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace lw {

namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

/// A block's mask [H, r, c]. A sliding view runs over falling distances, so that its rows stand in reverse order.
struct Mask {
    at::Tensor values;
    bool reversed = false;
};

Mask sliding_mask(Bias& bias, const TileGeometry& geometry, at::ScalarType type) {
    const auto differences = sliding_differences(geometry);                                 // [r + c - 1]
    const auto values = bias.by_distance(differences.clamp_min(0), geometry)                // [H, r + c - 1]
                            .masked_fill(differences.lt(0), kHidden)
                            .to(type);
    return {values.unfold(-1, geometry.key_positions.numel(), 1), true};
}

Mask full_mask(Bias& bias, const TileGeometry& geometry, at::ScalarType type) {
    const auto future = geometry.key_positions.unsqueeze(0).gt(geometry.query_positions.unsqueeze(1));  // [r, c]
    return {bias.tile(geometry).masked_fill(future, kHidden).to(type), false};
}

/// Rows of a block: a sliding mask costs nothing, so only the hidden cells right of the diagonal count; a full one is held.
std::int64_t rows_of(const AttentionInputs& inputs, bool sliding) {
    constexpr std::int64_t kSlidingRows = 256, kMaskCellsCpu = 2LL * 1024 * 1024, kMaskCellsGpu = 64LL * 1024 * 1024;
    if (sliding) return kSlidingRows;
    const auto cells = inputs.q.is_cuda() ? kMaskCellsGpu : kMaskCellsCpu;
    return std::clamp<std::int64_t>(cells / std::max<std::int64_t>(1, inputs.q.size(1) * inputs.k.size(2)), 16, 1024);
}

AttentionResult run(const LayerScheme& layer, const AttentionInputs& inputs, bool) {
    const auto batch = inputs.q.size(0), heads = inputs.q.size(1), queries = inputs.q.size(2);
    const auto before = inputs.k.size(2) - queries;  // keys that precede the first query
    // A GPU's kernels want aligned rows, which a sliding view has not.
    const bool sliding = !inputs.q.is_cuda() && layer.bias->distance_only() &&
                         has_unit_steps({inputs.query_positions, inputs.key_positions, inputs.length, inputs.train_length});
    const auto block = rows_of(inputs, sliding);
    const auto k = repeated_to(inputs.k, heads), v = repeated_to(inputs.v, heads);
    std::vector<at::Tensor> outputs;
    for (std::int64_t begin = 0; begin < queries; begin += block) {
        poll();
        const auto end = std::min(begin + block, queries), columns = before + end;
        const TileGeometry geometry{inputs.query_positions.slice(0, begin, end), inputs.key_positions.slice(0, 0, columns), inputs.length,
                                    inputs.train_length};
        const auto mask = sliding ? sliding_mask(*layer.bias, geometry, inputs.q.scalar_type())
                                  : full_mask(*layer.bias, geometry, inputs.q.scalar_type());
        const auto rows = inputs.q.slice(2, begin, end);                                             // [B, H, r, d]
        const auto output = at::scaled_dot_product_attention(mask.reversed ? rows.flip(2) : rows, k.slice(2, 0, columns), v.slice(2, 0, columns),
                                                             mask.values.unsqueeze(0).expand({batch, heads, -1, -1}));
        outputs.push_back(mask.reversed ? output.flip(2) : output);                                  // [B, H, r, d]
    }
    AttentionResult result;
    result.output = outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);                     // [B, H, Tq, d]
    return result;
}

std::string refusal(const LayerScheme& layer, const AttentionQuestion& question) {
    if (layer.adaptive) return "the adaptive term mixes heads before the softmax";
    if (!layer.bias) return "there is no bias";
    if (question.wants_normaliser) return "it returns no log-normaliser";
    if (question.gradient && !layer.bias->parameters().empty()) return "it gives no gradient to a learned bias";
    return "";
}

}  // namespace

const AttentionPath kStockBiasPath{"stock+mask", refusal, run};

}  // namespace lw
