/// See run_mark.h.
#include "ui/plot/run_mark.h"

#include "ui/theme.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr double kWidth = 1.8;
constexpr double kHalf = 3.2;  // of the marker

/// Shorter than those of the plots: a piece of this length must show a whole dash on both sides of the marker.
QVector<qreal> dashes(int style) {
    switch (theme::runPenStyle(style)) {
        case Qt::DashLine: return {2.2, 1.3};
        case Qt::DotLine: return {0.9, 1.1};
        case Qt::DashDotLine: return {2.0, 0.9, 0.8, 0.9};
        default: return {};
    }
}

void paintShape(QPainter* painter, RunShape shape, QPointF at) {
    const double x = at.x(), y = at.y();
    switch (shape) {
        case RunShape::circle: return painter->drawEllipse(at, kHalf, kHalf);
        case RunShape::square: return painter->drawRect(QRectF(x - kHalf, y - kHalf, 2 * kHalf, 2 * kHalf));
        case RunShape::diamond: return painter->drawPolygon(QPolygonF({{x, y - kHalf - 1}, {x + kHalf + 1, y}, {x, y + kHalf + 1}, {x - kHalf - 1, y}}));
        case RunShape::triangle: return painter->drawPolygon(QPolygonF({{x, y - kHalf - 1}, {x + kHalf + 1, y + kHalf}, {x - kHalf - 1, y + kHalf}}));
    }
}

/// From the marker outwards, so that both sides are alike.
void paintPiece(QPainter* painter, QPointF middle, double direction, const QPen& pen) {
    painter->setPen(pen);
    painter->drawLine(middle + QPointF(direction * (kHalf + 1.5), 0), middle + QPointF(direction * kRunMark.width() / 2.0, 0));
}

}  // namespace

RunShape runShape(int style) { return static_cast<RunShape>((std::max(0, style) / theme::runColourCount()) % 4); }

void paintRunMark(QPainter* painter, const QRect& box, int style, const QPalette& palette) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor colour = theme::runColour(style, theme::isDark(palette));
    QPen pen(colour, kWidth, Qt::SolidLine, Qt::FlatCap);
    if (const QVector<qreal> pattern = dashes(style); !pattern.isEmpty()) pen.setDashPattern(pattern);
    const QPointF middle = QRectF(box).center();
    for (const double direction : {-1.0, 1.0}) paintPiece(painter, middle, direction, pen);
    painter->setPen(QPen(colour, 1.5));
    painter->setBrush(theme::surface(palette));
    paintShape(painter, runShape(style), middle);
    painter->restore();
}

}  // namespace lw::ui
