/// See segmented.h.
#include "ui/plot/segmented.h"

#include "ui/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>

namespace lw::ui {

namespace {

QPainterPath outline(const QRectF& r, bool first, bool last) {
    constexpr double radius = 4;
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    path.addRoundedRect(r, radius, radius);
    if (!first) path.addRect(QRectF(r.left(), r.top(), radius, r.height()));
    if (!last) path.addRect(QRectF(r.right() - radius, r.top(), radius, r.height()));
    return path.simplified();
}

}  // namespace

SegmentButton::SegmentButton(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setCheckable(true);
    setAccessibleName(text);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SegmentButton::setEnds(bool first, bool last) {
    m_first = first;
    m_last = last;
    update();
}

QSize SegmentButton::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + 22, metrics.height() + 11};
}

void SegmentButton::enterEvent(QEnterEvent*) { update(); }
void SegmentButton::leaveEvent(QEvent*) { update(); }

void SegmentButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette colours = palette();
    // Neighbours share one line: each but the first draws over the right edge of the one before.
    const QRectF box = QRectF(rect()).adjusted(m_first ? 0.5 : -0.5, 0.5, m_last ? -0.5 : 0.5, -0.5);
    QColor fill = isChecked() ? theme::accent(colours) : colours.color(QPalette::Base);
    if (!isChecked() && underMouse() && isEnabled()) fill = theme::raised(colours);
    painter.setBrush(fill);
    painter.setPen(QPen(hasFocus() || isChecked() ? theme::accent(colours) : theme::line(colours), 1));
    painter.drawPath(outline(box, m_first, m_last));
    painter.setPen(isChecked() ? theme::accentText(colours) : isEnabled() ? theme::text(colours) : theme::secondaryText(colours));
    painter.drawText(rect(), static_cast<int>(Qt::AlignCenter), text());
    if (hasFocus() && isChecked()) {
        QPen ring(theme::accentText(colours), 1, Qt::DotLine);
        painter.setPen(ring);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(3.5, 3.5, -3.5, -3.5));
    }
}

Segmented::Segmented(QWidget* parent) : QWidget(parent), m_group(new QButtonGroup(this)), m_layout(new QHBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_group->setExclusive(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idClicked, this, &Segmented::chosen);
}

SegmentButton* Segmented::add(int id, const QString& text, const QString& help) {
    auto* segment = new SegmentButton(text, this);
    segment->setToolTip(help);
    m_group->addButton(segment, id);
    m_layout->addWidget(segment);
    if (m_group->buttons().size() == 1) segment->setChecked(true);
    updateEnds();
    return segment;
}

void Segmented::setCurrent(int id) {
    if (QAbstractButton* segment = m_group->button(id)) segment->setChecked(true);
}

int Segmented::current() const { return m_group->checkedId(); }
QAbstractButton* Segmented::button(int id) const { return m_group->button(id); }

void Segmented::setSegmentVisible(int id, bool visible) {
    if (QAbstractButton* segment = m_group->button(id)) segment->setVisible(visible);
    updateEnds();
}

void Segmented::updateEnds() {
    QList<SegmentButton*> seen;
    for (QAbstractButton* segment : m_group->buttons())
        if (!segment->isHidden() || !segment->testAttribute(Qt::WA_WState_ExplicitShowHide)) seen << static_cast<SegmentButton*>(segment);
    for (qsizetype i = 0; i < seen.size(); ++i) seen[i]->setEnds(i == 0, i == seen.size() - 1);
}

}  // namespace lw::ui
