/// See tasks_content.h.
#include "ui/pages/tasks_content.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <set>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("TasksPage", text); }

/// Answers with all their tokens right are a second, fainter line; guessing is a third.
void addSeries(CurveContent& content, const MeasuredTask& run) {
    CurveSeries tokens, whole;
    tokens.title = run.title;
    whole.name = tr("%1, whole answers").arg(run.title);
    tokens.style = whole.style = run.style;
    whole.faint = true;
    for (const lw::TaskPoint& point : run.measured.points) {
        for (CurveSeries* series : {&tokens, &whole}) series->x.push_back(static_cast<double>(point.length));
        tokens.y.push_back(point.token_accuracy);
        tokens.low.push_back(point.low);
        tokens.high.push_back(point.high);
        whole.y.push_back(point.exact_match);
        whole.low.push_back(point.exact_low);
        whole.high.push_back(point.exact_high);
    }
    content.series.push_back(std::move(tokens));
    content.series.push_back(std::move(whole));
}

}  // namespace

CurveContent taskCurves(const std::vector<MeasuredTask>& runs) {
    CurveContent content;
    content.xLabel = tr("length T (tokens)");
    content.yLabel = tr("share right; bold: tokens, thin: whole answers");
    content.yRange = {0, 1};
    CurveSeries chance;
    std::set<std::int64_t> trained;
    for (const MeasuredTask& run : runs) {
        const std::vector<lw::TaskPoint>& points = run.measured.points;
        if (points.empty()) continue;
        addSeries(content, run);
        trained.insert(run.measured.train_length);
        if (points.size() <= chance.x.size()) continue;
        chance.x = content.series.back().x;
        chance.y.assign(chance.x.size(), points.front().chance);
    }
    for (const std::int64_t length : trained) content.marks.push_back({static_cast<double>(length), tr("trained at L = %1").arg(integerText(length))});
    if (trained.size() == 1) content.trainLength = static_cast<double>(*trained.begin());
    if (chance.x.empty()) return content;
    chance.title = tr("chance");
    chance.markers = false;
    chance.faint = true;
    content.series.push_back(std::move(chance));
    return content;
}

/// One line per run: "RoPE: training 1.00, validation 0.99, longer 0.61 (whole answers 1.00, 0.97, 0.12)".
QString taskShares(const std::vector<MeasuredTask>& runs) {
    QStringList lines;
    for (const MeasuredTask& run : runs) {
        const lw::TaskEvaluation& measured = run.measured;
        QStringList names, whole;
        const auto add = [&](const QString& name, double tokens, double exact) {
            names << tr("%1 %2").arg(name, numberText(tokens, 2));
            whole << numberText(exact, 2);
        };
        if (measured.train) add(tr("training"), measured.train->token_accuracy, measured.train->exact_match);
        if (measured.validation) add(tr("validation"), measured.validation->token_accuracy, measured.validation->exact_match);
        const lw::TaskScore longer = lw::generalisation_score(measured.points, measured.train_length);
        if (longer.lengths > 0) add(tr("longer"), longer.token_accuracy, longer.exact_match);
        if (!names.isEmpty()) lines << tr("%1: %2 (whole answers %3)").arg(run.title, names.join(QStringLiteral(", ")), whole.join(QStringLiteral(", ")));
    }
    return lines.join(QLatin1Char('\n'));
}

std::vector<DepthGrid> taskDepths(const std::vector<MeasuredTask>& runs) {
    std::vector<DepthGrid> grids;
    for (const MeasuredTask& run : runs)
        if (DepthGrid grid = depthGrid(run.measured, run.title); !grid.empty()) grids.push_back(std::move(grid));
    return grids;
}

}  // namespace lw::ui
