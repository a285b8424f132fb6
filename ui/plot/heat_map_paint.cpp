/// Painting of the heat map: on the screen only what changed, in a figure everything.
#include "ui/plot/heat_map.h"

#include "ui/plot/copy_picture.h"
#include "ui/plot/number_text.h"
#include "ui/plot/qcp.h"
#include "ui/theme.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kBarWidth = 13;
constexpr int kBarGap = 8;
constexpr int kPoint = 8;  // of a colour bar's end that says that values lie beyond

}  // namespace

QMargins HeatMap::room() const {
    const QFontMetrics caption(m_theme.caption), heading(m_theme.title);
    const int numbers = caption.horizontalAdvance(integerText(std::max(m_geometry.queries, m_geometry.keys))) + 14;
    const int bar = kBarGap + kBarWidth + colourBarTextWidth(m_scale, m_theme);
    const int beside = m_queryTitle.isEmpty() ? 0 : caption.height() + 2, below = m_keyTitle.isEmpty() ? 0 : caption.height() + 2;
    return {std::max(m_leftRoom, numbers + beside), m_title.isEmpty() ? 6 : heading.height() + 8, std::max(m_rightRoom, bar), caption.height() + 6 + below};
}

int HeatMap::fittingHeight(int width) const {
    const QMargins around = room();
    const double cells = static_cast<double>(m_geometry.queries) / static_cast<double>(m_geometry.keys);
    return around.top() + around.bottom() + static_cast<int>(std::max(10, width - around.left() - around.right()) * cells);
}

void HeatMap::updateMap() { update(m_geometry.area.toRect()); }

/// Where the numbers of the axes stand, which move with the map.
QRegion HeatMap::axesPlace() const {
    const QRect area = m_geometry.area.toRect();
    const int reach = QFontMetrics(m_theme.caption).height() / 2 + 1;
    return QRegion(0, area.top() - reach, area.left(), area.height() + 2 * reach) + QRect(0, area.bottom() + 1, width(), height() - area.bottom() - 1);
}

QRect HeatMap::barPlace() const {
    const QRect area = m_geometry.area.toRect();
    const int left = area.right() + kBarGap - 1;
    return {left, area.top() - kPoint, width() - left, area.height() + 2 * kPoint};
}

void HeatMap::paintHeader(QPainter& painter) {
    if (m_title.isEmpty()) return;
    const QFontMetrics heading(m_theme.title), caption(m_theme.caption);
    painter.setFont(m_theme.title);
    painter.setPen(m_theme.text);
    const int left = 0;
    painter.drawText(QRect(left, 0, width(), heading.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), m_title);
    const int used = left + heading.horizontalAdvance(m_title) + 16;
    painter.setFont(m_theme.caption);
    painter.setPen(m_theme.secondary);
    // Up to the edge of the colour bar, or in a narrow map of the whole widget; where that is too little, what stands first says which one it is.
    const int bar = static_cast<int>(m_geometry.area.right() + kBarGap + kBarWidth);
    const int end = used + caption.horizontalAdvance(m_note) <= bar ? bar : width();
    const int room = std::max(0, end - used);
    QStringList texts{m_note};
    for (const QString& between : {QStringLiteral(", "), QStringLiteral(" · ")})
        while (texts.last().contains(between)) texts << texts.last().section(between, 0, -2);
    const QString text = theme::fittingText(texts, caption, room);
    painter.drawText(QRect(used, 0, room, heading.height()), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), text);
}

void HeatMap::paintMarks(QPainter& painter) {
    const QRectF& area = m_geometry.area;
    painter.save();
    painter.setClipRect(area.adjusted(-8, 0, 0, 0));
    if (m_markedQuery >= 0) {
        const double y = m_geometry.y(static_cast<double>(m_markedQuery) + 0.5);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.accent);
        painter.drawPolygon(QPolygonF{{area.left() - 7, y - 4}, {area.left() - 1, y}, {area.left() - 7, y + 4}});
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setClipRect(area);
    if (m_crosshair) {
        const double x = m_geometry.x(static_cast<double>(m_crosshair->key) + 0.5), y = m_geometry.y(static_cast<double>(m_crosshair->query) + 0.5);
        // A light line in a dark one is seen on every colour of every map.
        for (const auto& [colour, width] : {std::pair{QColor(20, 24, 32, 150), 3}, std::pair{QColor(255, 255, 255, 230), 1}}) {
            painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(std::floor(x) + 0.5, area.top()), QPointF(std::floor(x) + 0.5, area.bottom()));
            painter.drawLine(QPointF(area.left(), std::floor(y) + 0.5), QPointF(area.right(), std::floor(y) + 0.5));
        }
    }
    painter.restore();
}

