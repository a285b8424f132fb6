/// See run_delegate.h.
#include "ui/panels/run_delegate.h"

#include "ui/models/runs_model.h"
#include "ui/plot/run_mark.h"
#include "ui/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace lw::ui {

namespace {

constexpr int kTick = 14;
constexpr int kBeforeMark = 8;
constexpr int kAfterMark = 8;
constexpr int kMargin = 12;
constexpr int kLeastMargin = 2;  // beside a scroll bar

QFont valueFont() {
    QFont font = theme::tabular();
    font.setPointSizeF(theme::caption().pointSizeF());
    return font;
}

/// The whole line where it fits; where it does not, what says least goes first, and the status last.
QString shortSubtitle(const QString& subtitle, const QFontMetrics& metrics, int room) {
    QStringList parts = subtitle.split(QStringLiteral(" · "));
    while (parts.size() > 2 && metrics.horizontalAdvance(parts.join(QStringLiteral(" · "))) > room) parts.removeAt(parts.size() - 2);
    const QString joined = parts.join(QStringLiteral(" · "));
    if (subtitle.count(QStringLiteral(" · ")) < 2 || metrics.horizontalAdvance(joined) <= room) return metrics.elidedText(joined, Qt::ElideRight, room);
    return metrics.elidedText(parts.last(), Qt::ElideRight, room);
}

}  // namespace

QRect RunDelegate::tickRect(const QRect& row) {
    return {row.left() + kMargin, row.center().y() - kTick / 2, kTick, kTick};
}

int RunDelegate::usualWidth() {
    const int before = kMargin + kTick + kBeforeMark + kRunMark.width() + kAfterMark;
    const int line = QFontMetrics(theme::caption()).horizontalAdvance(tr("L %1 · seed %2").arg(128).arg(1)) + theme::kGrid + QFontMetrics(valueFont()).horizontalAdvance(QStringLiteral("00.0"));
    return before + line + kMargin;
}

/// A scroll bar takes its room from the margin before it takes any from the text.
QRect RunDelegate::titleRect(const QRect& row) {
    const int body = QFontMetrics(theme::body()).height(), caption = QFontMetrics(theme::caption()).height();
    const int left = tickRect(row).right() + kBeforeMark + kRunMark.width() + kAfterMark;
    const int margin = qBound(kLeastMargin, kMargin - (usualWidth() - row.width()), kMargin);
    return {left, row.top() + (row.height() - body - caption) / 2, row.right() - margin - left, body};
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
    const QRect mark(tick.right() + kBeforeMark, option.rect.center().y() - kRunMark.height() / 2, kRunMark.width(), kRunMark.height());
    paintRunMark(painter, mark, index.data(RunsModel::StyleRole).toInt(), palette);

    const QFontMetrics bodyMetrics(theme::body()), captionMetrics(theme::caption());
    const QRect first = titleRect(option.rect);
    const QRect second(first.left(), first.bottom() + 1, first.width(), captionMetrics.height());
    painter->setPen(theme::text(palette));
    painter->setFont(theme::body());
    painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, bodyMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, first.width()));
    const QString value = index.data(RunsModel::ValueRole).toString();
    painter->setFont(valueFont());
    painter->drawText(second, Qt::AlignRight | Qt::AlignVCenter, value);
    const int room = second.width() - (value.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(value) + theme::kGrid);
    painter->setFont(theme::caption());
    painter->setPen(theme::secondaryText(palette));
    painter->drawText(second, Qt::AlignLeft | Qt::AlignVCenter, shortSubtitle(index.data(RunsModel::SubtitleRole).toString(), captionMetrics, room));
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
