/// See elided_check.h.
#include "ui/forms/elided_check.h"

#include <QStyleOptionButton>
#include <QStylePainter>

namespace lw::ui {

ElidedCheck::ElidedCheck(QWidget* parent) : QCheckBox(parent) { setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); }

QString ElidedCheck::shownText() const {
    QStyleOptionButton option;
    initStyleOption(&option);
    return fontMetrics().elidedText(text(), Qt::ElideRight, style()->subElementRect(QStyle::SE_CheckBoxContents, &option, this).width());
}

void ElidedCheck::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text = shownText();
    painter.drawControl(QStyle::CE_CheckBox, option);
}

}  // namespace lw::ui
