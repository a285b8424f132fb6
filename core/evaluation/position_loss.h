#pragma once
/// Mean loss by number of tokens before the scored one, in log-spaced bins.

#include "core/evaluation/totals.h"

#include <cstdint>
#include <vector>

namespace lw {

/// 1, 2, 3, 4, ... four to the octave, the powers of two among them so that the training length is an edge; ends with `length`.
[[nodiscard]] std::vector<std::int64_t> log_edges(std::int64_t length);

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

}  // namespace lw
