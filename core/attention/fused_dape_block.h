#pragma once
/// Pieces shared by the forward and the backward pass of the fused DAPE path.

#include "core/attention/fused_dape.h"

#include <vector>

namespace lw {

/// W1 split into the columns that read the content and those that read the bias; undefined where nothing is read.
struct SplitNetwork {
    at::Tensor content;  // [D, H]
    at::Tensor bias;     // [D, H]
};
SplitNetwork split_network(const DapeTensors& tensors, const DapeSettings& settings);

/// A block of query rows and the keys they can see.
struct RowBlock {
    std::int64_t begin = 0, end = 0, columns = 0;
    at::Tensor bias;   // [H, r, c] or undefined
    at::Tensor table;  // [D, r c]: W1_bias · B + b1, or undefined
    at::Tensor mask;   // [r, c]: 0 or -inf
    [[nodiscard]] std::int64_t rows() const { return end - begin; }
};
std::vector<std::pair<std::int64_t, std::int64_t>> row_ranges(const DapeTensors& tensors, bool gradient);
RowBlock make_block(const DapeTensors& tensors, const SplitNetwork& network, std::int64_t begin, std::int64_t end, const BiasRows& bias_rows);

/// leaky(W1_content · S + table) over columns [from, from + count) of S [H, r c]: [D, count].
at::Tensor hidden_values(const SplitNetwork& network, const RowBlock& block, const at::Tensor& scores, const at::Tensor& b1, double slope,
                         std::int64_t from, std::int64_t count);

/// One sequence's rows and visible keys: views without copies.
struct Sequence {
    at::Tensor q;  // [1, H, r, d]
    at::Tensor k;  // [1, Hkv, c, d]
    at::Tensor v;  // [1, Hkv, c, d]
};
Sequence sequence_of(const DapeTensors& tensors, const RowBlock& block, std::int64_t index);

}  // namespace lw
