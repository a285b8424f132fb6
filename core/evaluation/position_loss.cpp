#include "core/evaluation/position_loss.h"

#include <algorithm>
#include <cmath>

namespace lw {

std::vector<std::int64_t> log_edges(std::int64_t length) {
    std::vector<std::int64_t> edges;
    for (int quarter = 0;; ++quarter) {
        const auto edge = static_cast<std::int64_t>(std::llround(std::exp2(0.25 * quarter)));
        if (edge >= length) break;
        if (edges.empty() || edge > edges.back()) edges.push_back(edge);
    }
    edges.push_back(length);
    return edges.size() < 2 ? std::vector<std::int64_t>{} : edges;
}

std::vector<std::int64_t> edges_about(std::int64_t train_length, std::int64_t length) {
    const auto first_beyond = train_length + 1;
    if (length <= first_beyond) return {};
    std::vector<std::int64_t> edges;
    auto inside = log_edges(first_beyond);
    std::reverse(inside.begin(), inside.end());
    for (const auto distance : inside) edges.push_back(std::max<std::int64_t>(1, first_beyond - distance));  // no token is scored without a context
    edges.push_back(first_beyond);
    for (const auto distance : log_edges(length - first_beyond)) edges.push_back(first_beyond + distance);
    edges.push_back(length);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

void PositionLoss::add(std::int64_t context, double nll) {
    const auto above = std::upper_bound(edges_.begin(), edges_.end(), context);
    if (above == edges_.begin() || above == edges_.end()) return;
    bins_[static_cast<std::size_t>(above - edges_.begin()) - 1].add(nll);
}

std::vector<double> PositionLoss::means() const {
    std::vector<double> means;
    for (const LossSum& bin : bins_) means.push_back(bin.mean());
    return means;
}

}  // namespace lw
