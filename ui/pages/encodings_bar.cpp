/// See encodings_bar.h. Without a layout: its smallest width would be that of one line, and the bar could never become narrow enough for two.
#include "ui/pages/encodings_bar.h"

#include "ui/theme.h"

#include <QEvent>

#include <algorithm>

namespace lw::ui {

EncodingsBar::EncodingsBar(QWidget* left, QWidget* middle, QWidget* right, QWidget* parent) : QWidget(parent), m_left(left), m_middle(middle), m_right(right) {
    for (QWidget* group : {left, middle, right}) group->setParent(this);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

int EncodingsBar::lineHeight() const { return std::max({m_left->sizeHint().height(), m_middle->sizeHint().height(), m_right->sizeHint().height()}); }

QSize EncodingsBar::minimumSizeHint() const {
    const int ends = m_left->sizeHint().width() + theme::kGrid + m_right->sizeHint().width();
    return {std::max(ends, m_middle->sizeHint().width()), m_wrapped ? 2 * lineHeight() + theme::kGrid : lineHeight()};
}

/// Groups whose controls come and go ask for another size.
bool EncodingsBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) arrange();
    return QWidget::event(event);
}

void EncodingsBar::resizeEvent(QResizeEvent*) { arrange(); }

void EncodingsBar::place(QWidget* group, int x, int line) {
    const QSize size = group->sizeHint();
    group->setGeometry(x, line * (lineHeight() + theme::kGrid) + (lineHeight() - size.height()) / 2, size.width(), size.height());
}

void EncodingsBar::arrange() {
    const int left = m_left->sizeHint().width(), right = m_right->sizeHint().width();
    m_wrapped = left + m_middle->sizeHint().width() + right + 4 * theme::kGrid > width();
    place(m_left, 0, 0);
    place(m_middle, m_wrapped ? 0 : left + 2 * theme::kGrid, m_wrapped ? 1 : 0);
    place(m_right, std::max(left + theme::kGrid, width() - right), 0);
    updateGeometry();
}

}  // namespace lw::ui
