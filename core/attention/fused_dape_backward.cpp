#include "core/attention/fused_dape_block.h"
#include "core/attention/score_tile.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

/// Sums over the sequences of one chunk; chunks are added in a fixed order, so that results do not depend on timing.
struct ChunkSums {
    at::Tensor w1_content, w2, b2;  // [D, H], [H, D], [H]
    at::Tensor table;               // [D, r c]: gradient of the hidden layer's input
    at::Tensor logit;               // [H, r c]: gradient of the logits, for the static bias
};

void accumulate(at::Tensor& sum, const at::Tensor& value) {
    if (sum.defined()) {
        sum.add_(value);
    } else {
        sum = value;
    }
}

/// The same with the sum of grouped query heads: [1, H, c, d] -> [1, Hkv, c, d].
at::Tensor to_key_heads(const at::Tensor& x, std::int64_t key_heads) {
    if (x.size(1) == key_heads) return x;
    return x.view({x.size(0), key_heads, x.size(1) / key_heads, x.size(2), x.size(3)}).sum(2);
}

struct Backward {
    const DapeTensors& tensors;
    const DapeSettings& settings;
    const SplitNetwork& network;
    const RowBlock& block;
    const at::Tensor& output_gradient;
    DapeTensors& gradients;

    /// One sequence of the block: scores recomputed, gradients of q, k, v written, those of the network added to `sums`.
    void sequence(std::int64_t b, ChunkSums& sums) const {
        const auto heads = tensors.q.size(1), rows = block.rows(), columns = block.columns;
        const auto one = sequence_of(tensors, block, b);
        const auto content = content_scores(one.q, one.k).view({heads, -1});                                           // [H, r c]
        const auto hidden = hidden_values(network, block, content, tensors.b1, settings.slope, 0, content.size(1));    // [D, r c]
        auto logit = at::mm(tensors.w2, hidden).add_(content);                                                         // [H, r c]
        if (tensors.b2.defined()) logit.add_(tensors.b2.unsqueeze(1));
        if (settings.adds_bias) logit.add_(block.bias.view({heads, -1}));
        const auto weights = at::softmax(logit.view({1, heads, rows, columns}).add_(block.mask), -1);                  // [1, H, r, c]

        const auto d_output = output_gradient.narrow(0, b, 1).slice(2, block.begin, block.end);                        // [1, H, r, d]
        const auto d_weights = content_scores(d_output, one.v).mul_(std::sqrt(static_cast<double>(one.v.size(3))));    // dO · vᵀ
        gradients.v.narrow(0, b, 1).narrow(2, 0, columns).add_(to_key_heads(at::matmul(weights.transpose(2, 3), d_output), one.v.size(1)));
        const auto d_logit = at::_softmax_backward_data(d_weights, weights, -1, weights.scalar_type()).view({heads, -1});  // [H, r c]

        accumulate(sums.w2, at::mm(d_logit, hidden.t()));                                                              // [H, D]
        if (tensors.b2.defined()) accumulate(sums.b2, d_logit.sum(1));
        const auto d_hidden = at::leaky_relu_backward(at::mm(tensors.w2.t(), d_logit), hidden, settings.slope, true);  // [D, r c]
        auto d_content = d_logit;
        if (network.content.defined()) {
            accumulate(sums.w1_content, at::mm(d_hidden, content.t()));                                                // [D, H]
            d_content = at::addmm(d_logit, network.content.t(), d_hidden);                                             // [H, r c]
        }
        accumulate(sums.table, d_hidden);
        if (settings.adds_bias) accumulate(sums.logit, d_logit);
        write_query_key(b, one, d_content.view({1, heads, rows, columns}));
    }

    void write_query_key(std::int64_t b, const Sequence& one, const at::Tensor& d_content) const {
        const auto scale = 1.0 / std::sqrt(static_cast<double>(one.q.size(3)));
        gradients.q.narrow(0, b, 1).slice(2, block.begin, block.end).add_(weighted_values(d_content, one.k), scale);
        const auto d_k = at::matmul(d_content.transpose(2, 3), one.q);  // [1, H, c, d]
        gradients.k.narrow(0, b, 1).narrow(2, 0, block.columns).add_(to_key_heads(d_k, one.k.size(1)), scale);
    }
};

