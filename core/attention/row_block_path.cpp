/// Exact attention a block of query rows at a time: any scheme, memory O(block x Tk), keys after the block's last row skipped.
#include "core/attention/attention.h"
#include "core/attention/poll.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

std::int64_t rows_per_block(const LayerScheme& layer, const AttentionQuestion& question) {
    // A block holds content, logits and weights per head, plus the hidden values of an adaptive term.
    std::int64_t channels = 3 * question.heads;
    if (layer.adaptive) {
        const auto network = layer.adaptive->network();
        channels += 2 * question.heads + 2 * (network ? network->w1.size(0) : 4 * question.heads);
    }
    // On a GPU a block must be large enough that starting its kernels costs nothing.
    const std::int64_t block_floats = (question.on_gpu ? 256LL : 4LL) * 1024 * 1024;  // 1 GB, 16 MB
    const auto rows = block_floats / std::max<std::int64_t>(1, question.batch * channels * question.keys);
    return std::clamp<std::int64_t>(rows, 8, 1024);
}

AttentionResult row_block_attention(const LayerScheme& layer, const AttentionInputs& inputs, bool wants_normaliser) {
    const auto queries = inputs.q.size(2);
    const auto keys = inputs.k.size(2);
    const auto before = keys - queries;  // keys that precede the first query
    AttentionQuestion question{.batch = inputs.q.size(0), .heads = inputs.q.size(1), .queries = queries, .keys = keys,
                               .head_width = inputs.q.size(3), .on_gpu = inputs.q.is_cuda()};
    const auto block = rows_per_block(layer, question);
    // One tensor for all rows: small outputs kept between blocks' ever larger temporaries would leave holes none of them fits into.
    AttentionResult result;
    result.output = at::empty({question.batch, question.heads, queries, inputs.v.size(3)}, inputs.v.options());        // [B, H, Tq, d]
    if (wants_normaliser) result.log_normaliser = at::empty({question.batch, question.heads, queries}, inputs.q.options());  // [B, H, Tq]
    for (std::int64_t begin = 0; begin < queries; begin += block) {
        poll();
        const auto end = std::min(begin + block, queries);
        const Span columns{0, before + end};
        const auto logit = score_parts(layer, inputs, {begin, end}, columns).masked_logit();  // [B, H, r, c]
        result.output.slice(2, begin, end).copy_(weighted_values(at::softmax(logit, -1), inputs.v.narrow(2, 0, columns.end)));
        if (wants_normaliser) result.log_normaliser.slice(2, begin, end).copy_(at::logsumexp(logit, -1));
    }
    return result;
}

namespace {
std::string refusal(const LayerScheme&, const AttentionQuestion&) { return ""; }
}  // namespace

const AttentionPath kRowBlockPath{"row-block", refusal, row_block_attention};

}  // namespace lw
