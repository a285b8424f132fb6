/// See curve_scene.h.
#include "ui/plot/curve_scene.h"

#include "ui/plot/end_labels.h"
#include "ui/plot/qcp_tickers.h"
#include "ui/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lw::ui {

namespace {

QCPScatterStyle marker(const PlotTheme& theme, const CurveSeries& series, const QColor& colour) {
    static constexpr std::array shapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare, QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle};
    const auto round = static_cast<std::size_t>(std::max(0, series.style) / theme::runColourCount()) % shapes.size();
    return QCPScatterStyle(shapes[round], QPen(colour, 1.5), QBrush(theme.background), series.bold ? 7.5 : 6.5);
}

bool usable(double y, bool log) { return std::isfinite(y) && (!log || y > 0); }

QCPRange padded(double low, double high, bool log, double share) {
    if (log) {
        const double pad = std::pow(std::max(high / low, 1.05), share);
        return {low / pad, high * pad};
    }
    const double pad = std::max(high - low, std::abs(high) * 1e-3 + 1e-9) * share;
    return {low - pad, high + pad};
}

}  // namespace

CurveScene::~CurveScene() = default;

CurveScene::CurveScene(QCustomPlot* plot) : QObject(plot), m_plot(plot), m_theme(PlotTheme::fromPalette(plot->palette())), m_labels(std::make_unique<EndLabels>(plot)) {
    plot->setNoAntialiasingOnDrag(false);
    plot->setAutoAddPlottableToLegend(false);
    plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    plot->addLayer(QStringLiteral("bands"), plot->layer(QStringLiteral("grid")), QCustomPlot::limAbove);
    connect(plot, &QCustomPlot::afterLayout, this, [this] { m_labels->place(); });
    style();
}

void CurveScene::setTheme(const PlotTheme& theme) {
    m_theme = theme;
    rebuild();
}

void CurveScene::setContent(const CurveContent& content) {
    m_content = content;
    rebuild();
    fit();
}

void CurveScene::setLogY(bool log) {
    m_logY = log;
    rebuild();
    fit();
}

void CurveScene::setIntervals(Intervals intervals) {
    m_intervals = intervals;
    rebuild();
}

void CurveScene::setTitle(const QString& title) {
    m_title = title;
    rebuild();
}

void CurveScene::style() {
    m_plot->setBackground(QBrush(m_theme.background));
    QCPAxisRect* rect = m_plot->axisRect();
    const int top = m_title.isEmpty() ? 8 : 16 + QFontMetrics(m_theme.title).height();
    rect->setAutoMargins(QCP::msLeft | QCP::msBottom | QCP::msTop);
    rect->setMinimumMargins(QMargins(0, top, 0, 0));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabelFont(m_theme.caption);
        axis->setTickLabelColor(m_theme.secondary);
        axis->setLabelFont(m_theme.caption);
        axis->setLabelColor(m_theme.secondary);
        axis->setBasePen(axis == m_plot->xAxis ? QPen(m_theme.grid, 1) : QPen(Qt::NoPen));
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelPadding(6);
        axis->setLabelPadding(6);
        axis->grid()->setPen(axis == m_plot->yAxis ? QPen(m_theme.grid, 1) : QPen(Qt::NoPen));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(false);
    }
    m_plot->xAxis2->setVisible(false);
    m_plot->yAxis2->setVisible(false);
}

void CurveScene::setScales() {
    const bool logX = m_content.logTwoX;
    m_plot->xAxis->setScaleType(logX ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setScaleType(m_logY ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const QFontMetrics metrics(m_theme.caption);
    const auto across = [this, room = metrics.horizontalAdvance(QStringLiteral("00,000")) + 40] { return std::clamp(m_plot->axisRect()->width() / room, 2, 8); };
    const auto down = [this, room = metrics.height() * 2] { return std::clamp(m_plot->axisRect()->height() / room, 2, 16); };
    m_plot->xAxis->setTicker(logX ? lengthTicker() : linearTicker(across));
    m_plot->yAxis->setTicker(m_logY ? logTicker(down) : linearTicker(down));
    m_plot->xAxis->setLabel(m_content.xLabel);
    m_plot->yAxis->setLabel(m_content.yLabel);
}

void CurveScene::rebuild() {
    m_plot->clearPlottables();
    m_labels->clear();
    m_plot->clearItems();
    style();
    setScales();
    for (const CurveMark& mark : m_content.marks) addMark(mark);
    const auto addAll = [this](bool bold) {
        for (const CurveSeries& series : m_content.series)
            if (series.bold == bold) addSeries(series);
    };
    addAll(false);
    addAll(true);  // the current run lies on top
    m_plot->axisRect()->setMargins(QMargins(0, 0, std::max(16, m_labels->width() + 30), 0));
    const auto line = [this](const QColor& colour, const std::optional<double>& x) {
        auto* item = new QCPItemStraightLine(m_plot);
        item->setLayer(QStringLiteral("overlay"));
        item->setPen(QPen(colour, 1));
        item->setVisible(x.has_value());
        if (x) {
            item->point1->setCoords(*x, 1);
            item->point2->setCoords(*x, 2);
        }
        return item;
    };
    m_selected = line(m_theme.accent, m_selectedX);
    m_cursor = line(m_theme.secondary, m_cursorX);
    if (!m_title.isEmpty()) {
        auto* text = new QCPItemText(m_plot);
        text->setClipToAxisRect(false);
        text->setText(m_title);
        text->setFont(m_theme.title);
        text->setColor(m_theme.text);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        text->position->setType(QCPItemPosition::ptAbsolute);
        text->position->setCoords(10, 8);
    }
}

void CurveScene::addSeries(const CurveSeries& series) {
    QVector<double> x, y;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        x.append(series.x[i]);
        y.append(usable(series.y[i], m_logY) ? series.y[i] : std::numeric_limits<double>::quiet_NaN());
    }
    QCPGraph* graph = m_plot->addGraph();
    QPen pen = m_theme.runPen(series.style, series.bold ? 2.4 : 1.5);
    if (series.faint) {
        QColor colour = pen.color();
        colour.setAlphaF(0.5F);
        pen.setColor(colour);
        pen.setWidthF(1);
    }
    graph->setPen(pen);
    graph->setName(series.title);
    graph->setData(x, y, true);
    graph->setAntialiased(x.size() < 4000);
    if (series.markers) graph->setScatterStyle(marker(m_theme, series, pen.color()));
    if (series.hasIntervals() && m_intervals != Intervals::none) addIntervals(series, graph);
    for (std::size_t i = series.y.size(); i-- > 0 && !series.title.isEmpty();) {
        if (!usable(series.y[i], m_logY)) continue;
        m_labels->add(series.title, {series.x[i], series.y[i]}, m_theme, series);
        break;
    }
}

void CurveScene::addIntervals(const CurveSeries& series, QCPGraph* graph) {
    if (m_intervals == Intervals::bars) {
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
        return;
    }
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
    }
    lower->setData(x, low, true);
    upper->setData(x, high, true);
    QColor fill = m_theme.run(series.style);
    fill.setAlphaF(0.2F);
    upper->setBrush(fill);
    upper->setChannelFillGraph(lower);
}

