/// Lines, their intervals and the marks of a curve scene.
#include "ui/plot/curve_scene.h"

#include "ui/plot/end_labels.h"
#include "ui/plot/line_painter.h"
#include "ui/plot/qcp.h"
#include "ui/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lw::ui {

namespace {

QCPScatterStyle marker(const PlotTheme& theme, const CurveSeries& series, const QColor& colour) {
    static constexpr std::array shapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare, QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle};
    const auto round = static_cast<std::size_t>(std::max(0, series.style) / theme::runColourCount()) % shapes.size();
    return QCPScatterStyle(shapes[round], QPen(colour, 1.5), QBrush(theme.background), series.bold ? 7.5 : 6.5);
}

constexpr std::size_t kSmoothPoints = 4000;

/// A graph whose long smooth lines are drawn quickly; in vector files as ever.
class LineGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override {
        const bool thin = painter->pen().widthF() <= 1;  // drawn quickly as it is
        if (thin || !antialiased() || painter->modes().testFlag(QCPPainter::pmVectorized)) return QCPGraph::drawLinePlot(painter, lines);
        applyDefaultAntialiasingHint(painter);
        const auto gap = [](QPointF point) { return !std::isfinite(point.x()) || !std::isfinite(point.y()); };
        for (auto begin = lines.begin(); begin != lines.end();) {
            const auto end = std::find_if(begin, lines.end(), gap);
            if (end - begin > 1) paintLine(*painter, QPolygonF(QVector<QPointF>(begin, end)));
            begin = std::find_if_not(end, lines.end(), gap);
        }
    }
};

}  // namespace

/// Values that cannot be drawn leave a gap.
QVector<QCPGraphData> CurveScene::points(const CurveSeries& series) const {
    QVector<QCPGraphData> made;
    made.reserve(static_cast<qsizetype>(series.x.size()));
    for (std::size_t i = 0; i < series.x.size(); ++i) made.append({series.x[i], usable(series.y[i], m_logY) ? series.y[i] : std::numeric_limits<double>::quiet_NaN()});
    return made;
}

QPointF CurveScene::lastPoint(const CurveSeries& series) const {
    for (std::size_t i = series.y.size(); i-- > 0;)
        if (usable(series.y[i], m_logY)) return {series.x[i], series.y[i]};
    return {std::nan(""), std::nan("")};
}

void CurveScene::addSeries(std::size_t index) {
    const CurveSeries& series = m_content.series[index];
    QCPGraph* graph = new LineGraph(m_plot->xAxis, m_plot->yAxis);  // the plot owns it
    QPen pen = m_theme.runPen(series.style, series.bold ? 2.4 : 1.5);
    if (series.faint) {
        QColor colour = pen.color();
        colour.setAlphaF(0.5F);
        pen.setColor(colour);
        pen.setWidthF(1);
    }
    if (series.dashed) pen.setStyle(Qt::DashLine);
    graph->setPen(pen);
    graph->setName(series.title);
    graph->data()->set(points(series), true);
    graph->setAntialiased(series.x.size() < kSmoothPoints);
    if (series.markers) graph->setScatterStyle(marker(m_theme, series, pen.color()));
    if (!series.line) graph->setLineStyle(QCPGraph::lsNone);
    if (series.hasIntervals() && m_intervals != Intervals::none) addIntervals(series, graph);
    m_graphs[index] = graph;
    addFilled(series, pen.color());
    if (const QPointF end = lastPoint(series); !series.title.isEmpty() && !std::isnan(end.x())) m_labels->add(series.title, end, m_theme, series);
}

/// A second time, over the hollow ones of the line.
void CurveScene::addFilled(const CurveSeries& series, const QColor& colour) {
    if (!series.markers || series.filled.size() != series.x.size()) return;
    QVector<QCPGraphData> made;
    for (std::size_t i = 0; i < series.x.size(); ++i)
        if (series.filled[i] != 0 && usable(series.y[i], m_logY)) made.append({series.x[i], series.y[i]});
    if (made.isEmpty()) return;
    QCPGraph* graph = m_plot->addGraph();
    QCPScatterStyle style = marker(m_theme, series, colour);
    style.setBrush(colour);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(style);
    graph->data()->set(made, true);
}

bool CurveScene::onlyValuesDiffer(const CurveContent& c) const {
    const auto labelled = [this](const CurveSeries& s) { return !s.title.isEmpty() && !std::isnan(lastPoint(s).x()); };
    const auto same = [&](const CurveSeries& a, const CurveSeries& b) {
        return a.title == b.title && a.style == b.style && a.markers == b.markers && a.bold == b.bold && a.faint == b.faint && a.line == b.line && a.dashed == b.dashed && a.filled == b.filled && a.filled.empty() && !a.hasIntervals() && !b.hasIntervals() &&
               labelled(a) == labelled(b) && (a.x.size() < kSmoothPoints) == (b.x.size() < kSmoothPoints);
    };
    const auto sameMark = [](const CurveMark& a, const CurveMark& b) { return a.x == b.x && a.text == b.text; };
    const CurveContent& own = m_content;
    return !empty() && std::ranges::equal(own.series, c.series, same) && std::ranges::equal(own.marks, c.marks, sameMark) && own.xLabel == c.xLabel && own.yLabel == c.yLabel &&
           own.logTwoX == c.logTwoX && m_graphs.size() == own.series.size() &&
           std::ranges::any_of(c.series, [this](const CurveSeries& s) { return !std::isnan(lastPoint(s).x()); });
}

