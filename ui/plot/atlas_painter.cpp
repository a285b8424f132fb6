/// See atlas_painter.h.
#include "ui/plot/atlas_painter.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lw::ui {

namespace {

constexpr double kLinearTo = 0.25;  // nats: |C| below it counts as flat
constexpr double kDot = 4.5, kStop = 2.2;
constexpr double kFaint = 0.2;

double stretched(double value, bool bothSigns) { return bothSigns ? std::asinh(value / kLinearTo) : value; }
double unstretched(double value, bool bothSigns) { return bothSigns ? std::sinh(value) * kLinearTo : value; }

QString tickText(double tick, const AtlasView& view, const std::vector<double>& ticks) {
    if (!view.bothSigns) return numberText(tick, tickDecimals(ticks));
    return tick == 0 ? QStringLiteral("0") : (tick > 0 ? QStringLiteral("+") : QString()) + numberText(tick, std::abs(tick) < 1 ? 2 : 0);
}

void paintFrame(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme) {
    const QRectF& area = view.area;
    const QFontMetricsF metrics(theme.caption);
    painter.setFont(theme.caption);
    const auto up = atlasTicks(view, static_cast<int>(area.height() / (metrics.height() * 1.8)));
    for (const double tick : up) {
        const double y = view.pixel({0, tick}).y();
        painter.setPen(QPen(tick == 0 ? theme.axis : theme.grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(area.left() - 126, y - metrics.height() / 2, 120, metrics.height()), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), tickText(tick, view, up));
    }
    for (const double tick : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const double x = view.pixel({tick, 0}).x();
        painter.setPen(QPen(tick == 0 ? theme.axis : theme.grid, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(x - 40, area.bottom() + 3, 80, metrics.height()), static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), signedText(tick, 1));
    }
    const QString ends = QStringLiteral("← %1   %2   %3 →").arg(QCoreApplication::translate("Atlas", "first token"), content.xLabel, QCoreApplication::translate("Atlas", "itself"));
    const QRectF below(area.left() - 30, area.bottom() + 4 + metrics.height(), area.width() + 36, metrics.height() + 2);
    painter.drawText(below, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), metrics.horizontalAdvance(ends) <= below.width() ? ends : content.xLabel);
    painter.save();
    painter.translate(area.left() - atlasMargins(content, theme).left() + 2, area.center().y());
    painter.rotate(-90);
    const QRectF beside(-area.height() / 2 - 20, 0, area.height() + 26, metrics.height());
    painter.drawText(beside, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), metrics.elidedText(content.yLabel, Qt::ElideRight, beside.width()));
    painter.restore();
}

