/// See curve_plot.h.
#include "ui/plot/curve_plot.h"

#include "ui/plot/copy_picture.h"
#include "ui/plot/curve_scene.h"
#include "ui/plot/number_text.h"
#include "ui/plot/qcp.h"
#include "ui/plot/read_out.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw::ui {

namespace {

constexpr int kMarkerReach = 12;  // pixels

QString xText(const CurveContent& content, double x) {
    QString text = QStringLiteral("%1 = %2").arg(content.xName, integerText(std::llround(x)));
    const double times = content.trainLength > 0 ? x / content.trainLength : 0;
    if (times >= 1.5) text += QStringLiteral(" = %1 L").arg(numberText(times, std::abs(times - std::round(times)) < 1e-6 ? 0 : 1));
    return text;
}

std::set<double> allX(const CurveContent& content) {
    std::set<double> x;
    for (const CurveSeries& series : content.series) x.insert(series.x.begin(), series.x.end());
    return x;
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this)), m_scene(new CurveScene(m_plot)), m_readOut(new ReadOut(this)) {
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setMouseTracking(true);
    m_plot->setContextMenuPolicy(Qt::NoContextMenu);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->installEventFilter(this);
    m_readOut->setObjectName(QStringLiteral("curveReadOut"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 160);
    setAccessibleName(tr("Curves"));
}

void CurvePlot::setContent(const CurveContent& content) {
    hideReadOut();
    m_scene->setContent(content);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

const CurveContent& CurvePlot::content() const { return m_scene->content(); }

void CurvePlot::setLogY(bool log) {
    m_scene->setLogY(log);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool CurvePlot::logY() const { return m_scene->logY(); }

void CurvePlot::setIntervals(Intervals intervals) {
    m_scene->setIntervals(intervals);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

Intervals CurvePlot::intervals() const { return m_scene->intervals(); }

void CurvePlot::setFixedTheme(const PlotTheme& theme, const QString& title) {
    m_fixedTheme = true;
    m_scene->setTitle(title);
    m_scene->setTheme(theme);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::setSelected(std::optional<double> x) { m_scene->setSelected(x); }

void CurvePlot::fit() {
    m_scene->fit();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QRectF CurvePlot::shownRange() const {
    const QCPRange x = m_plot->xAxis->range(), y = m_plot->yAxis->range();
    return {x.lower, y.lower, x.size(), y.size()};
}

std::vector<QRectF> CurvePlot::labelRects() const { return m_scene->labelRects(); }

bool CurvePlot::intervalsShown(std::size_t series) const { return m_scene->intervalsShown(series); }

QPointF CurvePlot::pixelOf(double x, double y) const { return {m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y)}; }

void CurvePlot::showReadOut(double x, QPoint near) {
    const CurveContent& all = content();
    const PlotTheme theme = PlotTheme::fromPalette(palette());
    std::vector<std::pair<double, ReadOutRow>> rows;
    for (const CurveSeries& series : all.series) {
        const auto at = std::find(series.x.begin(), series.x.end(), x);
        if (at == series.x.end() || series.title.isEmpty()) continue;
        const auto i = static_cast<std::size_t>(at - series.x.begin());
        if (!std::isfinite(series.y[i])) continue;
        const double low = series.hasIntervals() ? series.low[i] : 0, high = series.hasIntervals() ? series.high[i] : 0;
        rows.push_back({series.y[i], {theme.run(series.style), series.title, estimateText(series.y[i], low, high), intervalText(low, high)}});
    }
    if (rows.empty()) return hideReadOut();
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<ReadOutRow> lines;
    for (auto& row : rows) lines.push_back(std::move(row.second));
    m_readOut->setTheme(theme);
    m_readOut->setContent(xText(all, x), lines);
    m_readOut->showNear(near, rect());
    if (m_hoverX == x) return;
    m_hoverX = x;
    m_scene->setCursor(x);
    Q_EMIT hovered(x);
}

void CurvePlot::hideReadOut() {
    m_readOut->hide();
    if (m_scene->setHovered(-1)) m_plot->replot(QCustomPlot::rpQueuedReplot);
    if (!m_hoverX) return;
    m_hoverX.reset();
    m_scene->setCursor(std::nullopt);
    Q_EMIT hoverLeft();
}

void CurvePlot::hover(QPoint position) {
    const QRect axes = m_plot->axisRect()->rect();
    if (!axes.adjusted(-12, 0, 12, 0).contains(position)) return hideReadOut();
    const auto x = m_scene->nearestX(position.x());
    if (!x) return;
    showReadOut(*x, position);
    if (m_scene->setHovered(m_scene->nearestSeries(*x, position.y()))) m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool CurvePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::MouseMove: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            if (mouse->buttons() == Qt::NoButton) hover(mouse->position().toPoint());
            else if ((mouse->position().toPoint() - m_pressed).manhattanLength() > 4) hideReadOut();
            break;
        }
        case QEvent::MouseButtonPress: m_pressed = static_cast<QMouseEvent*>(event)->position().toPoint(); setFocus(Qt::MouseFocusReason); break;
        case QEvent::MouseButtonRelease: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            const QPoint at = mouse->position().toPoint();
            if (mouse->button() != Qt::LeftButton || (at - m_pressed).manhattanLength() > 4 || !m_plot->axisRect()->rect().contains(at)) break;
            if (const auto x = m_scene->nearestX(at.x())) Q_EMIT lengthClicked(m_scene->nearestSeries(*x, at.y()), *x);
            break;
        }
        case QEvent::MouseButtonDblClick: doubleClick(static_cast<QMouseEvent*>(event)->position().toPoint()); break;
        case QEvent::Leave: hideReadOut(); break;
        default: break;
    }
    return QWidget::eventFilter(watched, event);
}

/// On a marker it is meant for the marker; elsewhere it shows everything again.
void CurvePlot::doubleClick(QPoint position) {
    const auto x = m_scene->nearestX(position.x());
    const int series = x ? m_scene->nearestSeries(*x, position.y()) : -1;
    if (series < 0) return fit();
    const CurveSeries& line = content().series[static_cast<std::size_t>(series)];
    const auto i = static_cast<std::size_t>(std::find(line.x.begin(), line.x.end(), *x) - line.x.begin());
    const QPointF marker(m_plot->xAxis->coordToPixel(*x), m_plot->yAxis->coordToPixel(line.y[i]));
    if (!line.markers || (marker - position).manhattanLength() > kMarkerReach) return fit();
    Q_EMIT lengthActivated(series, *x);
}

void CurvePlot::step(int direction) {
    const std::set<double> xs = allX(content());
    if (xs.empty()) return;
    auto at = m_hoverX ? xs.find(*m_hoverX) : xs.end();
    if (at == xs.end()) at = direction > 0 ? xs.begin() : std::prev(xs.end());
    else if (direction > 0 && std::next(at) != xs.end()) ++at;
    else if (direction < 0 && at != xs.begin()) --at;
    showReadOut(*at, QPoint(static_cast<int>(m_plot->xAxis->coordToPixel(*at)), m_plot->axisRect()->top()));
}

void CurvePlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return step(-1);
        case Qt::Key_Right: return step(1);
        case Qt::Key_Home: case Qt::Key_0: return fit();
        case Qt::Key_Escape: return hideReadOut();
        case Qt::Key_Return: case Qt::Key_Enter:
            if (m_hoverX) Q_EMIT lengthClicked(-1, *m_hoverX);
            return;
        default: QWidget::keyPressEvent(event);
    }
}

