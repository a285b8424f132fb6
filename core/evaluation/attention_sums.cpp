#include "core/evaluation/attention_sums.h"

#include "core/attention/attention.h"
#include "core/attention/poll.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace lw {

void ValueSums::add(const ValueSums& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
}

double ValueSums::deviation() const {
    if (!(count > 0)) return std::numeric_limits<double>::quiet_NaN();
    return std::sqrt(std::max(0.0, squares / count - mean() * mean()));
}

double ValueSums::root_mean_square() const { return count > 0 ? std::sqrt(squares / count) : 0; }

void HeadSums::add(const HeadSums& other) {
    rows += other.rows;
    entropy += other.entropy;
    uniform += other.uniform;
    peak += other.peak;
    beyond += other.beyond;
    first += other.first;
    self += other.self;
    trained.add(other.trained);
    untrained.add(other.untrained);
    content.add(other.content);
    bias.add(other.bias);
    adaptive.add(other.adaptive);
}

namespace {

std::vector<double> doubles(const at::Tensor& x) {
    const auto flat = x.to(at::kCPU, at::kDouble).contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

Span columns_of(const LayerScores& scores, Span rows) { return {0, sees_future(scores.layer) ? scores.inputs.k.size(2) : rows.end}; }

/// Rows of one block with what all heads share.
struct BlockCells {
    ScoreParts parts;
    at::Tensor weights;   // [H, r, c] double, 0 where not visible
    at::Tensor distance;  // [r, c] |i − j|, int64
};

at::Tensor weights_in(const LayerScores& scores, const ScoreParts& parts) {
    // Whole rows are at hand, so the weights need no log-normaliser, which not every layer has.
    const auto weights = weights_of(scores.layer, parts.masked_logit(), parts.geometry)[0].to(at::kDouble);  // [H, r, c]
    return weights.masked_fill(parts.visible.logical_not(), 0.0).nan_to_num(0.0);  // a row that sees nothing
}

BlockCells cells_of(const LayerScores& scores, Span rows) {
    const auto columns = columns_of(scores, rows);
    BlockCells cells;
    cells.parts = score_parts(scores.layer, scores.inputs, rows, columns);
    cells.weights = weights_in(scores, cells.parts);
    const auto whole = at::TensorOptions(at::kLong).device(cells.weights.device());
    const auto first_row = scores.inputs.k.size(2) - scores.inputs.q.size(2);  // queries are the last keys
    cells.distance = (at::arange(first_row + rows.begin, first_row + rows.end, whole).unsqueeze(1) - at::arange(columns.end, whole)).abs();  // [r, c]
    return cells;
}

/// Per head of x [H, r, c] (or one for all) over the cells that are chosen [r, c].
std::vector<ValueSums> sums_of(const at::Tensor& x, const at::Tensor& chosen, std::int64_t heads) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const auto all = x.to(at::kDouble).expand({heads, x.size(-2), x.size(-1)});  // [H, r, c]
    const auto left_out = chosen.logical_not();
    const auto kept = all.masked_fill(left_out, 0.0);
    const auto count = chosen.sum().item<double>();
    const auto sum = doubles(kept.sum({1, 2})), squares = doubles(kept.square().sum({1, 2}));
    const auto low = doubles(all.masked_fill(left_out, kNone).amin({1, 2})), high = doubles(all.masked_fill(left_out, -kNone).amax({1, 2}));
    std::vector<ValueSums> result;
    for (std::size_t h = 0; h < sum.size(); ++h) result.push_back({count, sum[h], squares[h], low[h], high[h]});
    return result;
}

void add_values(std::vector<HeadSums>& heads, ValueSums HeadSums::* where, const at::Tensor& x, const at::Tensor& chosen) {
    const auto sums = sums_of(x, chosen, static_cast<std::int64_t>(heads.size()));
    for (std::size_t h = 0; h < heads.size(); ++h) (heads[h].*where).add(sums[h]);
}

void add_totals(std::vector<HeadSums>& heads, double HeadSums::* where, const at::Tensor& per_row) {  // [H, r] or [r]
    const auto sums = doubles(per_row.expand({static_cast<std::int64_t>(heads.size()), per_row.size(-1)}).sum(1));
    for (std::size_t h = 0; h < heads.size(); ++h) heads[h].*where += sums[h];
}

/// −Σ (p / s) ln (p / s) with s = Σ p: [H, r, c] -> [H, r].
at::Tensor row_entropy(const at::Tensor& weights) {
    const auto sum = weights.sum(-1);
    return at::where(sum.gt(0), at::xlogy(weights, weights).sum(-1).neg() / sum + sum.log(), at::zeros_like(sum));
}

void add_weights(std::vector<HeadSums>& heads, const BlockCells& cells, std::int64_t train_length) {
    const auto& p = cells.weights;
    add_totals(heads, &HeadSums::entropy, row_entropy(p));
    add_totals(heads, &HeadSums::uniform, cells.parts.visible.sum(-1).clamp_min(1).to(at::kDouble).log());
    add_totals(heads, &HeadSums::peak, p.amax(-1));
    add_totals(heads, &HeadSums::beyond, p.masked_fill(cells.distance.lt(train_length), 0.0).sum(-1));
    add_totals(heads, &HeadSums::first, p.select(-1, 0));
    add_totals(heads, &HeadSums::self, p.masked_fill(cells.distance.ne(0), 0.0).sum(-1));
    for (auto& head : heads) head.rows += static_cast<double>(p.size(1));
}

void add_terms(std::vector<HeadSums>& heads, const BlockCells& cells, std::int64_t train_length) {
    const auto& parts = cells.parts;
    const auto logit = parts.logit()[0];  // [H, r, c]
    const auto trained = cells.distance.lt(train_length);
    add_values(heads, &HeadSums::trained, logit, parts.visible.logical_and(trained));
    add_values(heads, &HeadSums::untrained, logit, parts.visible.logical_and(trained.logical_not()));
    add_values(heads, &HeadSums::content, parts.content[0], parts.visible);
    if (parts.bias.defined()) add_values(heads, &HeadSums::bias, parts.bias_of(0), parts.visible);
    if (parts.adaptive.defined()) add_values(heads, &HeadSums::adaptive, parts.adaptive[0], parts.visible);
}

}  // namespace

at::Tensor attention_weights(const LayerScores& scores, Span rows) {
    return weights_in(scores, score_parts(scores.layer, scores.inputs, rows, columns_of(scores, rows)));
}

std::int64_t rows_of_a_block(const LayerScores& scores) {
    const auto& q = scores.inputs.q;
    return rows_per_block(scores.layer, {.batch = 1, .heads = q.size(1), .queries = q.size(2), .keys = scores.inputs.k.size(2), .head_width = q.size(3),
                                         .on_gpu = q.is_cuda()});
}

std::vector<HeadSums> attention_sums(const LayerScores& scores, Span rows, std::int64_t train_length) {
    const at::NoGradGuard no_gradient;
    std::vector<HeadSums> heads(static_cast<std::size_t>(scores.inputs.q.size(1)));
    const auto block = rows_of_a_block(scores);
    for (auto begin = rows.begin; begin < rows.end; begin += block) {
        poll();
        const auto cells = cells_of(scores, {begin, std::min(begin + block, rows.end)});
        add_weights(heads, cells, train_length);
        add_terms(heads, cells, train_length);
    }
    return heads;
}

}  // namespace lw
