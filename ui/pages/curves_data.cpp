/// See curves_data.h.
#include "ui/pages/curves_data.h"

#include "ui/pages/curves_evaluate.h"
#include "ui/pages/curves_published.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <optional>
#include <map>
#include <set>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CurvesPage", text); }

int runOfLine(const lw::CurveLine& line, const std::vector<CurveRun>& runs) {
    const std::vector<std::size_t> found = runsOfLine(line, runs);
    return found.empty() ? -1 : static_cast<int>(found.front());
}

/// Where evaluations were made in different ways, each run has its own; elsewhere the files need not be read once more.
void readSettings(const lw::CurveSet& set, CurvesRequest& request) {
    if (set.protocol_line.find(" | ") == std::string::npos) return;
    for (CurveRun& run : request.runs)
        if (const auto evaluation = evaluationOf(run, request)) run.settings = QString::fromStdString(evaluation->protocol_line);
}

/// Lines of the largest group that can be compared come first: the best of them is the one that is looked for.
void sortByGroup(std::vector<lw::CurveLine>& lines, const CurvesRequest& request) {
    std::map<QString, int> sizes;
    const auto keyOf = [&](const lw::CurveLine& line) {
        const int run = runOfLine(line, request.runs);
        return run < 0 ? QString() : comparisonKey(request.runs[static_cast<std::size_t>(run)]);
    };
    for (const lw::CurveLine& line : lines) ++sizes[keyOf(line)];
    std::stable_sort(lines.begin(), lines.end(), [&](const lw::CurveLine& a, const lw::CurveLine& b) {
        const QString first = keyOf(a), second = keyOf(b);
        return sizes[first] != sizes[second] ? sizes[first] > sizes[second] : first < second;
    });
}

/// Best at its longest length first; lines that end earlier come after those that go on.
void sortByEnd(std::vector<lw::CurveLine>& lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const lw::CurveLine& a, const lw::CurveLine& b) {
        if (a.length.empty() || b.length.empty()) return b.length.empty() && !a.length.empty();
        if (a.length.back() != b.length.back()) return a.length.back() > b.length.back();
        return a.value.back() < b.value.back();
    });
}

/// A mean over seeds has no seed that could tell it from another line of its title.
void titleLines(CurvesLoaded& loaded, const CurvesRequest& request) {
    std::vector<CurveRun> firsts;
    for (std::size_t i = 0; i < loaded.set.lines.size(); ++i) {
        firsts.push_back(loaded.lineRun[i] < 0 ? CurveRun{} : request.runs[static_cast<std::size_t>(loaded.lineRun[i])]);
        if (loaded.lineRun[i] < 0 || loaded.set.lines[i].seeds > 1) firsts.back().title = QString::fromStdString(loaded.set.lines[i].title);
        if (loaded.set.lines[i].seeds > 1) firsts.back().seed = 0;
    }
    const QStringList titles = distinctTitles(firsts);
    for (std::size_t i = 0; i < firsts.size(); ++i) loaded.content.series[i].title = titles[static_cast<qsizetype>(i)];
}

lw::Result<CurvesLoaded> loadPerplexity(CurvesRequest& request) {
    std::vector<std::filesystem::path> folders;
    for (const CurveRun& run : request.runs) folders.push_back(run.evaluations);
    auto set = lw::perplexity_curves(folders, request.protocol, request.groupSeeds);
    if (!set.ok()) return set.error();
    CurvesLoaded loaded;
    loaded.set = std::move(set).value();
    nameByFolder(loaded.set, request);
    mergeFresh(loaded.set, request);
    readSettings(loaded.set, request);
    sortByEnd(loaded.set.lines);
    sortByGroup(loaded.set.lines, request);
    std::vector<int> styles;
    for (const lw::CurveLine& line : loaded.set.lines) {
        loaded.lineRun.push_back(runOfLine(line, request.runs));
        styles.push_back(loaded.lineRun.back() >= 0 ? request.runs[static_cast<std::size_t>(loaded.lineRun.back())].style : 0);
    }
    loaded.content = curveContent(loaded.set, styles);
    loaded.content.xLabel = tr("length T (tokens)");
    titleLines(loaded, request);
    for (const std::string& title : loaded.set.missing) loaded.missing << QString::fromStdString(title);
    for (const std::string& problem : loaded.set.problems) loaded.problems << QString::fromStdString(problem);
    // Papers state perplexities over all tokens.
    if (!loaded.content.series.empty() && !countsKeyTokens(QString::fromStdString(request.protocol))) addPublished(loaded, request.published);
    return loaded;
}

