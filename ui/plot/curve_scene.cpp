/// See curve_scene.h. Lines, intervals and marks are drawn in curve_scene_lines.cpp.
#include "ui/plot/curve_scene.h"

#include "ui/plot/end_labels.h"
#include "ui/plot/qcp_tickers.h"
#include "ui/theme.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lw::ui {

namespace {

constexpr int kMostTicks = 16, kMostShareTicks = 6;  // of the upright axis
constexpr double kMarkerRoom = 6;  // pixels: half of the largest marker with its outline

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

bool CurveScene::usable(double y, bool log) { return std::isfinite(y) && (!log || y > 0); }

CurveScene::CurveScene(QCustomPlot* plot) : QObject(plot), m_plot(plot), m_theme(PlotTheme::fromPalette(plot->palette())), m_labels(std::make_unique<EndLabels>(plot)) {
    plot->setNoAntialiasingOnDrag(false);
    plot->setAutoAddPlottableToLegend(false);
    plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    plot->addLayer(QStringLiteral("bands"), plot->layer(QStringLiteral("grid")), QCustomPlot::limAbove);
    connect(plot, &QCustomPlot::afterLayout, this, [this] {
        m_laidOutWidth = m_plot->viewport().width();
        m_labels->place();
        placeMarks();
    });
    style();
}

void CurveScene::setTheme(const PlotTheme& theme) {
    m_theme = theme;
    rebuild();
}

void CurveScene::setContent(const CurveContent& content) {
    const bool sameAxes = content.xLabel == m_content.xLabel && content.yLabel == m_content.yLabel && content.logTwoX == m_content.logTwoX;
    const bool keep = sameAxes && zoomed();
    const bool values = onlyValuesDiffer(content);
    m_content = content;
    if (values) {
        setValues();
    } else {
        m_hovered = -1;
        rebuild();
    }
    if (!keep) fit();
}

void CurveScene::refit() {
    reserveLabels();
    if (!zoomed()) fit();
}

/// By the size the plot is about to have: the column of names is shortened in a narrow one. A plot that is not seen yet has its size before its
/// viewport has.
void CurveScene::reserveLabels() { m_plot->axisRect()->setMargins(QMargins(0, 0, m_labels->room(m_plot->width()), 0)); }

std::vector<QRectF> CurveScene::labelRects() const { return m_labels->rects(); }

bool CurveScene::zoomed() const {
    const QCPRange x = m_plot->xAxis->range(), y = m_plot->yAxis->range();
    return m_fitted && *m_fitted != std::array{x.lower, x.upper, y.lower, y.upper};
}

bool CurveScene::empty() const {
    return std::none_of(m_content.series.begin(), m_content.series.end(), [this](const CurveSeries& series) {
        return std::any_of(series.y.begin(), series.y.end(), [this](double y) { return usable(y, m_logY); });
    });
}

void CurveScene::setLogY(bool log) {
    if (log == m_logY) return;
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
    const int names = static_cast<int>(m_content.marks.size()) * markRowHeight();
    const int top = names + (m_title.isEmpty() ? 8 : 16 + QFontMetrics(m_theme.title).height());
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
    // By the plot's own size: the axes' is that of the replot before, which after a change of size is the wrong one.
    const auto across = [this, room = metrics.horizontalAdvance(QStringLiteral("00,000")) + 40] { return std::clamp((m_plot->viewport().width() - 2 * room) / room, 2, 8); };
    // An axis whose ends are known beforehand (shares, 0 to 1) is read at a glance with few numbers.
    const int most = m_content.yRange ? kMostShareTicks : kMostTicks;
    const auto down = [this, most, room = metrics.height() * 2] { return std::clamp((m_plot->viewport().height() - 2 * room) / room, 2, most); };
    m_plot->xAxis->setTicker(logX ? lengthTicker([this] { return axisWidth(); }, [metrics](const QString& text) { return metrics.horizontalAdvance(text); }) : linearTicker(across));
    m_plot->yAxis->setTicker(m_logY ? logTicker(down) : linearTicker(down));
    m_plot->xAxis->setLabel(m_content.xLabel);
    m_plot->yAxis->setLabel(m_content.yLabel);
    // Numbers on the axes of a plot without a single point would be invented.
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTicks(!empty());
        axis->setTickLabels(!empty());
        axis->grid()->setVisible(!empty());
    }
}

/// Of the x axis, in pixels. Before the first layout at a size it is estimated: the axes' own is that of the size before.
double CurveScene::axisWidth() const {
    const QCPAxisRect* rect = m_plot->axisRect();
    const int viewport = m_plot->viewport().width();
    if (m_laidOutWidth == viewport) return std::max(40, rect->width());
    return std::max(40, viewport - m_labels->room(viewport) - 70);
}

void CurveScene::rebuild() {
    m_plot->clearPlottables();
    m_graphs.assign(m_content.series.size(), nullptr);
    m_labels->clear();
    m_marks.clear();
    m_bands.clear();
    m_laidOutWidth = 0;
    m_plot->clearItems();
    style();
    setScales();
    for (const CurveMark& mark : m_content.marks) addMark(mark);
    const auto addAll = [this](bool bold) {
        for (std::size_t i = 0; i < m_content.series.size(); ++i)
            if (m_content.series[i].bold == bold) addSeries(i);
    };
    addAll(false);
    addAll(true);  // the current run lies on top
    reserveLabels();
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
            if (!series.hasIntervals() || !intervalsShown(indexOf(series))) continue;
            include(series.low[i]);
            include(series.high[i]);
        }
    }
    if (!(lowX <= highX) || !(lowY <= highY)) return;
    for (const CurveMark& mark : m_content.marks) {
        lowX = std::min(lowX, mark.x);
        highX = std::max(highX, mark.x);
    }
    if (m_content.yRange && !m_logY) std::tie(lowY, highY) = *m_content.yRange;
    // Markers at the first and the last length must not be cut, however narrow the plot is.
    const double width = axisWidth();
    m_plot->xAxis->setRange(padded(lowX, highX, m_content.logTwoX, std::max(0.015, kMarkerRoom / std::max(width - 2 * kMarkerRoom, 1.0))));
    m_plot->yAxis->setRange(padded(lowY, highY, m_logY, m_content.yRange && !m_logY ? 0.02 : 0.05));
    const QCPRange x = m_plot->xAxis->range(), y = m_plot->yAxis->range();
    m_fitted = {x.lower, x.upper, y.lower, y.upper};
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
