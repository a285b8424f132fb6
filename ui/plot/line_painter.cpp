/// See line_painter.h.
#include "ui/plot/line_painter.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr qsizetype kPoints = 24;      // of a stripe, about
constexpr double kLeastStripe = 8;     // device pixels
constexpr qsizetype kFew = 2 * kPoints;
constexpr double kFar = 1e6;           // device pixels: nothing out there is seen

/// Onto pixels, moved and scaled at most.
bool stripesDo(const QPainter& painter, const QPolygonF& line) {
    const QPaintEngine* engine = painter.paintEngine();
    const QTransform device = painter.deviceTransform();
    if (line.size() <= kFew || engine == nullptr || engine->type() != QPaintEngine::Raster || painter.pen().style() != Qt::SolidLine) return false;
    if (device.type() > QTransform::TxScale || device.m11() <= 0) return false;
    return std::is_sorted(line.begin(), line.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); });
}

/// How far a point's own ink reaches, joints and caps and smoothed edges included, in the line's units.
double reach(const QPen& pen, double pixel) {
    const bool pointed = pen.joinStyle() == Qt::MiterJoin || pen.joinStyle() == Qt::SvgMiterJoin;
    return 0.5 * std::max(pen.widthF(), pixel) * (pointed ? std::max(1.5, pen.miterLimit()) : 1.5) + pixel;  // 1.5: of a square cap
}

}  // namespace

void paintLine(QPainter& painter, const QPolygonF& line) {
    if (!stripesDo(painter, line)) return painter.drawPolyline(line);
    const QTransform device = painter.deviceTransform();
    const double pixel = 1 / device.m11(), ink = reach(painter.pen(), pixel), far = kFar * pixel;
    const double begin = std::max(line.front().x() - ink, -far), end = std::min(line.back().x() + ink, far);
    // Between two whole device pixels, so that every pixel lies in one stripe.
    const auto edgeAfter = [&](double x) { return (std::ceil(device.map(QPointF(x, 0)).x()) - device.dx()) * pixel; };
    const auto before = [](QPointF point, double x) { return point.x() < x; };
    double left = edgeAfter(begin) - pixel;
    bool more = true;
    for (auto next = std::lower_bound(line.begin(), line.end(), left, before); more;) {
        more = line.end() - next > kPoints && left < end;
        const double right = more ? std::max(edgeAfter((next + kPoints)->x()), left + kLeastStripe * pixel) : edgeAfter(end);
        auto first = std::lower_bound(line.begin(), line.end(), left - ink, before);
        auto last = std::lower_bound(first, line.end(), right + ink, before);
        // Segments that begin or end farther away reach in as well.
        if (first != line.begin()) --first;
        if (last != line.end()) ++last;
        painter.save();
        painter.setClipRect(QRectF(left, -far, right - left, 2 * far), Qt::IntersectClip);
        if (last - first > 1) painter.drawPolyline(&*first, static_cast<int>(last - first));
        painter.restore();
        next = std::lower_bound(next, line.end(), right, before);
        left = right;
    }
}

}  // namespace lw::ui