void CurveScene::setValues() {
    std::size_t label = 0;
    for (const bool bold : {false, true}) {
        for (std::size_t i = 0; i < m_content.series.size(); ++i) {
            const CurveSeries& series = m_content.series[i];
            if (series.bold != bold) continue;
            m_graphs[i]->data()->set(points(series), true);
            if (const QPointF end = lastPoint(series); !series.title.isEmpty() && !std::isnan(end.x())) m_labels->move(label++, end);
        }
    }
}

/// So few that the bands of all can be told apart.
bool CurveScene::fewLines() const {
    const auto with = std::count_if(m_content.series.begin(), m_content.series.end(), [](const CurveSeries& series) { return series.hasIntervals(); });
    return with <= static_cast<std::ptrdiff_t>(kFewLines);
}

bool CurveScene::intervalsShown(std::size_t series) const {
    if (m_intervals != Intervals::few) return m_intervals != Intervals::none;
    return fewLines() || m_content.series[series].bold || static_cast<int>(series) == m_hovered;
}

bool CurveScene::setHovered(int series) {
    if (series == m_hovered) return false;
    m_hovered = series;
    if (m_intervals != Intervals::few || fewLines()) return false;
    for (const Band& band : m_bands)
        for (QCPGraph* edge : {band.low, band.high}) edge->setVisible(intervalsShown(band.series));
    return true;
}

void CurveScene::addIntervals(const CurveSeries& series, QCPGraph* graph) {
    if (m_intervals != Intervals::bars) return addBand(series);
    auto* bars = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    bars->setDataPlottable(graph);
    bars->setPen(QPen(graph->pen().color(), 1));
    bars->setWhiskerWidth(5);
    bars->setSymbolGap(6);
    QVector<double> minus, plus;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        minus.append(series.y[i] - series.low[i]);
        plus.append(series.high[i] - series.y[i]);
    }
    bars->setData(minus, plus);
}

void CurveScene::addBand(const CurveSeries& series) {
    QVector<double> x, low, high;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        if (!usable(series.low[i], m_logY) || !usable(series.high[i], m_logY)) continue;
        x.append(series.x[i]);
        low.append(series.low[i]);
        high.append(series.high[i]);
    }
    QCPGraph* lower = m_plot->addGraph();
    QCPGraph* upper = m_plot->addGraph();
    for (QCPGraph* edge : {lower, upper}) {
        edge->setLayer(QStringLiteral("bands"));
        edge->setPen(Qt::NoPen);
        edge->setVisible(intervalsShown(indexOf(series)));
    }
    lower->setData(x, low, true);
    upper->setData(x, high, true);
    QColor fill = m_theme.run(series.style);
    fill.setAlphaF(0.2F);
    upper->setBrush(fill);
    upper->setChannelFillGraph(lower);
    m_bands.push_back({indexOf(series), lower, upper});
}

void CurveScene::addMark(const CurveMark& mark) {
    auto* line = new QCPItemStraightLine(m_plot);
    line->setLayer(QStringLiteral("bands"));
    line->setPen(QPen(m_theme.secondary, 1, Qt::DashLine));
    line->point1->setCoords(mark.x, 1);
    line->point2->setCoords(mark.x, 2);
    auto* text = new QCPItemText(m_plot);
    text->setLayer(QStringLiteral("bands"));
    text->setClipToAxisRect(false);
    text->setText(mark.text);
    text->setFont(m_theme.caption);
    text->setColor(m_theme.secondary);
    text->setPadding({});
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    text->position->setType(QCPItemPosition::ptAbsolute);
    m_marks.push_back(text);
}

/// A line of small type and a gap: what draws the text rounds its box up.
int CurveScene::markRowHeight() const { return QFontMetrics(m_theme.caption).height() + 2; }

/// Names of marks stand above the axes, where neither curves nor other marks run through them, each in a row of its own.
void CurveScene::placeMarks() {
    const QCPAxisRect* rect = m_plot->axisRect();
    const QFontMetrics metrics(m_theme.caption);
    for (std::size_t m = 0; m < m_marks.size(); ++m) {
        const double x = m_plot->xAxis->coordToPixel(m_content.marks[m].x);
        const double most = m_plot->viewport().right() - metrics.horizontalAdvance(m_content.marks[m].text) - 4;
        const auto below = static_cast<double>(m_marks.size() - 1 - m) * markRowHeight();
        m_marks[m]->setVisible(x >= rect->left() - 1 && x <= rect->right() + 1);
        m_marks[m]->position->setCoords(std::max(4.0, std::min(x, most)), rect->top() - 2 - below);
    }
}

}  // namespace lw::ui
