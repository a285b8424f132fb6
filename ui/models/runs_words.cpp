/// What the list says of a run and of several seeds. See runs_model.h.
#include "ui/models/runs_model.h"

#include "ui/plot/number_text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lw::ui {

namespace {

/// An extended run has only the loss of the weights it stands on, and a task's loss is no perplexity of a text.
double perplexityOf(const RunEntry& run) { return run.isTask() || run.isExtended() ? 0 : run.bestPerplexity(); }

QString valueText(double perplexity) { return perplexity > 0 ? numberText(perplexity, perplexity < 1000 ? 1 : 0) : QStringLiteral("–"); }

/// Of the seeds that have one, in ascending order.
std::vector<double> perplexities(const std::vector<const RunEntry*>& runs) {
    std::vector<double> values;
    for (const RunEntry* run : runs)
        if (const double value = perplexityOf(*run); value > 0) values.push_back(value);
    std::sort(values.begin(), values.end());
    return values;
}

/// That of the mean loss, as for seeds in Curves.
double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

int withStatus(const std::vector<const RunEntry*>& runs, const char* status) {
    return static_cast<int>(std::count_if(runs.begin(), runs.end(), [&](const RunEntry* run) { return run->info.status == status; }));
}

}  // namespace

QString runSubtitle(const RunEntry& run) {
    const auto& recipe = run.info.recipe;
    QString text = RunsModel::tr("L %1 · seed %2").arg(integerText(recipe.training.length)).arg(recipe.seed);
    if (run.info.status == "running") return text + RunsModel::tr(" · step %1").arg(integerText(run.info.step));
    if (run.info.status == "stopped") return text + RunsModel::tr(" · stopped at %1").arg(integerText(run.info.step));
    if (run.info.status == "failed") return text + RunsModel::tr(" · failed");
    return text;
}

QString seedsSubtitle(const std::vector<const RunEntry*>& runs) {
    std::set<std::uint64_t> seeds;
    for (const RunEntry* run : runs) seeds.insert(run->info.recipe.seed);
    const QString length = integerText(runs.front()->info.recipe.training.length);
    // A recipe that was trained twice with one seed has two runs of it.
    QString text = seeds.size() == runs.size() ? RunsModel::tr("L %1 · %2 seeds").arg(length).arg(runs.size()) : RunsModel::tr("L %1 · %2 runs").arg(length).arg(runs.size());
    if (const int running = withStatus(runs, "running"); running > 0) text += RunsModel::tr(" · %1 running").arg(running);
    if (const int stopped = withStatus(runs, "stopped"); stopped > 0) text += RunsModel::tr(" · %1 stopped").arg(stopped);
    if (const int failed = withStatus(runs, "failed"); failed > 0) text += RunsModel::tr(" · %1 failed").arg(failed);
    return text;
}

QString perplexityText(const RunEntry& run) { return run.isTask() ? QString() : valueText(perplexityOf(run)); }

QString perplexityText(const std::vector<const RunEntry*>& runs) { return runs.front()->isTask() ? QString() : valueText(mean(perplexities(runs))); }

QString perplexityHelp(const RunEntry& run) {
    if (run.isTask()) return RunsModel::tr("Trained on a task: its accuracy is on the Tasks page");
    if (run.isExtended()) return RunsModel::tr("No validation perplexity of its own: it uses another run's weights");
    return RunsModel::tr("Validation perplexity %1, at best, over windows of the training length").arg(perplexityText(run));
}

QString perplexityHelp(const std::vector<const RunEntry*>& runs) {
    const std::vector<double> values = perplexities(runs);
    if (values.size() < 2) return perplexityHelp(*runs.front());
    return RunsModel::tr("Validation perplexity %1, the mean of %2 runs (%3 to %4), each at best, over windows of the training length")
        .arg(valueText(mean(values)))
        .arg(values.size())
        .arg(valueText(values.front()), valueText(values.back()));
}

}  // namespace lw::ui