void CurveScene::addMark(const CurveMark& mark) {
    auto* line = new QCPItemStraightLine(m_plot);
    line->setLayer(QStringLiteral("bands"));
    line->setPen(QPen(m_theme.secondary, 1, Qt::DashLine));
    line->point1->setCoords(mark.x, 1);
    line->point2->setCoords(mark.x, 2);
    auto* text = new QCPItemText(m_plot);
    text->setLayer(QStringLiteral("bands"));
    text->setText(mark.text);
    text->setFont(m_theme.caption);
    text->setColor(m_theme.secondary);
    text->setPadding(QMargins(6, 2, 2, 2));
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(mark.x, 0);
}

void CurveScene::fit() {
    double lowX = HUGE_VAL, highX = -HUGE_VAL, lowY = HUGE_VAL, highY = -HUGE_VAL;
    const auto include = [&](double y) {
        if (!usable(y, m_logY)) return;
        lowY = std::min(lowY, y);
        highY = std::max(highY, y);
    };
    for (const CurveSeries& series : m_content.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!usable(series.y[i], m_logY)) continue;
            lowX = std::min(lowX, series.x[i]);
            highX = std::max(highX, series.x[i]);
            include(series.y[i]);
            if (!series.hasIntervals() || m_intervals == Intervals::none) continue;
            include(series.low[i]);
            include(series.high[i]);
        }
    }
    if (!(lowX <= highX) || !(lowY <= highY)) return;
    for (const CurveMark& mark : m_content.marks) {
        lowX = std::min(lowX, mark.x);
        highX = std::max(highX, mark.x);
    }
    m_plot->xAxis->setRange(padded(lowX, highX, m_content.logTwoX, 0.015));
    m_plot->yAxis->setRange(padded(lowY, highY, m_logY, 0.05));
}

void CurveScene::setCursor(std::optional<double> x) {
    m_cursorX = x;
    if (!m_cursor) return;
    m_cursor->setVisible(x.has_value());
    if (x) {
        m_cursor->point1->setCoords(*x, 1);
        m_cursor->point2->setCoords(*x, 2);
    }
    m_plot->layer(QStringLiteral("overlay"))->replot();
}

void CurveScene::setSelected(std::optional<double> x) {
    m_selectedX = x;
    if (!m_selected) return;
    m_selected->setVisible(x.has_value());
    if (x) {
        m_selected->point1->setCoords(*x, 1);
        m_selected->point2->setCoords(*x, 2);
    }
    m_plot->layer(QStringLiteral("overlay"))->replot();
}

std::optional<double> CurveScene::nearestX(double pixel) const {
    std::optional<double> best;
    double distance = HUGE_VAL;
    for (const CurveSeries& series : m_content.series) {
        for (const double x : series.x) {
            const double d = std::abs(m_plot->xAxis->coordToPixel(x) - pixel);
            if (d < distance) {
                distance = d;
                best = x;
            }
        }
    }
    return best;
}

int CurveScene::nearestSeries(double x, double pixel) const {
    int best = -1;
    double distance = HUGE_VAL;
    for (std::size_t s = 0; s < m_content.series.size(); ++s) {
        const CurveSeries& series = m_content.series[s];
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (series.x[i] != x || !usable(series.y[i], m_logY)) continue;
            const double d = std::abs(m_plot->yAxis->coordToPixel(series.y[i]) - pixel);
            if (d < distance) {
                distance = d;
                best = static_cast<int>(s);
            }
        }
    }
    return best;
}

}  // namespace lw::ui
