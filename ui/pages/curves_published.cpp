/// See curves_published.h.
#include "ui/pages/curves_published.h"

#include <QCoreApplication>

namespace lw::ui {

namespace {

CurveSeries seriesOf(const lw::PublishedSeries& published) {
    CurveSeries series;
    series.title = QCoreApplication::translate("CurvesPage", "%1, published").arg(QString::fromStdString(published.title));
    for (const lw::PublishedPoint& point : published.points) {
        series.x.push_back(static_cast<double>(point.length));
        series.y.push_back(point.perplexity);
    }
    series.faint = true;
    series.line = false;
    return series;
}

}  // namespace

QString publishedWords(const lw::PublishedSet& set) {
    const QString certainty = set.certainty == "stated" ? QCoreApplication::translate("CurvesPage", "Stated in the paper's text") : QCoreApplication::translate("CurvesPage", "Second-hand");
    return QStringLiteral("%1 %2: %3. %4").arg(QString::fromStdString(set.source), certainty, QString::fromStdString(set.protocol), QString::fromStdString(set.note));
}

void addPublished(CurvesLoaded& loaded, const std::string& id) {
    if (id.empty()) return;
    const auto set = lw::published_set(id);
    if (!set.ok()) return;
    for (const lw::PublishedSeries& published : set.value().series) {
        CurveSeries series = seriesOf(published);
        // The method's own colour, where a line of it is drawn.
        for (std::size_t i = 0; i < loaded.set.lines.size(); ++i)
            if (loaded.set.lines[i].title == published.title) series.style = loaded.content.series[i].style;
        loaded.content.series.push_back(std::move(series));
        loaded.lineRun.push_back(-1);
    }
    if (!set.value().series.empty()) loaded.note = QStringLiteral("%1: %2").arg(QString::fromStdString(set.value().title), publishedWords(set.value())).trimmed();
}

}  // namespace lw::ui