/// Geometric middles of the bins: they are spaced evenly on the logarithmic axis.
CurveSeries positionSeries(const lw::Evaluation& evaluation, const CurveRun& run) {
    CurveSeries series;
    series.style = run.style;
    for (std::size_t b = 0; b < evaluation.position_loss.size() && b + 1 < evaluation.position_edges.size(); ++b) {
        if (!std::isfinite(evaluation.position_loss[b])) continue;
        const auto from = static_cast<double>(std::max<std::int64_t>(1, evaluation.position_edges[b]));
        series.x.push_back(std::sqrt(from * static_cast<double>(evaluation.position_edges[b + 1])));
        series.y.push_back(evaluation.position_loss[b]);
    }
    return series;
}

lw::Result<CurvesLoaded> loadPositions(const CurvesRequest& request) {
    CurvesLoaded loaded;
    loaded.content.yLabel = tr("loss (nats per token)");
    loaded.content.xName = tr("position");
    std::set<std::int64_t> trained, longest;
    const QStringList titles = distinctTitles(request.runs);
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
        const CurveRun& run = request.runs[r];
        const auto found = evaluationOf(run, request);
        if (!found || found->position_loss.empty()) {
            loaded.missing << titles[static_cast<qsizetype>(r)];
            continue;
        }
        loaded.content.series.push_back(positionSeries(*found, run));
        loaded.content.series.back().title = titles[static_cast<qsizetype>(r)];
        loaded.lineRun.push_back(static_cast<int>(r));
        trained.insert(run.trainLength);
        longest.insert(found->points.back().length);
        loaded.set.protocol_line = found->protocol_line;
    }
    QStringList lengths;
    for (const std::int64_t length : longest) lengths << integerText(length);
    loaded.content.xLabel = tr("position in texts of %1 tokens").arg(lengths.join(tr(" or ")));
    for (const std::int64_t length : trained) loaded.content.marks.push_back({static_cast<double>(length), tr("trained at L = %1").arg(integerText(length))});
    return loaded;
}

/// Bins beyond L at their distance from it: with contexts of this many more tokens than the longest in training.
CurveSeries beyondSeries(const lw::Evaluation& evaluation, const CurveRun& run) {
    CurveSeries series;
    series.style = run.style;
    for (std::size_t b = 0; b < evaluation.boundary_loss.size() && b + 1 < evaluation.boundary_edges.size(); ++b) {
        const std::int64_t from = evaluation.boundary_edges[b] - run.trainLength, last = evaluation.boundary_edges[b + 1] - 1 - run.trainLength;
        if (from < 1 || !std::isfinite(evaluation.boundary_loss[b])) continue;
        series.x.push_back(std::sqrt(static_cast<double>(from) * static_cast<double>(last)));
        series.y.push_back(evaluation.boundary_loss[b]);
    }
    return series;
}

lw::Result<CurvesLoaded> loadBeyond(const CurvesRequest& request) {
    CurvesLoaded loaded;
    loaded.content.yLabel = tr("loss (nats per token)");
    loaded.content.xName = tr("beyond L");
    std::set<std::int64_t> trained;
    const QStringList titles = distinctTitles(request.runs);
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
        const CurveRun& run = request.runs[r];
        const QString& title = titles[static_cast<qsizetype>(r)];
        const auto found = evaluationOf(run, request);
        CurveSeries series = found ? beyondSeries(*found, run) : CurveSeries{};
        if (series.x.empty()) {
            const bool older = found && lw::lacks_boundary_loss(*found, run.trainLength);
            (older ? loaded.older : found && !found->position_loss.empty() ? loaded.within : loaded.missing) << title;
            continue;
        }
        series.title = title;
        loaded.content.series.push_back(std::move(series));
        loaded.lineRun.push_back(static_cast<int>(r));
        trained.insert(run.trainLength);
        loaded.set.protocol_line = found->protocol_line;
    }
    QStringList lengths;
    for (const std::int64_t length : trained) lengths << integerText(length);
    loaded.content.xLabel = tr("tokens before the scored one beyond the training length L = %1").arg(lengths.join(tr(" or ")));
    return loaded;
}

