#include "core/evaluation/position_lines.h"

#include "core/evaluation/seed_groups.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lw {
namespace {

struct Bin {
    std::int64_t begin = 0, last = 0;  ///< from the origin
    double loss = 0;                   ///< nats per token
};

/// Bins at or before the origin have no place on a logarithmic axis.
std::vector<Bin> bins_of(const EvaluatedRun& run, PositionOrigin origin) {
    const bool beyond = origin == PositionOrigin::training_length;
    const auto& edges = beyond ? run.evaluation.boundary_edges : run.evaluation.position_edges;
    const auto& losses = beyond ? run.evaluation.boundary_loss : run.evaluation.position_loss;
    const std::int64_t zero = beyond ? run.train_length : 0;
    std::vector<Bin> bins;
    for (std::size_t n = 0; n < losses.size() && n + 1 < edges.size(); ++n) {
        if (edges[n] > zero && std::isfinite(losses[n])) bins.push_back({edges[n] - zero, edges[n + 1] - 1 - zero, losses[n]});
    }
    return bins;
}

std::optional<double> loss_in(const std::vector<Bin>& bins, const Bin& wanted) {
    const auto found = std::find_if(bins.begin(), bins.end(), [&](const Bin& bin) { return bin.begin == wanted.begin && bin.last == wanted.last; });
    return found == bins.end() ? std::nullopt : std::optional<double>(found->loss);
}

/// Empty where a seed lacks the bin: it was measured up to another length.
std::vector<double> losses_in(const std::vector<std::vector<Bin>>& seeds, const Bin& wanted) {
    std::vector<double> losses;
    for (const auto& bins : seeds) {
        const auto loss = loss_in(bins, wanted);
        if (!loss) return {};
        losses.push_back(*loss);
    }
    return losses;
}

CurveLine line_of(const SeedGroup& group, const std::string& title, PositionOrigin origin) {
    const EvaluatedRun& first = *group.front();
    CurveLine line;
    line.title = title;
    line.group = first.group;
    line.seeds = static_cast<std::int64_t>(group.size());
    if (origin == PositionOrigin::start) line.train_length = first.train_length;
    line.band = group.size() > 1 ? seeds_band(group) : "no interval";
    std::vector<std::vector<Bin>> seeds;
    for (const EvaluatedRun* run : group) {
        line.runs.push_back(run->evaluation.run);
        seeds.push_back(bins_of(*run, origin));
    }
    for (const Bin& bin : seeds.front()) {
        const std::vector<double> losses = losses_in(seeds, bin);
        if (losses.empty()) continue;
        const MeanSummary mean = summarise(losses, first.evaluation.protocol.level);
        line.length.push_back(std::sqrt(static_cast<double>(bin.begin) * static_cast<double>(bin.last)));
        line.value.push_back(mean.mean);
        line.low.push_back(mean.interval ? mean.interval->low : mean.mean);
        line.high.push_back(mean.interval ? mean.interval->high : mean.mean);
        line.tokens.push_back(0);
    }
    return line;
}

}  // namespace

bool has_positions(const EvaluatedRun& run, PositionOrigin origin) { return !bins_of(run, origin).empty(); }

std::vector<CurveLine> position_lines(const std::vector<EvaluatedRun>& runs, PositionOrigin origin, bool group_seeds) {
    const std::vector<SeedGroup> groups = seed_groups(runs, group_seeds);
    const std::vector<std::string> titles = group_titles(groups);
    std::vector<CurveLine> lines;
    for (std::size_t n = 0; n < groups.size(); ++n) lines.push_back(line_of(groups[n], titles[n], origin));
    return lines;
}

}  // namespace lw
