/// Mouse, wheel and keys of the heat map. Left drag pans, Shift + drag zooms into a box, the wheel zooms about the mouse,
/// double-click shows everything.
#include "ui/plot/heat_map.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QRubberBand>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {
constexpr std::int64_t kKeySteps = 128;  // of the crosshair across what is seen
}

void HeatMap::hoverAt(QPointF position) {
    const auto cell = m_geometry.cellAt(position);
    if (!cell) {
        if (m_crosshair) Q_EMIT hoverLeft();
        return setCrosshair(std::nullopt);
    }
    if (m_crosshair == cell) return;
    setCrosshair(cell);
    Q_EMIT hovered(cell->query, cell->key);
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (m_band->isVisible()) {
        m_band->setGeometry(QRect(m_pressed.toPoint(), at.toPoint()).normalized());
        return;
    }
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        if (!m_dragging && (at - m_pressed).manhattanLength() < 5) return;
        m_dragging = true;
        hideReadOut();
        setCursor(Qt::ClosedHandCursor);
        const MapWindow before = m_geometry.window;
        m_geometry.pan(at - m_lastMouse);
        m_lastMouse = at;
        if (!(m_geometry.window == before)) announce();
        return;
    }
    hoverAt(at);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_lastMouse = event->position();
    m_dragging = false;
    if (event->button() == Qt::LeftButton && (event->modifiers() & Qt::ShiftModifier)) {
        m_band->setGeometry(QRect(m_pressed.toPoint(), QSize()));
        m_band->show();
    }
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    if (m_band->isVisible()) {
        const QRect box = m_band->geometry();
        m_band->hide();
        if (box.width() < 6 || box.height() < 6) return;
        const auto cells = [](double from, double to) { return CellRange{static_cast<std::int64_t>(std::floor(from)), static_cast<std::int64_t>(std::ceil(to))}; };
        m_geometry.show(cells(m_geometry.queryAt(box.top()), m_geometry.queryAt(box.bottom())), cells(m_geometry.keyAt(box.left()), m_geometry.keyAt(box.right())));
        return announce();
    }
    if (m_dragging || event->button() != Qt::LeftButton) {
        m_dragging = false;
        return;
    }
    if (const auto cell = m_geometry.cellAt(event->position())) Q_EMIT cellClicked(cell->query, cell->key);
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent*) { fit(); }

void HeatMap::wheelEvent(QWheelEvent* event) {
    if (!m_geometry.area.contains(event->position())) return event->ignore();
    const double steps = event->angleDelta().y() / 120.0;
    if (steps == 0) return event->ignore();
    const MapWindow before = m_geometry.window;
    m_geometry.zoom(event->position(), std::pow(1.25, steps));
    event->accept();
    if (!(m_geometry.window == before)) announce();
}

void HeatMap::leaveEvent(QEvent*) {
    if (m_crosshair) Q_EMIT hoverLeft();
    setCrosshair(std::nullopt);
}

/// Arrows move the crosshair about a pixel's worth of cells, with Ctrl the part that is seen. Shift leaves them to the page.
bool HeatMap::arrowKey(QKeyEvent* event) {
    int across = 0, down = 0;
    switch (event->key()) {
        case Qt::Key_Left: across = -1; break;
        case Qt::Key_Right: across = 1; break;
        case Qt::Key_Up: down = -1; break;
        case Qt::Key_Down: down = 1; break;
        default: return false;
    }
    if (event->modifiers() & Qt::ShiftModifier) return false;
    if (event->modifiers() & Qt::ControlModifier) {
        const MapWindow before = m_geometry.window;
        m_geometry.pan(QPointF(-across * m_geometry.area.width(), -down * m_geometry.area.height()) / 8);
        if (!(m_geometry.window == before)) announce();
        return true;
    }
    const CellRange queries = m_geometry.visibleQueries(), keys = m_geometry.visibleKeys();
    const std::int64_t stride = std::max<std::int64_t>(1, keys.size() / kKeySteps);
    const MapCell from = m_crosshair.value_or(MapCell{(queries.begin + queries.end) / 2, (keys.begin + keys.end) / 2});
    const MapCell to{std::clamp(from.query + down * stride, queries.begin, queries.end - 1), std::clamp(from.key + across * stride, keys.begin, keys.end - 1)};
    setCrosshair(to);
    Q_EMIT hovered(to.query, to.key);
    return true;
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    const MapWindow before = m_geometry.window;
    if (arrowKey(event)) return;
    switch (event->key()) {
        case Qt::Key_Return: case Qt::Key_Enter:
            if (!m_crosshair) return QWidget::keyPressEvent(event);
            Q_EMIT cellClicked(m_crosshair->query, m_crosshair->key);
            return;
        case Qt::Key_Plus: case Qt::Key_Equal: m_geometry.zoom(m_geometry.area.center(), 1.5); break;
        case Qt::Key_Minus: m_geometry.zoom(m_geometry.area.center(), 1 / 1.5); break;
        case Qt::Key_0: case Qt::Key_Home: m_geometry.fit(); break;
        case Qt::Key_Escape:
            if (!m_crosshair) return QWidget::keyPressEvent(event);
            Q_EMIT hoverLeft();
            return setCrosshair(std::nullopt);
        default: return QWidget::keyPressEvent(event);
    }
    if (!(m_geometry.window == before)) announce();
}

void HeatMap::resizeEvent(QResizeEvent*) { place(); }

void HeatMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    m_theme = PlotTheme::fromPalette(palette());
    m_picture.setScale(m_scale, m_theme.masked.rgb());
    place();
    update();
}

void HeatMap::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy image and numbers"), this, &HeatMap::copyToClipboard);
    menu.addAction(tr("Export figure…"), this, &HeatMap::exportRequested);
    menu.addSeparator();
    menu.addAction(tr("Show everything"), this, &HeatMap::fit);
    Q_EMIT menuAboutToShow(&menu);
    menu.exec(event->globalPos());
}

}  // namespace lw::ui
