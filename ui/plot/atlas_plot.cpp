/// See atlas_plot.h.
#include "ui/plot/atlas_plot.h"

#include "ui/plot/number_text.h"
#include "ui/plot/read_out.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {
constexpr double kReach = 14;  // pixels from a dot
}

AtlasPlot::AtlasPlot(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())), m_readOut(new ReadOut(this)) {
    setObjectName(QStringLiteral("headAtlas"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    m_readOut->setObjectName(QStringLiteral("atlasReadOut"));
    setAccessibleName(tr("Atlas of heads"));
}

void AtlasPlot::setContent(const AtlasContent& content) {
    m_content = content;
    endHover();
    QStringList counts;
    for (const auto& [name, count] : classCounts(content)) counts << QStringLiteral("%1 %2").arg(name).arg(count);
    setAccessibleDescription(counts.join(QStringLiteral(", ")));
    update();
}

void AtlasPlot::setSelected(std::int64_t layer, std::int64_t head) {
    m_layer = layer;
    m_head = head;
    update();
}

void AtlasPlot::setMessage(const QString& message) {
    m_message = message;
    update();
}

void AtlasPlot::setFilter(const QString& headClass) {
    m_filter = headClass;
    update();
}

AtlasView AtlasPlot::view() const { return atlasView(m_content, QRectF(rect()).marginsRemoved(atlasMargins(m_content, m_theme))); }

int AtlasPlot::indexOf(std::int64_t layer, std::int64_t head) const {
    for (std::size_t n = 0; n < m_content.dots.size(); ++n)
        if (m_content.dots[n].layer == layer && m_content.dots[n].head == head) return static_cast<int>(n);
    return -1;
}

std::optional<QPointF> AtlasPlot::dotAt(std::int64_t layer, std::int64_t head) const {
    const int n = indexOf(layer, head);
    if (n < 0) return std::nullopt;
    return view().pixel(m_content.dots[static_cast<std::size_t>(n)].way.back().at);
}

void AtlasPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_content.empty()) {
        painter.setFont(m_theme.caption);
        painter.setPen(m_theme.secondary);
        return painter.drawText(rect().adjusted(8, 8, -8, -8), static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_message);
    }
    paintAtlas(painter, m_content, view(), m_theme, {m_hovered, indexOf(m_layer, m_head), m_filter, true});
    if (!hasFocus()) return;
    painter.setPen(QPen(m_theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

/// So many stops that the read-out stays inside, the first and the last among them.
std::vector<AtlasPlace> AtlasPlot::stopsOf(const AtlasDot& dot) const {
    const auto line = static_cast<std::size_t>(QFontMetrics(m_theme.caption).height() + 4);
    const std::size_t room = std::max<std::size_t>(2, static_cast<std::size_t>(std::max(0, height())) / line - 2);
    if (dot.way.size() <= room) return dot.way;
    std::vector<AtlasPlace> stops;
    for (std::size_t n = 0; n < room; ++n) stops.push_back(dot.way[n * (dot.way.size() - 1) / (room - 1)]);
    return stops;
}

void AtlasPlot::readOut(int n) {
    const AtlasDot& dot = m_content.dots[static_cast<std::size_t>(n)];
    std::vector<ReadOutRow> rows;
    for (const AtlasPlace& place : stopsOf(dot)) {
        const QString name = place.label.isEmpty() ? place.headClass : QStringLiteral("%1  %2").arg(place.label, place.headClass);
        rows.push_back({m_theme.headClass(place.headClass.toStdString()), name, QStringLiteral("λ %1").arg(signedText(place.at.x(), 2)), shortText(place.at.y())});
    }
    m_readOut->setTheme(m_theme);
    m_readOut->setContent(tr("Layer %1, head %2 · %3").arg(dot.layer).arg(dot.head).arg(m_content.yLabel), rows);
    m_readOut->showNear(view().pixel(dot.way.back().at).toPoint(), rect());
}

void AtlasPlot::mouseMoveEvent(QMouseEvent* event) {
    const int dot = nearestDot(m_content, view(), event->position(), kReach, m_filter);
    if (dot == m_hovered) return;
    if (dot < 0) return endHover();
    m_hovered = dot;
    setCursor(Qt::PointingHandCursor);
    readOut(dot);
    update();
    const AtlasDot& under = m_content.dots[static_cast<std::size_t>(dot)];
    Q_EMIT headHovered(under.layer, under.head);
}

void AtlasPlot::endHover() {
    m_readOut->hide();
    unsetCursor();
    update();
    if (std::exchange(m_hovered, -1) >= 0) Q_EMIT hoverLeft();
}

void AtlasPlot::mousePressEvent(QMouseEvent* event) {
    const int dot = event->button() == Qt::LeftButton ? nearestDot(m_content, view(), event->position(), kReach, m_filter) : -1;
    if (dot < 0) return QWidget::mousePressEvent(event);
    const AtlasDot& chosen = m_content.dots[static_cast<std::size_t>(dot)];
    Q_EMIT headClicked(chosen.layer, chosen.head);
}

/// Arrows go to the next dot that way and read it out; Escape takes the read-out away.
void AtlasPlot::keyPressEvent(QKeyEvent* event) {
    const double across = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const double down = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (event->key() == Qt::Key_Escape && m_readOut->isVisible()) return endHover();
    if ((across == 0 && down == 0) || m_content.empty() || (event->modifiers() & Qt::ShiftModifier)) return QWidget::keyPressEvent(event);
    endHover();
    // The chosen head has no dot where its measure is not known: then any is a beginning.
    const int from = indexOf(m_layer, m_head), next = from < 0 ? 0 : neighbourDot(m_content, view(), from, {across, down});
    if (next < 0) return;
    const AtlasDot dot = m_content.dots[static_cast<std::size_t>(next)];
    Q_EMIT headClicked(dot.layer, dot.head);
    if (const int now = indexOf(dot.layer, dot.head); now >= 0) readOut(now);
}

void AtlasPlot::leaveEvent(QEvent*) { endHover(); }

void AtlasPlot::contextMenuEvent(QContextMenuEvent* event) {
    if (m_content.empty()) return;
    QMenu menu(this);
    menu.addAction(tr("Copy image and numbers"), this, &AtlasPlot::copyRequested);
    menu.addAction(tr("Export figure…"), this, &AtlasPlot::exportRequested);
    menu.exec(event->globalPos());
}

void AtlasPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    endHover();
}

void AtlasPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    m_theme = PlotTheme::fromPalette(palette());
    endHover();
}

}  // namespace lw::ui
