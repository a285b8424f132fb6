/// See atlas_plot.h.
#include "ui/plot/atlas_plot.h"

#include "ui/plot/number_text.h"
#include "ui/plot/read_out.h"

#include <QMouseEvent>
#include <QPainter>

namespace lw::ui {

namespace {
constexpr double kReach = 14;  // pixels from a dot
}

AtlasPlot::AtlasPlot(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())), m_readOut(new ReadOut(this)) {
    setObjectName(QStringLiteral("headAtlas"));
    setMouseTracking(true);
    m_readOut->setObjectName(QStringLiteral("atlasReadOut"));
    setAccessibleName(tr("Atlas of heads"));
}

void AtlasPlot::setContent(const AtlasContent& content) {
    m_content = content;
    m_hovered = -1;
    m_readOut->hide();
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
    if (m_content.empty()) return;
    paintAtlas(painter, m_content, view(), m_theme, {m_hovered, indexOf(m_layer, m_head), m_filter, true});
}

void AtlasPlot::readOut(int n) {
    const AtlasDot& dot = m_content.dots[static_cast<std::size_t>(n)];
    std::vector<ReadOutRow> rows;
    for (const AtlasPlace& place : dot.way) {
        const QString name = place.label.isEmpty() ? place.headClass : QStringLiteral("%1  %2").arg(place.label, place.headClass);
        rows.push_back({m_theme.headClass(place.headClass.toStdString()), name, QStringLiteral("λ %1").arg(signedText(place.at.x(), 2)), shortText(place.at.y())});
    }
    m_readOut->setTheme(m_theme);
    m_readOut->setContent(tr("Layer %1, head %2 · %3").arg(dot.layer).arg(dot.head).arg(m_content.yLabel), rows);
    m_readOut->showNear(view().pixel(dot.way.back().at).toPoint(), rect());
}

void AtlasPlot::mouseMoveEvent(QMouseEvent* event) {
    const int dot = nearestDot(m_content, view(), event->position(), kReach);
    if (dot == m_hovered) return;
    m_hovered = dot;
    setCursor(dot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (dot >= 0) readOut(dot);
    else m_readOut->hide();
    update();
}

void AtlasPlot::mousePressEvent(QMouseEvent* event) {
    const int dot = event->button() == Qt::LeftButton ? nearestDot(m_content, view(), event->position(), kReach) : -1;
    if (dot < 0) return QWidget::mousePressEvent(event);
    const AtlasDot& chosen = m_content.dots[static_cast<std::size_t>(dot)];
    Q_EMIT headClicked(chosen.layer, chosen.head);
}

void AtlasPlot::leaveEvent(QEvent*) {
    m_hovered = -1;
    m_readOut->hide();
    update();
}

void AtlasPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_theme = PlotTheme::fromPalette(palette());
}

}  // namespace lw::ui
