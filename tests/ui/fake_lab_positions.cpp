/// Fake laboratory: losses by position. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

constexpr double kBand = 0.05;  // nats on either side of a mean over seeds

CurveLine position_line(const RunInfo& run, const Evaluation& evaluation, PositionOrigin origin) {
    const bool beyond = origin == PositionOrigin::training_length;
    const auto& edges = beyond ? evaluation.boundary_edges : evaluation.position_edges;
    const auto& losses = beyond ? evaluation.boundary_loss : evaluation.position_loss;
    const std::int64_t zero = beyond ? run.recipe.training.length : 0;
    CurveLine line;
    line.title = run.title;
    Recipe recipe = run.recipe;
    recipe.seed = 0;
    line.group = recipe_hash(recipe);
    line.runs = {run.id};
    line.train_length = beyond ? 0 : run.recipe.training.length;
    line.band = "no interval";
    for (std::size_t n = 0; n < losses.size(); ++n) {
        if (edges[n] <= zero) continue;
        line.length.push_back(std::sqrt(static_cast<double>(edges[n] - zero) * static_cast<double>(edges[n + 1] - 1 - zero)));
        for (auto* values : {&line.value, &line.low, &line.high}) values->push_back(losses[n]);
        line.tokens.push_back(0);
    }
    return line;
}

void add_seed(CurveLine& line, const RunInfo& run) {
    line.runs.push_back(run.id);
    ++line.seeds;
    line.band = "95 % t interval over " + std::to_string(line.seeds) + " seeds";
    for (std::size_t n = 0; n < line.value.size(); ++n) {
        line.low[n] = line.value[n] - kBand;
        line.high[n] = line.value[n] + kBand;
    }
}

}  // namespace

Result<CurveSet> position_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol, PositionOrigin origin, bool group_seeds) {
    CurveSet set;
    set.protocol = protocol;
    set.y_label = "Loss (nats per token)";
    for (const auto& folder : runs) {
        const auto run = read_run(folder);
        if (!run.ok()) continue;
        const auto all = read_evaluations(folder).value();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Evaluation& evaluation) { return evaluation.protocol.protocol == protocol; });
        const CurveLine line = found == all.end() ? CurveLine{} : position_line(run.value(), *found, origin);
        if (line.length.empty()) {
            set.missing.push_back(run.value().title);
            continue;
        }
        set.protocol_line = found->protocol_line;
        set.x_label = origin == PositionOrigin::start ? "Position in texts of 16,384 tokens" : "Tokens beyond the training length L = " + std::to_string(run.value().recipe.training.length);
        const auto same = std::find_if(set.lines.begin(), set.lines.end(), [&](const CurveLine& other) { return other.group == line.group; });
        if (group_seeds && same != set.lines.end()) add_seed(*same, run.value());
        else set.lines.push_back(line);
    }
    return set;
}

}  // namespace lw
