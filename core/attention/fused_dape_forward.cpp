#include "core/attention/fused_dape_block.h"
#include "core/attention/poll.h"
#include "core/attention/score_tile.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

namespace lw {

namespace {

/// Columns of a block handled at once: 32 hidden channels of them are 1 MB.
constexpr std::int64_t kSegment = 8192;

/// S -> S + f (+ B) in place, segment by segment. scores [H, r c].
void add_adaptive(at::Tensor& scores, const DapeTensors& tensors, const DapeSettings& settings, const SplitNetwork& network,
                  const RowBlock& block) {
    const auto cells = scores.size(1);
    const auto segments = (cells + kSegment - 1) / kSegment;
    at::parallel_for(0, segments, 1, [&](std::int64_t first, std::int64_t last) {
        const at::NoGradGuard no_gradient;
        for (auto s = first; s < last; ++s) {
            const auto from = s * kSegment, count = std::min(kSegment, cells - from);
            const auto hidden = hidden_values(network, block, scores, tensors.b1, settings.slope, from, count);  // [D, n]
            auto part = scores.narrow(1, from, count);
            part.add_(at::mm(tensors.w2, hidden));  // [H, n]
            if (tensors.b2.defined()) part.add_(tensors.b2.unsqueeze(1));
        }
    });
    if (settings.adds_bias) scores.add_(block.bias.reshape({scores.size(0), -1}));
}

}  // namespace

std::tuple<at::Tensor, at::Tensor> dape_forward(const DapeTensors& tensors, const DapeSettings& settings, bool wants_normaliser,
                                                const BiasRows& bias_rows) {
    const at::NoGradGuard no_gradient;
    const auto network = split_network(tensors, settings);
    const auto batch = tensors.q.size(0), heads = tensors.q.size(1);
    auto output = at::empty({batch, heads, tensors.q.size(2), tensors.v.size(3)}, tensors.q.options());
    at::Tensor normaliser;
    if (wants_normaliser) normaliser = at::empty({batch, heads, tensors.q.size(2)}, tensors.q.options());
    for (const auto& [begin, end] : row_ranges(tensors, false)) {
        poll();
        const auto block = make_block(tensors, network, begin, end, bias_rows);
        at::parallel_for(0, batch, 1, [&](std::int64_t first, std::int64_t last) {
            const at::NoGradGuard no_gradient_here;
            for (auto b = first; b < last; ++b) {
                const auto one = sequence_of(tensors, block, b);
                auto scores = content_scores(one.q, one.k).view({heads, -1});  // [H, r c]
                add_adaptive(scores, tensors, settings, network, block);
                auto logit = scores.view({1, heads, block.rows(), block.columns}).add_(block.mask);
                if (wants_normaliser) normaliser.narrow(0, b, 1).slice(2, block.begin, block.end).copy_(at::logsumexp(logit, -1));
                output.narrow(0, b, 1).slice(2, block.begin, block.end).copy_(weighted_values(at::softmax(logit, -1), one.v));
            }
        });
    }
    return {output, normaliser};
}

}  // namespace lw
