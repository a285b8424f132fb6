/// See curve_content.h.
#include "ui/plot/curve_content.h"

#include "core/api/evaluation.h"
#include "ui/plot/number_text.h"
#include "ui/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw::ui {

namespace {

bool sameInterval(const lw::CurveLine& line) { return line.low == line.value && line.high == line.value; }

/// Losses while a run trained, as the window draws them: steps on a linear axis, and a run's validation loss dashed in its colour.
void styleTraining(CurveContent& content, const lw::CurveSet& curves, const std::vector<int>& styles) {
    content.logTwoX = false;
    content.xName = QCoreApplication::translate("Curves", "step");
    int runs = -1;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        CurveSeries& series = content.series[i];
        series.dashed = i > 0 && curves.lines[i].runs == curves.lines[i - 1].runs;
        if (!series.dashed) ++runs;
        if (styles.empty()) series.style = theme::runStyle(runs);
        series.markers = false;
    }
}

}  // namespace

CurveContent curveContent(const lw::CurveSet& curves, const std::vector<int>& styles) {
    CurveContent content;
    content.xLabel = QString::fromStdString(curves.x_label);
    content.yLabel = QString::fromStdString(curves.y_label);
    std::set<double> trained;
    for (std::size_t i = 0; i < curves.lines.size(); ++i) {
        const lw::CurveLine& line = curves.lines[i];
        CurveSeries series;
        series.title = QString::fromStdString(line.title);
        series.style = i < styles.size() ? styles[i] : theme::runStyle(static_cast<int>(i));
        series.x = line.length;
        series.y = line.value;
        if (line.band == "chance") {  // no run: what guessing reaches
            series.style = 0;
            series.faint = true;
            series.markers = false;
        }
        if (line.low.size() == line.value.size() && line.high.size() == line.value.size() && !sameInterval(line)) {
            series.low = line.low;
            series.high = line.high;
        }
        content.series.push_back(std::move(series));
        if (line.train_length > 0) trained.insert(static_cast<double>(line.train_length));
    }
    for (const double length : trained)
        content.marks.push_back({length, QCoreApplication::translate("Curves", "trained at L = %1").arg(integerText(std::llround(length)))});
    if (trained.size() == 1) content.trainLength = *trained.begin();
    if (curves.protocol == "task") content.yRange = {0, 1};  // shares, as on the Tasks page
    if (curves.x_label == "Step") styleTraining(content, curves, styles);
    return content;
}

std::vector<QString> seriesNames(const CurveContent& content) {
    std::vector<QString> names;
    for (const CurveSeries& series : content.series) {
        QString name = !series.name.isEmpty() ? series.name : series.title;
        if (name.isEmpty()) name = QCoreApplication::translate("Curves", "line %1").arg(names.size() + 1);
        const QString first = name;
        for (int again = 2; std::find(names.begin(), names.end(), name) != names.end(); ++again) name = QStringLiteral("%1 (%2)").arg(first).arg(again);
        names.push_back(name);
    }
    return names;
}

namespace {

/// As RFC 4180 has it.
QString quoted(QString text, QChar separator) {
    if (!text.contains(separator) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n'))) return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString number(const std::vector<double>& values, std::size_t i) { return i < values.size() && std::isfinite(values[i]) ? QString::number(values[i], 'g', 10) : QString(); }

}  // namespace

QString contentTable(const CurveContent& content, QChar separator) {
    const std::vector<QString> names = seriesNames(content);
    QString text = quoted(content.xLabel.isEmpty() ? content.xName : content.xLabel, separator);
    std::set<double> xs;
    for (std::size_t s = 0; s < names.size(); ++s) {
        text += separator + quoted(names[s], separator);
        if (content.series[s].hasIntervals()) text += separator + quoted(names[s] + QStringLiteral(" low"), separator) + separator + quoted(names[s] + QStringLiteral(" high"), separator);
        xs.insert(content.series[s].x.begin(), content.series[s].x.end());
    }
    for (const double x : xs) {
        text += QLatin1Char('\n') + QString::number(x, 'g', 10);
        for (const CurveSeries& series : content.series) {
            const auto i = static_cast<std::size_t>(std::find(series.x.begin(), series.x.end(), x) - series.x.begin());
            text += separator + number(series.y, i);
            if (series.hasIntervals()) text += separator + number(series.low, i) + separator + number(series.high, i);
        }
    }
    return text;
}

std::string contentCsv(const CurveContent& content) { return contentTable(content, QLatin1Char(',')).toStdString() + "\n"; }

}  // namespace lw::ui