void CurvePlot::addIntervalChoices(QMenu* menu) {
    const std::pair<Intervals, QString> choices[] = {{Intervals::few, tr("Bands of up to %1 lines, else of the selected one").arg(kFewLines)},
                                                     {Intervals::bands, tr("Bands of all lines")},
                                                     {Intervals::bars, tr("Error bars")},
                                                     {Intervals::none, tr("None")}};
    for (const auto& [value, text] : choices) {
        QAction* action = menu->addAction(text, this, [this, v = value] {
            setIntervals(v);
            Q_EMIT intervalsChanged();
        });
        action->setCheckable(true);
        action->setChecked(intervals() == value);
    }
}

void CurvePlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy image and numbers"), this, &CurvePlot::copyToClipboard);
    menu.addAction(tr("Export figure…"), this, &CurvePlot::exportRequested);
    menu.addSeparator();
    menu.addAction(tr("Show everything"), this, &CurvePlot::fit);
    addIntervalChoices(menu.addMenu(tr("Intervals")));
    Q_EMIT menuAboutToShow(&menu, m_scene->nearestX(event->pos().x()));
    menu.exec(event->globalPos());
}

void CurvePlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    const bool ours = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange;
    if (!ours || m_fixedTheme) return;
    m_scene->setTheme(PlotTheme::fromPalette(palette()));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::resizeEvent(QResizeEvent*) {
    m_plot->setGeometry(rect());
    m_scene->refit();
    m_plot->replot(QCustomPlot::rpQueuedReplot);  // what was drawn for the new size has the old room for names and the old ranges
}

/// Ticks are chosen for the size the axes had at the last replot: a plot that was never shown gets its size first.
void CurvePlot::render(QCPPainter& painter, QSize size) {
    if (!isVisible()) {
        m_plot->setGeometry(QRect(QPoint(0, 0), size));
        m_plot->setViewport(QRect(QPoint(0, 0), size));  // a hidden widget is told of its size only when it is shown
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
        m_scene->refit();  // for the axes as they came out
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
    }
    m_plot->toPainter(&painter, size.width(), size.height());
}

QImage CurvePlot::image(double scale) {
    QImage picture(size() * scale, QImage::Format_RGB32);
    picture.fill(palette().color(QPalette::Window));
    QCPPainter painter(&picture);
    painter.scale(scale, scale);
    render(painter, size());
    return picture;
}

QString CurvePlot::tableText() const { return contentTable(content(), QLatin1Char('\t')); }

void CurvePlot::copyToClipboard() { copyPicture(image(), size(), [this](QCPPainter& painter) { render(painter, size()); }, tableText()); }

}  // namespace lw::ui
