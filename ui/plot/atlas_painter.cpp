/// See atlas_painter.h.
#include "ui/plot/atlas_painter.h"

#include "ui/plot/atlas_labels.h"

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

constexpr double kDot = 4.5, kStop = 2.2;
constexpr double kFaint = 0.2;
constexpr double kLeastLocality = 0.5;  // shown of either sign, whatever the dots
constexpr double kPad = 0.06;

void paintRows(QPainter& painter, const AtlasView& view, const PlotTheme& theme) {
    const QRectF& area = view.area;
    const double line = QFontMetricsF(theme.caption).height();
    const auto ticks = atlasTicks(view, static_cast<int>(area.height() / (line * 1.8)));
    for (const double tick : ticks) {
        const double y = view.pixel({0, tick}).y();
        painter.setPen(QPen(tick == 0 ? theme.axis : theme.grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(area.left() - 126, y - line / 2, 120, line), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), view.up->tickText(tick, ticks));
    }
}

void paintColumns(QPainter& painter, const AtlasView& view, const PlotTheme& theme) {
    const QRectF& area = view.area;
    const QFontMetricsF metrics(theme.caption);
    const auto ticks = localityTicks(view, static_cast<int>(area.width() / (metrics.horizontalAdvance(QStringLiteral("−0.999")) * 2)));
    for (const double tick : ticks) {
        const double x = view.pixel({tick, 0}).x();
        painter.setPen(QPen(tick == 0 ? theme.axis : theme.grid, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(x - 40, area.bottom() + 3, 80, metrics.height()), static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), view.across->tickText(tick, ticks));
    }
}

/// Both say their scale where it is not linear; where the room is small the measure has its short name, so that the scale stays.
void paintTitles(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme) {
    const QRectF& area = view.area;
    const QFontMetricsF metrics(theme.caption);
    painter.setPen(theme.secondary);
    const QString across = scaledTitle(content.xLabel, *view.across);
    const QString ends = QStringLiteral("← %1   %2   %3 →").arg(QCoreApplication::translate("Atlas", "first token"), across, QCoreApplication::translate("Atlas", "itself"));
    const QRectF below(area.left() - 30, area.bottom() + 4 + metrics.height(), area.width() + 36, metrics.height() + 2);
    painter.drawText(below, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), metrics.horizontalAdvance(ends) <= below.width() ? ends : across);
    painter.save();
    painter.translate(area.left() - atlasMargins(content, theme).left() + 2, area.center().y());
    painter.rotate(-90);
    const QRectF beside(-area.height() / 2 - 20, 0, area.height() + 26, metrics.height());
    const QString up = scaledTitle(content.yLabel, *view.up);
    const QString fitting = metrics.horizontalAdvance(up) <= beside.width() ? up : scaledTitle(content.yShort, *view.up);
    painter.drawText(beside, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop), metrics.elidedText(fitting, Qt::ElideRight, beside.width()));
    painter.restore();
}

void paintFrame(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme) {
    painter.setFont(theme.caption);
    paintRows(painter, view, theme);
    paintColumns(painter, view, theme);
    paintTitles(painter, content, view, theme);
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

void paintLabels(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme, const AtlasMarks& marks) {
    painter.setFont(theme.caption);
    for (const AtlasLabel& label : placeAtlasLabels(content, view, QFontMetricsF(theme.caption), marks)) {
        const bool marked = static_cast<int>(label.dot) == marks.hovered || static_cast<int>(label.dot) == marks.selected;
        if (!label.leader.isNull()) {
            painter.setPen(QPen(theme.secondary, 0.6));
            painter.drawLine(label.leader);
        }
        painter.setPen(marked ? theme.text : theme.secondary);
        painter.drawText(label.box, static_cast<int>(Qt::AlignCenter | Qt::TextDontClip), atlasName(content.dots[label.dot]));
    }
}

}  // namespace

QPointF AtlasView::pixel(QPointF value) const {
    const double x = (across->stretched(value.x()) - left) / (right - left), y = (up->stretched(value.y()) - low) / (high - low);
    return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

AtlasView atlasView(const AtlasContent& content, const QRectF& area) {
    double left = content.across->stretched(-kLeastLocality), right = content.across->stretched(kLeastLocality), low = content.up->stretched(0), high = low;
    for (const AtlasDot& dot : content.dots)
        for (const AtlasPlace& place : dot.way) {
            const double x = content.across->stretched(place.at.x()), y = content.up->stretched(place.at.y());
            left = std::min(left, x);
            right = std::max(right, x);
            low = std::min(low, y);
            high = std::max(high, y);
        }
    if (!(low < high)) high = low + 1;
    const double aside = kPad * (right - left), above = kPad * (high - low);
    // A share or an entropy has nothing below 0.
    if (low < 0) low -= above;
    return {area, left - aside, right + aside, low, high + above, content.across, content.up};
}

std::vector<double> atlasTicks(const AtlasView& view, int about) { return view.up->ticks(view.low, view.high, about); }

std::vector<double> localityTicks(const AtlasView& view, int about) { return view.across->ticks(view.left, view.right, about); }

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
    const double numbers = metrics.horizontalAdvance(content.up->name[0] != '\0' ? QStringLiteral("−1,000") : QStringLiteral("0.00"));
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
