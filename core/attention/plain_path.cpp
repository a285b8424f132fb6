/// The plain path: every score at once. The reference for all others, and quick enough for short training sequences.
#include "core/attention/attention.h"

#include <ATen/ATen.h>

namespace lw {

AttentionResult plain_attention(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    const auto parts = score_parts(layer, inputs, {0, inputs.q.size(2)}, {0, inputs.k.size(2)});
    const auto logit = parts.masked_logit();                           // [B, H, Tq, Tk]
    AttentionResult result;
    result.output = weighted_values(at::softmax(logit, -1), inputs.v);  // [B, H, Tq, d]
    if (wants_normaliser) result.log_normaliser = at::logsumexp(logit, -1);  // [B, H, Tq]
    return result;
}

namespace {

/// Above this many score cells (all heads and sequences) the row-block path needs less memory and is faster.
constexpr std::int64_t kMaxCells = 16LL * 1024 * 1024, kMaxCellsOnGpu = 256LL * 1024 * 1024;

std::string refusal(const LayerScheme&, const AttentionQuestion& question) {
    const auto cells = question.batch * question.heads * question.queries * question.keys;
    // With a gradient autograd keeps the scores of all rows anyway, so blocks would save nothing.
    if (question.gradient || cells <= (question.on_gpu ? kMaxCellsOnGpu : kMaxCells)) return "";
    return "too many scores to hold at once";
}

}  // namespace

const AttentionPath kPlainPath{"plain", refusal, plain_attention};

}  // namespace lw
