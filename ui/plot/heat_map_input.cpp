/// Mouse, wheel and keys of the heat map. Left drag pans, Shift + drag zooms into a box, the wheel zooms about the mouse,
/// double-click shows everything.
#include "ui/plot/heat_map.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QRubberBand>

#include <cmath>

namespace lw::ui {

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

void HeatMap::keyPressEvent(QKeyEvent* event) {
    const MapWindow before = m_geometry.window;
    switch (event->key()) {
        case Qt::Key_Plus: case Qt::Key_Equal: m_geometry.zoom(m_geometry.area.center(), 1.5); break;
        case Qt::Key_Minus: m_geometry.zoom(m_geometry.area.center(), 1 / 1.5); break;
        case Qt::Key_0: case Qt::Key_Home: m_geometry.fit(); break;
        case Qt::Key_Escape: setCrosshair(std::nullopt); break;
        default: return QWidget::keyPressEvent(event);
    }
    if (!(m_geometry.window == before)) announce();
}

void HeatMap::resizeEvent(QResizeEvent*) { place(); }

void HeatMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    m_theme = PlotTheme::fromPalette(palette());
    place();
    recolour();
}

void HeatMap::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy image and numbers"), this, &HeatMap::copyToClipboard);
    menu.addAction(tr("Export figure…"), this, &HeatMap::exportRequested);
    menu.addSeparator();
    menu.addAction(tr("Show everything"), this, &HeatMap::fit);
    QMenu* maps = menu.addMenu(tr("Colours"));
    const auto ids = isDiverging(m_scale.map) ? std::vector{ColourMapId::blueRed, ColourMapId::purpleGreen} : std::vector{ColourMapId::night, ColourMapId::ink};
    for (const ColourMapId id : ids) {
        QAction* action = maps->addAction(colourMapName(id), this, [this, id] {
            ColourScale scale = m_scale;
            scale.map = id;
            setScale(scale);
        });
        action->setCheckable(true);
        action->setChecked(m_scale.map == id);
    }
    Q_EMIT menuAboutToShow(&menu);
    menu.exec(event->globalPos());
}

}  // namespace lw::ui