void paintWay(QPainter& painter, const AtlasDot& dot, const AtlasView& view, const PlotTheme& theme, bool strong) {
    if (dot.way.size() < 2) return;
    QColor colour = theme.headClass(dot.way.back().headClass.toStdString());
    if (!strong) colour.setAlphaF(0.5F);
    QPolygonF line;
    for (const AtlasPlace& place : dot.way) line << view.pixel(place.at);
    painter.setPen(QPen(colour, strong ? 1.8 : 1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    for (std::size_t n = 0; n + 1 < dot.way.size(); ++n) {
        painter.setBrush(theme.headClass(dot.way[n].headClass.toStdString()));
        painter.drawEllipse(view.pixel(dot.way[n].at), kStop, kStop);
    }
}

void paintDot(QPainter& painter, const AtlasDot& dot, const AtlasView& view, const PlotTheme& theme, bool marked) {
    const QPointF at = view.pixel(dot.way.back().at);
    painter.setPen(QPen(theme.background, 1));
    painter.setBrush(theme.headClass(dot.way.back().headClass.toStdString()));
    painter.drawEllipse(at, kDot, kDot);
    if (!marked) return;
    painter.setPen(QPen(theme.text, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, kDot + 2, kDot + 2);
}

bool isFaint(const AtlasDot& dot, const QString& filter) { return !filter.isEmpty() && dot.way.back().headClass != filter; }

/// Indices of dots in the order in which they are painted: faint ones first, what is under the mouse and what is chosen above all.
std::vector<std::size_t> fromBelow(const AtlasContent& content, const AtlasMarks& marks) {
    std::vector<std::size_t> order(content.dots.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t n) {
        const int index = static_cast<int>(n);
        return index == marks.hovered ? 3 : index == marks.selected ? 2 : isFaint(content.dots[n], marks.filter) ? 0 : 1;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return order;
}

/// Beside its dot, at the first of four sides where no other label or dot is; nowhere when all are taken. Faint dots have none, and those that
/// stand out choose first.
void paintLabels(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme, const AtlasMarks& marks) {
    const QFontMetricsF metrics(theme.caption);
    std::vector<QRectF> taken;
    for (const AtlasDot& dot : content.dots) {
        if (isFaint(dot, marks.filter)) continue;
        const QPointF at = view.pixel(dot.way.back().at);
        taken.emplace_back(at.x() - kDot, at.y() - kDot, 2 * kDot, 2 * kDot);
    }
    painter.setFont(theme.caption);
    std::vector<std::size_t> order = fromBelow(content, marks);
    std::reverse(order.begin(), order.end());
    for (const std::size_t n : order) {
        const AtlasDot& dot = content.dots[n];
        const bool marked = static_cast<int>(n) == marks.hovered || static_cast<int>(n) == marks.selected;
        if (isFaint(dot, marks.filter) && !marked) continue;
        painter.setPen(marked ? theme.text : theme.secondary);
        const QString text = QStringLiteral("%1.%2").arg(dot.layer).arg(dot.head);
        const QPointF at = view.pixel(dot.way.back().at);
        const QSizeF size(metrics.horizontalAdvance(text) + 2, metrics.ascent());
        const double away = kDot + (marked ? 4 : 2);
        for (const QPointF corner : {QPointF(at.x() + away, at.y() - size.height() / 2), QPointF(at.x() - away - size.width(), at.y() - size.height() / 2),
                                     QPointF(at.x() - size.width() / 2, at.y() - away - size.height()), QPointF(at.x() - size.width() / 2, at.y() + away)}) {
            const QRectF box(corner, size);
            const bool free = view.area.adjusted(0, 0, 4, 0).contains(box) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
            if (!free) continue;
            painter.drawText(box, static_cast<int>(Qt::AlignCenter | Qt::TextDontClip), text);
            taken.push_back(box);
            break;
        }
    }
}

}  // namespace

QPointF AtlasView::pixel(QPointF value) const {
    const double bottom = stretched(low, bothSigns), top = stretched(high, bothSigns);
    return {area.left() + (value.x() + 1) / 2 * area.width(), area.bottom() - (stretched(value.y(), bothSigns) - bottom) / (top - bottom) * area.height()};
}

AtlasView atlasView(const AtlasContent& content, const QRectF& area) {
    AtlasView view{area, 0, 0, content.bothSigns};
    for (const AtlasDot& dot : content.dots)
        for (const AtlasPlace& place : dot.way) {
            view.low = std::min(view.low, place.at.y());
            view.high = std::max(view.high, place.at.y());
        }
    double low = stretched(view.low, view.bothSigns), high = stretched(view.high, view.bothSigns);
    if (!(low < high)) high = low + 1;
    const double pad = 0.06 * (high - low);
    // A share or an entropy has nothing below 0.
    if (low < 0) low -= pad;
    view.low = unstretched(low, view.bothSigns);
    view.high = unstretched(high + pad, view.bothSigns);
    return view;
}

std::vector<double> atlasTicks(const AtlasView& view, int about) {
    if (!view.bothSigns) return linearTicks(view.low, view.high, std::clamp(about, 2, 8));
    // From 0 outwards on either side, so that numbers of a wide range do not stand on each other.
    const double apart = (stretched(view.high, true) - stretched(view.low, true)) / std::max(about, 2) * 0.6;
    std::vector<double> ticks{0};
    for (const double sign : {-1.0, 1.0}) {
        double last = 0;
        for (const double size : {kLinearTo, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5}) {
            const double tick = sign * size, place = stretched(tick, true);
            if (tick < view.low || tick > view.high || std::abs(place - last) < apart) continue;
            ticks.push_back(tick);
            last = place;
        }
    }
    std::sort(ticks.begin(), ticks.end());
    return ticks;
}

int nearestDot(const AtlasContent& content, const AtlasView& view, QPointF pixel, double reach, const QString& filter) {
    int nearest = -1;
    bool faint = true;
    double best = reach;
    for (std::size_t n = 0; n < content.dots.size(); ++n) {
        const QPointF away = view.pixel(content.dots[n].way.back().at) - pixel;
        const double distance = std::hypot(away.x(), away.y());
        const bool below = isFaint(content.dots[n], filter);
        if (distance > reach || (below && !faint) || (below == faint && distance > best)) continue;
        best = distance;
        faint = below;
        nearest = static_cast<int>(n);
    }
    return nearest;
}

int neighbourDot(const AtlasContent& content, const AtlasView& view, int from, QPointF direction) {
    const QPointF start = view.pixel(content.dots[static_cast<std::size_t>(from)].way.back().at);
    int nearest = -1;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < content.dots.size(); ++n) {
        const QPointF away = view.pixel(content.dots[n].way.back().at) - start;
        const double along = QPointF::dotProduct(away, direction), aside = std::abs(away.x() * direction.y()) + std::abs(away.y() * direction.x());
        if (static_cast<int>(n) == from || along <= 0) continue;
        // What lies aside counts double: the way that the key points comes first.
        if (along + 2 * aside >= best) continue;
        best = along + 2 * aside;
        nearest = static_cast<int>(n);
    }
    return nearest;
}

QMarginsF atlasMargins(const AtlasContent& content, const PlotTheme& theme) {
    const QFontMetricsF metrics(theme.caption);
    const double numbers = metrics.horizontalAdvance(content.bothSigns ? QStringLiteral("−1,000") : QStringLiteral("0.00"));
    return {metrics.height() + numbers + 12, 6, 12, 2 * metrics.height() + 8};
}

void paintAtlas(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme, const AtlasMarks& marks) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintFrame(painter, content, view, theme);
    const std::vector<std::size_t> order = fromBelow(content, marks);
    const auto each = [&](const auto& paint) {
        for (const std::size_t n : order) {
            painter.setOpacity(isFaint(content.dots[n], marks.filter) ? kFaint : 1);
            paint(content.dots[n], static_cast<int>(n));
        }
        painter.setOpacity(1);
    };
    each([&](const AtlasDot& dot, int n) { paintWay(painter, dot, view, theme, n == marks.hovered || n == marks.selected); });
    each([&](const AtlasDot& dot, int n) { paintDot(painter, dot, view, theme, n == marks.hovered || n == marks.selected); });
    if (marks.labels) paintLabels(painter, content, view, theme, marks);
    painter.restore();
}

double paintAtlasLegend(QPainter* painter, const AtlasContent& content, const PlotTheme& theme, const QRectF& room) {
    const QFontMetricsF metrics(theme.caption);
    double x = room.left(), y = room.top();
    const auto place = [&](double width) {
        if (x > room.left() && x + width > room.right()) {
            x = room.left();
            y += metrics.height() + 2;
        }
        return QPointF(std::exchange(x, x + width + 12), y);
    };
    if (painter != nullptr) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setFont(theme.caption);
    }
    for (const auto& [name, count] : classCounts(content)) {
        const QString text = QStringLiteral("%1 %2").arg(name).arg(count);
        const QPointF at = place(2 * kDot + 4 + metrics.horizontalAdvance(text));
        if (painter == nullptr) continue;
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.headClass(name.toStdString()));
        painter->drawEllipse(QPointF(at.x() + kDot, at.y() + metrics.height() / 2), kDot, kDot);
        painter->setPen(theme.text);
        painter->drawText(QPointF(at.x() + 2 * kDot + 4, at.y() + metrics.ascent()), text);
    }
    if (!content.wayLabel.isEmpty()) {
        const QPointF at = place(metrics.horizontalAdvance(content.wayLabel));
        if (painter != nullptr) {
            painter->setPen(theme.secondary);
            painter->drawText(QPointF(at.x(), at.y() + metrics.ascent()), metrics.elidedText(content.wayLabel, Qt::ElideRight, room.right() - at.x()));
        }
    }
    if (painter != nullptr) painter->restore();
    return y + metrics.height() - room.top();
}

}  // namespace lw::ui