void HeatMap::paintMessage(QPainter& painter) {
    painter.fillRect(m_geometry.area, m_theme.masked);
    if (m_message.isEmpty()) return;
    painter.setFont(m_theme.body);
    painter.setPen(m_theme.secondary);
    painter.drawText(m_geometry.area.adjusted(24, 0, -24, 0), static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_message);
}

/// In device pixels, whatever the screen's scale: the picture is copied, never stretched.
void HeatMap::paintMap(QPainter& painter) {
    if (m_overview.values.empty() && m_detail.values.empty()) return paintMessage(painter);
    const QTransform device = painter.deviceTransform();
    const QRectF exact = device.mapRect(m_geometry.area);
    const QPoint first(qRound(exact.left()), qRound(exact.top()));
    const QImage& picture = m_picture.update(m_geometry, {qRound(exact.right()) - first.x(), qRound(exact.bottom()) - first.y()});
    painter.save();
    painter.setWorldTransform(device.inverted() * painter.worldTransform());
    painter.drawImage(first, picture);
    painter.restore();
}

void HeatMap::paintBar(QPainter& painter) {
    const QRectF bar(m_geometry.area.right() + kBarGap, m_geometry.area.top(), kBarWidth, m_geometry.area.height());
    const ColourBarText text = barText();
    paintColourBar(painter, text.cutHigh || text.cutLow ? bar.adjusted(0, kPoint, 0, -kPoint) : bar, m_scale, m_theme, text);
}

void HeatMap::paintWhole(QPainter& painter) {
    paintHeader(painter);
    if (m_overview.values.empty() && m_detail.values.empty()) paintMessage(painter);
    else painter.fillRect(m_geometry.area, m_theme.masked);
    for (const lw::MapTile* tile : {&m_overview, &m_detail})
        paintCells(painter, m_geometry, mapLayer(*tile, colourImage(tile->values, tile->rows, tile->columns, m_scale, m_theme.masked.rgb())));
    paintMapAxes(painter, m_geometry, m_theme, {true, true, m_queryTitle, m_keyTitle, false});
    paintBar(painter);
}

void HeatMap::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const QRegion& dirty = event->region();
    const QRect area = m_geometry.area.toRect();
    for (const QRect& around : dirty - QRegion(area)) painter.fillRect(around, m_theme.background);
    if (dirty.intersects(QRect(0, 0, width(), QFontMetrics(m_theme.title).height()))) paintHeader(painter);
    if (dirty.intersects(area)) paintMap(painter);
    if (dirty.intersects(axesPlace())) paintMapAxes(painter, m_geometry, m_theme, {true, true, m_queryTitle, m_keyTitle, false});
    if (dirty.intersects(barPlace())) paintBar(painter);
    paintMarks(painter);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_geometry.area.adjusted(-0.5, -0.5, 0.5, 0.5));
    }
}

QImage HeatMap::image(double factor) {
    QImage picture(size() * factor, QImage::Format_RGB32);
    picture.setDevicePixelRatio(factor);
    picture.fill(m_theme.background);
    QPainter painter(&picture);
    paintWhole(painter);
    return picture;
}

void HeatMap::copyToClipboard() {
    const lw::MapTile& tile = shownTile();
    QString text;
    for (std::int64_t r = 0; r < tile.rows; ++r)
        for (std::int64_t c = 0; c < tile.columns; ++c) {
            const float value = tile.values[static_cast<std::size_t>(r * tile.columns + c)];
            text += (std::isnan(value) ? QString() : QString::number(value, 'g', 7)) + (c + 1 < tile.columns ? QLatin1Char('\t') : QLatin1Char('\n'));
        }
    const auto draw = [this](QCPPainter& painter) {
        painter.fillRect(rect(), m_theme.background);
        paintWhole(painter);
    };
    copyPicture(image(), size(), draw, text);
}

}  // namespace lw::ui