lw::Result<CurvesLoaded> loadTraining(const CurvesRequest& request) {
    CurvesLoaded loaded;
    loaded.content.xLabel = tr("step");
    loaded.content.yLabel = tr("loss (nats per token); solid: training, dashed: validation");
    loaded.content.xName = tr("step");
    loaded.content.logTwoX = false;
    const QStringList titles = distinctTitles(request.runs);
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
        const CurveRun& run = request.runs[r];
        const auto log = lw::read_log(run.folder);
        if (!log.ok() || log.value().empty()) {
            loaded.missing << titles[static_cast<qsizetype>(r)];
            continue;
        }
        CurveSeries training, validation;
        training.style = validation.style = run.style;
        training.faint = true;
        training.markers = validation.markers = false;
        validation.dashed = true;
        validation.title = titles[static_cast<qsizetype>(r)];
        training.name = tr("%1, training").arg(validation.title);
        validation.name = tr("%1, validation").arg(validation.title);
        for (const lw::LogPoint& point : log.value()) {
            training.x.push_back(static_cast<double>(point.step));
            training.y.push_back(point.loss);
            if (!point.validation_loss) continue;
            validation.x.push_back(static_cast<double>(point.step));
            validation.y.push_back(*point.validation_loss);
        }
        if (validation.x.empty()) training.title = validation.title;
        for (CurveSeries* series : {&training, &validation}) {
            if (series->x.empty()) continue;
            loaded.content.series.push_back(*series);
            loaded.lineRun.push_back(static_cast<int>(r));
        }
    }
    return loaded;
}

lw::CurveLine lineOf(const lw::Evaluation& evaluation, const CurveRun& run) {
    lw::CurveLine line;
    line.title = run.title.toStdString();
    line.runs = {run.evaluations.string()};
    line.train_length = run.trainLength;
    for (const lw::LengthPoint& point : evaluation.points) {
        line.length.push_back(static_cast<double>(point.length));
        line.value.push_back(point.perplexity);
        line.low.push_back(point.low);
        line.high.push_back(point.high);
        line.tokens.push_back(static_cast<double>(point.tokens));
        if (point.candidates > 0) line.candidates.push_back(static_cast<double>(point.candidates));
    }
    line.band = tr("bootstrap over documents").toStdString();
    return line;
}

}  // namespace

void mergeFresh(lw::CurveSet& set, const CurvesRequest& request) {
    for (const auto& [key, fresh] : request.fresh) {
        if (fresh.protocol.protocol != request.protocol || fresh.points.empty()) continue;
        const auto run = std::find_if(request.runs.begin(), request.runs.end(), [&](const CurveRun& r) { return r.key == key; });
        if (run == request.runs.end()) continue;
        const auto line = std::find_if(set.lines.begin(), set.lines.end(), [&](const lw::CurveLine& l) { return runOfLine(l, {*run}) >= 0; });
        // A mean over seeds waits for the end: one seed's first points are no part of it yet.
        if (line != set.lines.end() && line->seeds > 1) continue;
        const lw::CurveLine newer = lineOf(fresh, *run);
        if (line != set.lines.end()) *line = newer;
        else set.lines.push_back(newer);
        std::erase(set.missing, newer.title);
        if (set.protocol_line.empty()) set.protocol_line = fresh.protocol_line;
    }
}

/// Seeds of one recipe are one line: it is the current one when any of them is.
void markCurrent(CurvesLoaded& loaded) {
    for (std::size_t s = 0; s < loaded.content.series.size(); ++s) {
        const int index = s < loaded.lineRun.size() ? loaded.lineRun[s] : -1;
        bool current = index >= 0 && loaded.runs[static_cast<std::size_t>(index)].current;
        if (s < loaded.set.lines.size())
            for (const std::size_t run : runsOfLine(loaded.set.lines[s], loaded.runs)) current = current || loaded.runs[run].current;
        loaded.content.series[s].bold = current && !loaded.content.series[s].faint;
    }
}

lw::Result<CurvesLoaded> loadCurves(const CurvesRequest& asked) {
    CurvesRequest request = asked;
    auto loaded = request.mode == CurvesMode::perplexity ? loadPerplexity(request) : request.mode == CurvesMode::training ? loadTraining(request) : request.beyond ? loadBeyond(request) : loadPositions(request);
    if (!loaded.ok()) return loaded;
    loaded.value().mode = request.mode;
    loaded.value().beyond = request.beyond && request.mode == CurvesMode::position;
    loaded.value().runs = request.runs;
    markCurrent(loaded.value());
    findGroups(loaded.value());
    return loaded;
}

}  // namespace lw::ui
