#pragma once
/// What the attention rows of one layer add up to, head by head: how widely a head spreads its weight, where it lies, the logits inside and
/// outside the trained distances, and the size of every score term. Rows are taken a block at a time, so memory is O(block x T).

#include "core/attention/part_tile.h"

#include <limits>
#include <vector>

namespace lw {

/// Numbers that came one after the other, without keeping them.
struct ValueSums {
    double count = 0, sum = 0, squares = 0;
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

    void add(const ValueSums& other);
    [[nodiscard]] double mean() const { return sum / count; }       ///< NaN of none
    [[nodiscard]] double deviation() const;                         ///< population standard deviation; NaN of none
    [[nodiscard]] double root_mean_square() const;                  ///< 0 of none, as of a term that is not there
};

/// Of one head, over the query rows that were added. Weights are taken as the layer's normaliser gives them; a row whose weights do not
/// sum to 1 (stick-breaking, a learned sink) is divided by its sum for its entropy alone.
struct HeadSums {
    double rows = 0;
    double entropy = 0;  ///< Σ over rows of −Σ p ln p, nats
    double uniform = 0;  ///< Σ over rows of ln(visible keys): the entropy that equal weights would have
    double peak = 0;     ///< Σ over rows of the largest weight
    double beyond = 0;   ///< Σ over rows of the weight at distances |i − j| >= L, which training had not
    double first = 0;    ///< Σ over rows of the weight on key 0
    double self = 0;     ///< Σ over rows of the weight on the query's own token
    ValueSums trained, untrained;       ///< logits of visible cells, by distance: below L, from L on
    ValueSums content, bias, adaptive;  ///< terms of visible cells; none where the scheme lacks the term

    void add(const HeadSums& other);
};

/// The rows' weights, [H, r, Tk] double: those of keys that may not be seen are 0. Under a causal mask columns end with the last row's own key.
at::Tensor attention_weights(const LayerScores& scores, Span rows);

/// Sums over the query rows of each head, [H]. train_length: L, tokens.
std::vector<HeadSums> attention_sums(const LayerScores& scores, Span rows, std::int64_t train_length);

/// Rows of a block whose temporaries stay small, whatever the length.
std::int64_t rows_of_a_block(const LayerScores& scores);

}  // namespace lw
