/// See curves_data.h.
#include "ui/pages/curves_data.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("CurvesPage", text); }

int runOfLine(const lw::CurveLine& line, const std::vector<CurveRun>& runs) {
    for (const std::string& name : line.runs)
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (runs[i].id == name || runs[i].folder.string() == name) return static_cast<int>(i);
    return -1;
}

bool sameRun(const CurveRun& run, const std::string& name) { return run.id == name || run.folder.string() == name; }

/// Best at its longest length first; lines that end earlier come after those that go on.
void sortByEnd(std::vector<lw::CurveLine>& lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const lw::CurveLine& a, const lw::CurveLine& b) {
        if (a.length.empty() || b.length.empty()) return b.length.empty() && !a.length.empty();
        if (a.length.back() != b.length.back()) return a.length.back() > b.length.back();
        return a.value.back() < b.value.back();
    });
}

lw::Result<CurvesLoaded> loadPerplexity(const CurvesRequest& request) {
    std::vector<std::filesystem::path> folders;
    for (const CurveRun& run : request.runs) folders.push_back(run.folder);
    auto set = lw::perplexity_curves(folders, request.protocol, request.groupSeeds);
    if (!set.ok()) return set.error();
    CurvesLoaded loaded;
    loaded.set = std::move(set).value();
    mergeFresh(loaded.set, request);
    sortByEnd(loaded.set.lines);
    std::vector<int> styles;
    for (const lw::CurveLine& line : loaded.set.lines) {
        loaded.lineRun.push_back(runOfLine(line, request.runs));
        styles.push_back(loaded.lineRun.back() >= 0 ? request.runs[static_cast<std::size_t>(loaded.lineRun.back())].style : 0);
    }
    loaded.content = curveContent(loaded.set, styles);
    loaded.content.xLabel = tr("length T (tokens)");
    for (const std::string& title : loaded.set.missing) loaded.missing << QString::fromStdString(title);
    return loaded;
}

/// Geometric middles of the bins: they are spaced evenly on the logarithmic axis.
CurveSeries positionSeries(const lw::Evaluation& evaluation, const CurveRun& run) {
    CurveSeries series;
    series.title = run.title;
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
    loaded.content.xLabel = tr("position in the text (tokens)");
    loaded.content.yLabel = tr("loss (nats per token)");
    loaded.content.xName = tr("position");
    std::set<std::int64_t> trained;
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
        const CurveRun& run = request.runs[r];
        auto evaluations = lw::read_evaluations(run.folder);
        if (!evaluations.ok()) return evaluations.error();
        std::vector<lw::Evaluation> all = std::move(evaluations).value();
        for (const lw::Evaluation& fresh : request.fresh)
            if (sameRun(run, fresh.run)) all.push_back(fresh);
        const auto found = std::find_if(all.rbegin(), all.rend(), [](const lw::Evaluation& e) { return !e.position_loss.empty(); });
        if (found == all.rend()) {
            loaded.missing << run.title;
            continue;
        }
        loaded.content.series.push_back(positionSeries(*found, run));
        loaded.lineRun.push_back(static_cast<int>(r));
        trained.insert(run.trainLength);
    }
    for (const std::int64_t length : trained) loaded.content.marks.push_back({static_cast<double>(length), tr("trained at L = %1").arg(integerText(length))});
    return loaded;
}

