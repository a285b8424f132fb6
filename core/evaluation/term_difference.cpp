#include "core/evaluation/term_difference.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

namespace {

/// bias + adaptive as the scheme adds them, [H, r, c].
at::Tensor term_of(const ScoreParts& parts) {
    auto sum = at::zeros_like(parts.content[0], at::kDouble);
    if (parts.bias.defined() && parts.adds_bias) sum = sum + parts.bias_of(0);
    if (parts.adaptive.defined()) sum = sum + parts.adaptive[0];
    return sum.to(at::kDouble);
}

at::Tensor without_row_means(const at::Tensor& term, const at::Tensor& visible) {
    const auto hidden = visible.logical_not();
    const auto mean = term.masked_fill(hidden, 0.0).sum(-1, true) / visible.sum(-1, true).clamp_min(1);  // [H, r, 1]
    return (term - mean).masked_fill(hidden, 0.0);
}

at::Tensor weights_in(const LayerScores& scores, const ScoreParts& parts) {
    // Hidden cells alone become 0, which those of a row without any visible key are too: NaN at a visible one is a finding.
    return weights_of(scores.layer, parts.masked_logit(), parts.geometry)[0].to(at::kDouble).masked_fill(parts.visible.logical_not(), 0.0);
}

}  // namespace

TermBlock term_block(const LayerScores& a, const LayerScores& b, Span rows) {
    const Span columns{0, sees_future(a.layer) ? a.inputs.k.size(2) : rows.end};
    const auto parts_a = score_parts(a.layer, a.inputs, rows, columns), parts_b = score_parts(b.layer, b.inputs, rows, columns);
    auto swapped = parts_a;  // text a's content under text b's term
    swapped.bias = parts_b.bias;
    swapped.adaptive = parts_b.adaptive;
    TermBlock block;
    block.visible = parts_a.visible;
    block.term_a = without_row_means(term_of(parts_a), block.visible);
    block.term_b = without_row_means(term_of(parts_b), block.visible);
    block.weights = weights_in(a, parts_a);
    block.moved = weights_in(a, swapped) - block.weights;
    return block;
}

bool term_reads_text(const LayerScheme& layer) { return layer.adaptive || (layer.bias && layer.bias->reads_content()); }

std::vector<OutstandingCell> outstanding_cells(const TermBlock& block, Span rows, std::int64_t head, bool by_term, std::size_t most) {
    auto score = (by_term ? block.term_b - block.term_a : block.moved).abs();  // [H, r, c]
    score = score.masked_fill(score.isfinite().logical_not(), 0.0);  // topk would put NaN before every number
    if (head >= 0) score = score.narrow(0, head, 1);
    const auto columns = score.size(2), cells = score.size(1) * columns;
    const auto [values, places] = score.reshape(-1).topk(std::min<std::int64_t>(static_cast<std::int64_t>(most), score.numel()));
    const auto at_places = [&, &chosen = places](const at::Tensor& x) {
        return (head >= 0 ? x.narrow(0, head, 1) : x).reshape(-1).index_select(0, chosen);
    };
    // In one tensor, so that a device hands all of it over at once.
    const auto picked = at::stack({places.to(at::kDouble), values, at_places(block.term_a), at_places(block.term_b), at_places(block.weights),
                                   at_places(block.moved)}, 1).to(at::kCPU).contiguous();  // [n, 6]
    std::vector<OutstandingCell> found;
    const auto* cell = picked.const_data_ptr<double>();
    for (std::int64_t n = 0; n < picked.size(0) && cell[1] > 0; ++n, cell += 6) {
        const auto place = static_cast<std::int64_t>(cell[0]);
        const auto h = std::max<std::int64_t>(head, 0) + place / cells, row = place % cells / columns, key = place % columns;
        found.push_back({h, rows.begin + row, key, cell[1], cell[2], cell[3], cell[4], cell[5]});
    }
    return found;
}

}  // namespace lw
