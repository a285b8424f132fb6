/// See run_delegate.h.
#include "ui/panels/run_delegate.h"

#include "ui/models/runs_model.h"
#include "ui/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace lw::ui {

namespace {

constexpr int kTick = 14;
constexpr int kSwatch = 12;
constexpr int kMargin = 12;

/// Square in the run's colour; later rounds of colours, which have another line style, are told apart by a gap in it.
void paintSwatch(QPainter* painter, const QRect& box, int style, bool dark) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme::runColour(style, dark));
    if (theme::runPenStyle(style) == Qt::SolidLine) {
        painter->drawRoundedRect(box, 3, 3);
        return;
    }
    painter->drawRoundedRect(box.adjusted(0, 0, 0, -box.height() / 2 - 1), 2, 2);
    painter->drawRoundedRect(box.adjusted(0, box.height() / 2 + 1, 0, 0), 2, 2);
}

}  // namespace

QRect RunDelegate::tickRect(const QRect& row) {
    return {row.left() + kMargin, row.center().y() - kTick / 2, kTick, kTick};
}

QRect RunDelegate::titleRect(const QRect& row) {
    const int body = QFontMetrics(theme::body()).height(), caption = QFontMetrics(theme::caption()).height();
    const int left = tickRect(row).right() + 11 + kSwatch + 10;
    return {left, row.top() + (row.height() - body - caption) / 2, row.right() - kMargin - left, body};
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    const int text = QFontMetrics(theme::body()).height() + QFontMetrics(theme::caption()).height();
    return {200, text + theme::kGrid};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QPalette& palette = option.palette;
    if (option.state & QStyle::State_Selected) {
        painter->fillRect(option.rect, theme::selection(palette));
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(option.rect, theme::raised(palette));
    }
    const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const QRect tick = tickRect(option.rect);
    theme::paintTickBox(painter, tick, checked, true, false, palette);
    const QRect swatch(tick.right() + 11, option.rect.center().y() - kSwatch / 2, kSwatch, kSwatch);
    paintSwatch(painter, swatch, index.data(RunsModel::StyleRole).toInt(), theme::isDark(palette));

    const QFontMetrics bodyMetrics(theme::body()), captionMetrics(theme::caption());
    const QRect first = titleRect(option.rect);
    const QRect second(first.left(), first.bottom() + 1, first.width(), captionMetrics.height());
    painter->setPen(theme::text(palette));
    painter->setFont(theme::body());
    painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, bodyMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, first.width()));
    QFont numbers = theme::tabular();
    numbers.setPointSizeF(theme::caption().pointSizeF());
    const QString value = index.data(RunsModel::ValueRole).toString();
    painter->setFont(numbers);
    painter->drawText(second, Qt::AlignRight | Qt::AlignVCenter, value);
    const int room = second.width() - (value.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(value) + theme::kGrid);
    painter->setFont(theme::caption());
    painter->setPen(theme::secondaryText(palette));
    painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter, captionMetrics.elidedText(index.data(RunsModel::SubtitleRole).toString(), Qt::ElideRight, room));
    painter->restore();
}

bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) {
    const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const auto toggle = [&] { return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole); };
    if (event->type() == QEvent::KeyPress) {
        return static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space && toggle();
    }
    if (event->type() != QEvent::MouseButtonRelease && event->type() != QEvent::MouseButtonPress &&
        event->type() != QEvent::MouseButtonDblClick)
        return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QRect box = tickRect(option.rect).adjusted(-8, -8, 6, 8);
    if (mouse->button() != Qt::LeftButton || !box.contains(mouse->position().toPoint())) return false;
    // The press is taken too, so that ticking does not also choose the run.
    return event->type() != QEvent::MouseButtonRelease || toggle();
}

}  // namespace lw::ui