/// What depends on the block only: the first layer's bias columns, its bias, and the static bias.
void finish_block(const DapeTensors& tensors, const SplitNetwork& network, const RowBlock& block, const ChunkSums& sums, DapeTensors& gradients,
                  at::Tensor& w1_content, at::Tensor& w1_bias) {
    accumulate(gradients.w2, sums.w2);
    if (tensors.b2.defined()) accumulate(gradients.b2, sums.b2);
    if (tensors.b1.defined()) accumulate(gradients.b1, sums.table.sum(1));
    if (network.content.defined()) accumulate(w1_content, sums.w1_content);
    at::Tensor d_bias = sums.logit;  // [H, r c]
    if (network.bias.defined()) {
        accumulate(w1_bias, at::mm(sums.table, block.bias.view({block.bias.size(0), -1}).t()));  // [D, H]
        const auto through = at::mm(network.bias.t(), sums.table);
        d_bias = d_bias.defined() ? d_bias + through : through;
    }
    if (tensors.bias.defined() && d_bias.defined()) {
        gradients.bias.slice(1, block.begin, block.end).slice(2, 0, block.columns).copy_(d_bias.view_as(block.bias));
    }
}

/// The chunks' sums, added in their order to those of the first.
ChunkSums total_of(std::vector<ChunkSums>& sums) {
    auto& total = sums.front();
    for (auto chunk = sums.begin() + 1; chunk != sums.end(); ++chunk) {
        for (auto [to, from] : {std::pair{&total.w1_content, &chunk->w1_content}, {&total.w2, &chunk->w2}, {&total.b2, &chunk->b2},
                                {&total.table, &chunk->table}, {&total.logit, &chunk->logit}}) {
            if (from->defined()) accumulate(*to, *from);
        }
    }
    return total;
}

/// The gradient of w1 from those of the columns that read the content and of those that read the bias; either may be undefined.
at::Tensor join_inputs(const at::Tensor& content, const at::Tensor& bias, bool summed) {
    if (!content.defined() || !bias.defined()) return content.defined() ? content : bias;
    return summed ? content + bias : at::cat({content, bias}, 1);
}

}  // namespace

DapeTensors dape_backward(const DapeTensors& tensors, const DapeSettings& settings, const at::Tensor& output_gradient) {
    const at::NoGradGuard no_gradient;
    const auto network = split_network(tensors, settings);
    const auto batch = tensors.q.size(0);
    const auto chunks = std::min<std::int64_t>(batch, at::get_num_threads());
    DapeTensors gradients{at::zeros_like(tensors.q), at::zeros_like(tensors.k), at::zeros_like(tensors.v), {}, {}, {}, {}, {}};
    if (tensors.bias.defined()) gradients.bias = at::zeros_like(tensors.bias);
    at::Tensor w1_content, w1_bias;
    for (const auto& [begin, end] : row_ranges(tensors, true)) {
        const auto block = make_block(tensors, network, begin, end, {});
        const Backward backward{tensors, settings, network, block, output_gradient, gradients};
        std::vector<ChunkSums> sums(static_cast<std::size_t>(chunks));
        at::parallel_for(0, chunks, 1, [&](std::int64_t first, std::int64_t last) {
            const at::NoGradGuard no_gradient_here;
            for (auto chunk = first; chunk < last; ++chunk) {
                for (auto b = chunk * batch / chunks; b < (chunk + 1) * batch / chunks; ++b) backward.sequence(b, sums[static_cast<std::size_t>(chunk)]);
            }
        });
        finish_block(tensors, network, block, total_of(sums), gradients, w1_content, w1_bias);
    }
    gradients.w1 = join_inputs(w1_content, w1_bias, settings.sums_inputs);
    return gradients;
}

}  // namespace lw
