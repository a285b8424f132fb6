/// Which lines of a plot can be compared. See curves_data.h.
#include "ui/pages/curves_data.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CurvesPage", text); }

const CurveRun* runOf(const CurvesLoaded& loaded, std::size_t series) {
    const int run = series < loaded.lineRun.size() ? loaded.lineRun[series] : -1;
    return run < 0 ? nullptr : &loaded.runs[static_cast<std::size_t>(run)];
}

/// The gravest reason first.
QString warningOf(const std::vector<const CurveRun*>& runs, CurvesMode mode) {
    const auto several = [&](QString CurveRun::*what) { return std::any_of(runs.begin(), runs.end(), [&](const CurveRun* run) { return run->*what != runs.front()->*what; }); };
    const QString quantity = mode == CurvesMode::perplexity ? tr("perplexity per token") : tr("loss per token");
    if (several(&CurveRun::tokens)) return tr("Different tokenizers: %1 cannot be compared across these runs").arg(quantity);
    if (several(&CurveRun::source)) return tr("Different texts: %1 cannot be compared across these runs").arg(quantity);
    return tr("Scored in different ways: %1 cannot be compared across these runs").arg(quantity);
}

/// "bpe, 1,024 pieces of en-prose: RoPE, ALiBi"
QString groupLine(const CurvesLoaded& loaded, int group) {
    QStringList titles;
    const CurveRun* first = nullptr;
    for (std::size_t s = 0; s < loaded.group.size(); ++s) {
        if (loaded.group[s] != group) continue;
        if (first == nullptr) first = runOf(loaded, s);
        const QString& title = loaded.content.series[s].title;
        if (!title.isEmpty() && !titles.contains(title)) titles << title;
    }
    QStringList what{first->tokens};
    if (!first->tokens.contains(first->source)) what << tr("read from %1").arg(first->source);
    if (!first->settings.isEmpty()) what << first->settings;
    return tr("%1: %2").arg(what.join(QStringLiteral("; ")), titles.join(QStringLiteral(", ")));
}

}  // namespace

QString tokensText(const lw::DataSpec& data) {
    const QString source = QString::fromStdString(data.source);
    if (source.startsWith(QStringLiteral("task:"))) return tr("symbols of the task %1").arg(source.mid(5));
    if (data.tokenizer == "byte") return tr("one token per byte");
    return tr("%1, %2 pieces of %3").arg(QString::fromStdString(data.tokenizer), integerText(data.vocabulary), source);
}

QString comparisonKey(const CurveRun& run) { return QStringLiteral("%1|%2|%3").arg(run.tokens, run.source, run.settings); }

std::optional<lw::Evaluation> evaluationOf(const CurveRun& run, const CurvesRequest& request) {
    auto evaluations = lw::read_evaluations(run.evaluations);
    std::vector<lw::Evaluation> all = evaluations.ok() ? std::move(evaluations).value() : std::vector<lw::Evaluation>{};
    for (const auto& [key, fresh] : request.fresh)
        if (key == run.key) all.push_back(fresh);
    const auto fits = [&](const lw::Evaluation& e) { return e.protocol.protocol == request.protocol && !e.points.empty() && (request.mode != CurvesMode::position || !e.position_loss.empty()); };
    const auto found = std::find_if(all.rbegin(), all.rend(), fits);
    return found == all.rend() ? std::nullopt : std::optional<lw::Evaluation>(*found);
}

void findGroups(CurvesLoaded& loaded) {
    std::map<QString, int> numbers;
    std::vector<const CurveRun*> runs;
    loaded.group.clear();
    for (std::size_t s = 0; s < loaded.content.series.size(); ++s) {
        const CurveRun* run = runOf(loaded, s);
        if (run != nullptr) runs.push_back(run);
        loaded.group.push_back(run == nullptr ? -1 : numbers.emplace(comparisonKey(*run), static_cast<int>(numbers.size())).first->second);
    }
    loaded.warning.clear();
    loaded.warningHelp.clear();
    if (numbers.size() < 2) return;
    loaded.warning = warningOf(runs, loaded.mode);
    QStringList lines;
    for (int group = 0; group < static_cast<int>(numbers.size()); ++group) lines << groupLine(loaded, group);
    loaded.warningHelp = lines.join(QLatin1Char('\n'));
}

}  // namespace lw::ui
