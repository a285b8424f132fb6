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

/// The lines of the set in the colours of their runs.
void drawSet(CurvesLoaded& loaded, const CurvesRequest& request) {
    std::vector<int> styles;
    for (const lw::CurveLine& line : loaded.set.lines) {
        loaded.lineRun.push_back(runOfLine(line, request.runs));
        styles.push_back(loaded.lineRun.back() >= 0 ? request.runs[static_cast<std::size_t>(loaded.lineRun.back())].style : 0);
    }
    loaded.content = curveContent(loaded.set, styles);
    titleLines(loaded, request);
    for (const std::string& problem : loaded.set.problems) loaded.problems << QString::fromStdString(problem);
}

std::vector<std::filesystem::path> foldersOf(const CurvesRequest& request) {
    std::vector<std::filesystem::path> folders;
    for (const CurveRun& run : request.runs) folders.push_back(run.evaluations);
    return folders;
}

lw::Result<CurvesLoaded> loadPerplexity(CurvesRequest& request) {
    auto set = lw::perplexity_curves(foldersOf(request), request.protocol, request.groupSeeds);
    if (!set.ok()) return set.error();
    CurvesLoaded loaded;
    loaded.set = std::move(set).value();
    nameByFolder(loaded.set, request);
    mergeFresh(loaded.set, request);
    readSettings(loaded.set, request);
    sortByEnd(loaded.set.lines);
    sortByGroup(loaded.set.lines, request);
    drawSet(loaded, request);
    loaded.content.xLabel = tr("length T (tokens)");
    for (const std::string& title : loaded.set.missing) loaded.missing << QString::fromStdString(title);
    // Papers state perplexities over all tokens.
    if (!loaded.content.series.empty() && !countsKeyTokens(QString::fromStdString(request.protocol))) addPublished(loaded, request.published);
    return loaded;
}

/// Runs without a line: by what they lack. A run that is there twice lacks nothing.
void sortMissing(CurvesLoaded& loaded, const CurvesRequest& request) {
    std::set<std::size_t> drawn;
    for (const lw::CurveLine& line : loaded.set.lines)
        for (const std::size_t run : runsOfLine(line, request.runs)) drawn.insert(run);
    const QStringList titles = distinctTitles(request.runs);
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
        if (drawn.contains(r)) continue;
        const auto found = evaluationOf(request.runs[r], request);
        const QString& title = titles[static_cast<qsizetype>(r)];
        if (!found) loaded.missing << title;
        else if (request.beyond && lw::lacks_boundary_loss(*found, request.runs[r].trainLength)) loaded.older << title;
        else if (request.beyond && found->boundary_loss.empty()) loaded.within << title;
    }
}

/// The first letter is small, as on the page's other axes.
QString axisText(const std::string& label) {
    QString text = QString::fromStdString(label);
    return text.isEmpty() ? text : text.replace(0, 1, text.front().toLower());
}

/// Seeds of a recipe are one line, as for perplexity. What is still being measured has no losses by position before its end.
lw::Result<CurvesLoaded> loadPositions(const CurvesRequest& request) {
    auto set = lw::position_curves(foldersOf(request), request.protocol, request.beyond ? lw::PositionOrigin::training_length : lw::PositionOrigin::start, request.groupSeeds);
    if (!set.ok()) return set.error();
    CurvesLoaded loaded;
    loaded.set = std::move(set).value();
    nameByFolder(loaded.set, request);
    drawSet(loaded, request);
    sortMissing(loaded, request);
    loaded.content.trainLength = 0;
    loaded.content.xLabel = axisText(loaded.set.x_label);
    loaded.content.yLabel = tr("loss (nats per token)");
    loaded.content.xName = request.beyond ? tr("beyond L") : tr("position");
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
    auto loaded = request.mode == CurvesMode::perplexity ? loadPerplexity(request) : request.mode == CurvesMode::training ? loadTraining(request) : loadPositions(request);
    if (!loaded.ok()) return loaded;
    loaded.value().mode = request.mode;
    loaded.value().beyond = request.beyond && request.mode == CurvesMode::position;
    loaded.value().runs = request.runs;
    markCurrent(loaded.value());
    findGroups(loaded.value());
    return loaded;
}

}  // namespace lw::ui
