#include "core/attention/fused_dape_block.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>

namespace lw {

SplitNetwork split_network(const DapeTensors& tensors, const DapeSettings& settings) {
    const auto heads = tensors.q.size(1);
    SplitNetwork split;
    if (settings.sums_inputs) {
        split.content = tensors.w1;
        if (settings.reads_bias) split.bias = tensors.w1;
        return split;
    }
    std::int64_t column = 0;
    if (settings.reads_content) {
        split.content = tensors.w1.narrow(1, 0, heads);
        column = heads;
    }
    if (settings.reads_bias) split.bias = tensors.w1.narrow(1, column, heads);
    return split;
}

std::vector<std::pair<std::int64_t, std::int64_t>> row_ranges(const DapeTensors& tensors, bool gradient) {
    // With enough sequences every thread works on its own one, and its block should fit the second-level cache.
    const auto hidden = tensors.w1.size(0), keys = tensors.k.size(2), queries = tensors.q.size(2);
    const bool many = tensors.q.size(0) >= at::get_num_threads();
    const std::int64_t floats = (many ? 128 : 4096) * 1024;
    auto rows = std::clamp<std::int64_t>(floats / std::max<std::int64_t>(1, hidden * keys), gradient ? 16 : 8, 512);
    // Blocks of equal size: the last one must not be a sliver.
    const auto count = (queries + rows - 1) / rows;
    rows = (queries + count - 1) / count;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (std::int64_t begin = 0; begin < queries; begin += rows) ranges.emplace_back(begin, std::min(begin + rows, queries));
    return ranges;
}

RowBlock make_block(const DapeTensors& tensors, const SplitNetwork& network, std::int64_t begin, std::int64_t end, const BiasRows& bias_rows) {
    RowBlock block{begin, end, tensors.k.size(2) - tensors.q.size(2) + end, {}, {}, {}};
    if (bias_rows) {
        block.bias = bias_rows(begin, end, block.columns).contiguous();  // [H, r, c]
    } else if (tensors.bias.defined()) {
        block.bias = tensors.bias.slice(1, begin, end).slice(2, 0, block.columns).contiguous();
    }
    if (network.bias.defined()) {
        const auto flat = block.bias.reshape({block.bias.size(0), -1});  // [H, r c]
        block.table = tensors.b1.defined() ? at::addmm(tensors.b1.unsqueeze(1), network.bias, flat) : at::mm(network.bias, flat);
    }
    const auto infinity = at::full({block.rows(), block.columns}, -std::numeric_limits<double>::infinity(), tensors.q.options());
    block.mask = infinity.triu(block.columns - block.rows() + 1);  // zero on and below the diagonal
    return block;
}

at::Tensor hidden_values(const SplitNetwork& network, const RowBlock& block, const at::Tensor& scores, const at::Tensor& b1, double slope,
                         std::int64_t from, std::int64_t count) {
    const auto part = scores.narrow(1, from, count);  // [H, n]
    at::Tensor hidden;
    if (!network.content.defined()) {
        hidden = block.table.narrow(1, from, count).clone();
    } else if (block.table.defined()) {
        hidden = at::addmm(block.table.narrow(1, from, count), network.content, part);  // [D, n]
    } else {
        hidden = b1.defined() ? at::addmm(b1.unsqueeze(1), network.content, part) : at::mm(network.content, part);
    }
    return at::leaky_relu_(hidden, slope);
}

Sequence sequence_of(const DapeTensors& tensors, const RowBlock& block, std::int64_t index) {
    return {tensors.q.narrow(0, index, 1).slice(2, block.begin, block.end), tensors.k.narrow(0, index, 1).narrow(2, 0, block.columns),
            tensors.v.narrow(0, index, 1).narrow(2, 0, block.columns)};
}

}  // namespace lw
