#pragma once
/// Mean loss by number of tokens before the scored one, in bins log-spaced from the beginning or from the training length.

#include "core/evaluation/totals.h"

#include <cstdint>
#include <vector>

namespace lw {

/// 1, 2, 3, 4, ... four to the octave, the powers of two among them so that the training length is an edge; ends with `length`.
[[nodiscard]] std::vector<std::int64_t> log_edges(std::int64_t length);

/// ..., L − 4, L − 3, L − 2, L − 1, L, L + 1, L + 2, L + 3, L + 4, ... up to `length`: log_edges() counted from L + 1 upwards and from L + 1
/// downwards, so that [L, L + 1) is the longest trained context and [L + 1, L + 2) the first beyond; begins with 1. Empty where nothing is beyond L.
[[nodiscard]] std::vector<std::int64_t> edges_about(std::int64_t train_length, std::int64_t length);

class PositionLoss {
public:
    explicit PositionLoss(std::vector<std::int64_t> edges) : edges_(std::move(edges)), bins_(edges_.empty() ? 0 : edges_.size() - 1) {}
    /// A context outside the edges is not counted.
    void add(std::int64_t context, double nll);
    [[nodiscard]] const std::vector<std::int64_t>& edges() const { return edges_; }
    /// NaN where a bin got no token.
    [[nodiscard]] std::vector<double> means() const;

private:
    std::vector<std::int64_t> edges_;
    std::vector<LossSum> bins_;
};

/// Both at once.
struct PositionLosses {
    PositionLoss by_position, about_boundary;
    PositionLosses(std::int64_t train_length, std::int64_t length) : by_position(log_edges(length)), about_boundary(edges_about(train_length, length)) {}
    void add(std::int64_t context, double nll) {
        by_position.add(context, nll);
        about_boundary.add(context, nll);
    }
};

}  // namespace lw