lw::Result<CurvesLoaded> loadTraining(const CurvesRequest& request) {
    CurvesLoaded loaded;
    loaded.content.xLabel = tr("step");
    loaded.content.yLabel = tr("loss (nats per token); thin: training, bold: validation");
    loaded.content.xName = tr("step");
    loaded.content.logTwoX = false;
    for (std::size_t r = 0; r < request.runs.size(); ++r) {
        const CurveRun& run = request.runs[r];
        const auto log = lw::read_log(run.folder);
        if (!log.ok() || log.value().empty()) {
            loaded.missing << run.title;
            continue;
        }
        CurveSeries training, validation;
        training.style = validation.style = run.style;
        training.faint = true;
        training.markers = validation.markers = false;
        validation.title = run.title;
        for (const lw::LogPoint& point : log.value()) {
            training.x.push_back(static_cast<double>(point.step));
            training.y.push_back(point.loss);
            if (!point.validation_loss) continue;
            validation.x.push_back(static_cast<double>(point.step));
            validation.y.push_back(*point.validation_loss);
        }
        if (validation.x.empty()) training.title = run.title;
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
    line.runs = {run.id};
    line.train_length = run.trainLength;
    for (const lw::LengthPoint& point : evaluation.points) {
        line.length.push_back(static_cast<double>(point.length));
        line.value.push_back(point.perplexity);
        line.low.push_back(point.low);
        line.high.push_back(point.high);
        line.tokens.push_back(static_cast<double>(point.tokens));
    }
    line.band = tr("bootstrap over documents").toStdString();
    return line;
}

}  // namespace

void mergeFresh(lw::CurveSet& set, const CurvesRequest& request) {
    for (const lw::Evaluation& fresh : request.fresh) {
        if (fresh.protocol.protocol != request.protocol || fresh.points.empty()) continue;
        const auto run = std::find_if(request.runs.begin(), request.runs.end(), [&](const CurveRun& r) { return sameRun(r, fresh.run); });
        if (run == request.runs.end()) continue;
        const auto line = std::find_if(set.lines.begin(), set.lines.end(), [&](const lw::CurveLine& l) { return runOfLine(l, {*run}) >= 0; });
        // A mean over seeds is not touched by one of them: it changes when the evaluation is saved.
        if (line != set.lines.end() && line->seeds > 1) continue;
        const lw::CurveLine newer = lineOf(fresh, *run);
        if (line != set.lines.end()) *line = newer;
        else set.lines.push_back(newer);
        std::erase(set.missing, newer.title);
        if (set.protocol_line.empty()) set.protocol_line = fresh.protocol_line;
    }
}

void markCurrent(CurvesLoaded& loaded, const std::vector<CurveRun>& runs) {
    for (std::size_t s = 0; s < loaded.content.series.size(); ++s) {
        const int index = s < loaded.lineRun.size() ? loaded.lineRun[s] : -1;
        bool current = index >= 0 && runs[static_cast<std::size_t>(index)].current;
        // Seeds of one recipe are one line: it is the current one when any of them is.
        if (index >= 0 && !current && loaded.mode == CurvesMode::perplexity && s < loaded.set.lines.size() && loaded.set.lines[s].seeds > 1) {
            for (const CurveRun& run : runs) current = current || (run.current && run.group == runs[static_cast<std::size_t>(index)].group);
        }
        loaded.content.series[s].bold = current && !loaded.content.series[s].faint;
    }
}

lw::Result<CurvesLoaded> loadCurves(const CurvesRequest& request) {
    auto loaded = request.mode == CurvesMode::perplexity ? loadPerplexity(request) : request.mode == CurvesMode::position ? loadPositions(request) : loadTraining(request);
    if (!loaded.ok()) return loaded;
    loaded.value().mode = request.mode;
    markCurrent(loaded.value(), request.runs);
    return loaded;
}

lw::Result<ReferenceTable> loadReference(const std::vector<std::filesystem::path>& runs, const std::string& protocol, const QString& reference) {
    ReferenceTable table;
    const auto compared = lw::compare(runs, protocol);
    if (!compared.ok()) {
        table.problem = QString::fromStdString(compared.error().message);
        return table;
    }
    for (const lw::Comparison& comparison : compared.value()) {
        table.reference = reference;
        const bool first = comparison.a == reference.toStdString();
        table.cells[{first ? comparison.b : comparison.a, comparison.length}] = comparison;
    }
    return table;
}

}  // namespace lw::ui
