#pragma once
/// How two texts' positional terms of one layer differ, a block of rows at a time.
///
///   t(i, j) = bias + adaptive as the scheme adds them, without the row's mean over visible keys, which the softmax ignores
///   difference(i, j) = t_b − t_a
///   moved(i, j) = softmax(content_a + t_b) − softmax(content_a + t_a): what the other text's term alone does to the attention

#include "core/attention/part_tile.h"

#include <vector>

namespace lw {

/// Of the rows of one block, all double. Where a score is no finite number, the row's terms, weights or changes are NaN.
struct TermBlock {
    at::Tensor term_a, term_b;  ///< [H, r, c], 0 where not visible
    at::Tensor weights;         ///< [H, r, c], attention of text a
    at::Tensor moved;           ///< [H, r, c]
    at::Tensor visible;         ///< [r, c]
};
/// a and b: the same layer of the same model, texts of one length.
TermBlock term_block(const LayerScores& a, const LayerScores& b, Span rows);

/// True where the positional term of a layer can look at the text at all.
[[nodiscard]] bool term_reads_text(const LayerScheme& layer);
/// True where the layer has a bias or an adaptive term.
[[nodiscard]] inline bool has_term(const LayerScheme& layer) { return layer.bias || layer.adaptive; }

/// A cell that stands out.
struct OutstandingCell {
    std::int64_t head = 0, query = 0, key = 0;
    double score = 0;  ///< what it was picked by
    double term_a = 0, term_b = 0, weight = 0, moved = 0;
};
/// The cells of largest |moved| (or |term_b − term_a|) of a block, the largest first, at most so many; `head` -1 = of all heads. Cells that do not differ
/// are none, nor are those whose change is not a finite number.
std::vector<OutstandingCell> outstanding_cells(const TermBlock& block, Span rows, std::int64_t head, bool by_term, std::size_t most);

}  // namespace lw
